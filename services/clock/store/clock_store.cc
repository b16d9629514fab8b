#include "services/clock/store/clock_store.h"

#include <algorithm>
#include <utility>

#include "libs/livestore/shard.h"

namespace komadai::clock {
namespace {

constexpr char kDeadlines[] = "deadlines";
constexpr char kExpiryChannel[] = "clock:expiries";

std::string PartitionOf(int shard) { return "clock:" + std::to_string(shard); }
std::string PartitionOf(const std::string& game_id) {
  return PartitionOf(ClockStore::ShardOf(game_id));
}

Result<StoredClock> FromDocument(const livestore::Document& document) {
  Result<LiveClock> clock = DecodeClock(document.body);
  if (!clock) return std::move(clock).error();
  return StoredClock{
      .clock = *std::move(clock), .version = document.version, .presses = document.last_sequence};
}

livestore::Change ChangeFor(const std::string& game_id, const StoredClock& stored,
                            const std::optional<PressRecord>& record) {
  livestore::Change change;
  change.name = game_id;
  change.expected_version = stored.version;
  change.put_body = EncodeClock(stored.clock);
  if (record) {
    change.events.push_back(EncodePress(*record));
    if (stored.presses >= ClockStore::kKeptPresses) {
      change.keep_last_events = ClockStore::kKeptPresses;
    }
  }
  livestore::IndexChange deadline;
  deadline.index = kDeadlines;
  if (const auto instant = timecontrol::DeadlineOf(stored.clock.state)) {
    deadline.score = ToUnixMillis(*instant);
  }
  change.indexes.push_back(std::move(deadline));
  if (stored.clock.state.stopped) change.time_to_live = ClockStore::kStoppedClockLives;
  return change;
}

}  // namespace

int ClockStore::ShardOf(const std::string& game_id) { return livestore::Shard(game_id, kShards); }

Task<Result<std::optional<StoredClock>>> ClockStore::Load(std::string game_id) {
  auto document = co_await store_.Load(PartitionOf(game_id), game_id);
  if (!document) co_return std::move(document).error();
  if (!document->has_value()) co_return std::optional<StoredClock>();
  Result<StoredClock> stored = FromDocument(**document);
  if (!stored) co_return std::move(stored).error();
  co_return std::optional<StoredClock>(*std::move(stored));
}

Task<livestore::Attempt<StoredClock>> ClockStore::Save(std::string game_id, StoredClock stored,
                                                       std::optional<PressRecord> record) {
  livestore::Transaction transaction;
  transaction.partition = PartitionOf(game_id);
  transaction.changes.push_back(ChangeFor(game_id, stored, record));
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  if (!outcome->committed()) co_return livestore::LostRace{};
  stored.version = outcome->documents.front().version;
  stored.presses = outcome->documents.front().last_sequence;
  co_return stored;
}

Task<Result<std::optional<PressRecord>>> ClockStore::FindPress(std::string game_id, int ply) {
  auto page = co_await store_.ReadJournal(PartitionOf(game_id), game_id, 0, kKeptPresses);
  if (!page) co_return std::move(page).error();
  // The latest of this ply: earlier ones were taken back.
  for (auto event = page->events.rbegin(); event != page->events.rend(); ++event) {
    Result<PressRecord> press = DecodePress(event->payload);
    if (!press) co_return std::move(press).error();
    if (press->before.ply == ply) co_return std::optional<PressRecord>(*std::move(press));
  }
  co_return std::optional<PressRecord>();
}

Task<Result<std::vector<livestore::IndexEntry>>> ClockStore::Deadlines(
    int shard, TimePoint until, std::optional<livestore::IndexEntry> after) {
  livestore::IndexQuery query;
  query.partition = PartitionOf(shard);
  query.index = kDeadlines;
  query.max_score = ToUnixMillis(until);
  query.after = std::move(after);
  return store_.ReadIndex(std::move(query));
}

Task<Result<std::int64_t>> ClockStore::CountRunning(int shard) {
  return store_.CountIndex(PartitionOf(shard), kDeadlines, -livestore::kMaxScore,
                           livestore::kMaxScore);
}

Task<Result<std::vector<std::optional<StoredClock>>>> ClockStore::LoadMany(
    int shard, std::vector<std::string> game_ids) {
  auto documents = co_await store_.LoadMany(PartitionOf(shard), std::move(game_ids));
  if (!documents) co_return std::move(documents).error();
  std::vector<std::optional<StoredClock>> clocks;
  clocks.reserve(documents->size());
  for (const std::optional<livestore::Document>& document : *documents) {
    std::optional<StoredClock> clock;
    if (document) {
      Result<StoredClock> stored = FromDocument(*document);
      if (stored) clock = *std::move(stored);
    }
    clocks.push_back(std::move(clock));
  }
  co_return clocks;
}

Task<Result<bool>> ClockStore::Announce(AnnouncedExpiry announced, StoredClock stored) {
  livestore::Change change;
  change.name = announced.expiry.game_id;
  change.expected_version = stored.version;
  if (!stored.clock.flag_fallen) {
    stored.clock.flag_fallen = true;
    change.put_body = EncodeClock(stored.clock);
  }
  livestore::Transaction transaction;
  transaction.partition = PartitionOf(announced.expiry.game_id);
  transaction.changes.push_back(std::move(change));
  transaction.announcements.push_back(
      {.channel = kExpiryChannel, .payload = EncodeAnnouncement(announced)});
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  co_return outcome->committed();
}

std::unique_ptr<livestore::Subscription> ClockStore::SubscribeExpiries(
    std::function<void(const AnnouncedExpiry&)> handler) {
  return store_.SubscribeChannel(
      kExpiryChannel, [handler = std::move(handler)](const livestore::Notification& notification) {
        // What was missed before a kResync is repeated within a second or two anyway.
        if (notification.kind != livestore::Notification::Kind::kMessage) return;
        const Result<AnnouncedExpiry> announced = DecodeAnnouncement(notification.payload);
        if (announced) handler(*announced);
      });
}

}  // namespace komadai::clock
