#include "services/matchmaking/app/pair_finisher.h"

#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxAttempts = 16;
constexpr int kMaxHistory = 20;
constexpr Millis kBackground{10'000};
// A pair whose game came so late is not blamed for not beginning it.
constexpr Millis kTooLateToBlame{30'000};

Error Contention() { return Error(kContention, "too many concurrent changes; retry"); }

// Whether the answer means that there is no such game and will be none.
bool Refused(const Error& error) {
  switch (error.code()) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kAlreadyExists:
    case Code::kPermissionDenied:
    case Code::kFailedPrecondition:
    case Code::kOutOfRange:
    case Code::kUnimplemented:
      return true;
    default:
      return error.Is(kTooManyGames);
  }
}

std::string MetadataOf(const Error& error, const std::string& key) {
  const auto found = error.metadata().find(key);
  return found == error.metadata().end() ? "" : found->second;
}

}  // namespace

bool PairFinisher::Enqueue(SeekEntry paired) {
  {
    const std::lock_guard lock(mutex_);
    const std::string& match_id = paired.value.pairing().match_id();
    if (in_hand_.contains(match_id)) return true;
    const bool idle = running_ < limits_.running;
    if (!idle && queue_.size() >= limits_.queued) {
      metrics_.Postponed();
      return false;
    }
    in_hand_.insert(match_id);
    if (!idle) {
      queue_.push_back(std::move(paired));
      metrics_.Queued(queue_.size());
      return true;
    }
    ++running_;
  }
  (void)group_.Spawn(WorkOff(std::move(paired)));
  return true;
}

Task<void> PairFinisher::WorkOff(SeekEntry entry) {
  for (;;) {
    const std::string match_id = entry.value.pairing().match_id();
    const rpc::Call call = rpc::Call::Background("match-" + match_id, time_, kBackground);
    (void)co_await Finish(call, std::move(entry));  // the sweep finds what failed
    const std::lock_guard lock(mutex_);
    in_hand_.erase(match_id);
    if (queue_.empty() || group_.stopping()) {
      --running_;
      co_return;
    }
    entry = std::move(queue_.front());
    queue_.pop_front();
    metrics_.Queued(queue_.size());
  }
}

Task<Result<SeekEntry>> PairFinisher::Finish(rpc::Call call, SeekEntry entry) {
  const stored_pb::Pairing pairing = entry.value.pairing();
  const std::string own_id = entry.value.seek().seek_id();
  Match match = MatchOf(pairing);
  Result<std::string> game_id = co_await games_.Create(call, std::move(match));
  if (!game_id) {
    if (!Refused(game_id.error())) co_return std::move(game_id).error();
    // A game that is invalid now would be invalid again, so both seeks end. A player with too many
    // games leaves the queue; the other returns to it with the time already waited.
    const bool both = game_id.error().code() == Code::kInvalidArgument;
    const std::string to_blame =
        game_id.error().Is(kTooManyGames) ? MetadataOf(game_id.error(), "player") : "";
    Status parted = co_await Part(std::move(entry), to_blame, both, game_id.error().reason());
    if (!parted) co_return std::move(parted).error();
  } else {
    std::vector<std::string> seek_ids{own_id};
    if (!pairing.other_seek_id().empty()) seek_ids.push_back(pairing.other_seek_id());
    Status closed = co_await Close(std::move(seek_ids), pairing, *game_id);
    if (!closed) co_return std::move(closed).error();
  }
  Result<SeekEntry> now = co_await store_.Load(own_id);
  co_return now;
}

Task<Status> PairFinisher::Close(std::vector<std::string> seek_ids, stored_pb::Pairing pairing,
                                 std::string game_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<std::vector<SeekEntry>> loaded = co_await store_.LoadAll(seek_ids);
    if (!loaded) co_return std::move(loaded).error();
    std::vector<SeekEntry> seeks;
    std::vector<NewMemory> memories;
    for (SeekEntry& entry : *loaded) {
      const std::optional<Seek> matched =
          BeginGame(SeekOf(entry.value), pairing.match_id(), game_id);
      if (!matched) continue;  // another replica has closed it
      Write(*matched, entry.value);
      memories.push_back(MemoryOf(entry.value.seek(), pairing));
      seeks.push_back(std::move(entry));
    }
    if (seeks.empty()) co_return Status();
    Result<std::vector<SeekStore::PlayerHistory>> histories =
        co_await Remember(std::move(memories));
    if (!histories) co_return std::move(histories).error();
    Result<bool> put = co_await store_.Put(std::move(seeks), *std::move(histories));
    if (put && *put) co_return Status();
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

PairFinisher::NewMemory PairFinisher::MemoryOf(const pb::Seek& matched,
                                               const stored_pb::Pairing& pairing) const {
  const std::int64_t now = ToUnixMillis(time_.Now());
  NewMemory memory{matched.player().player_id(), {}};
  memory.game.set_game_id(matched.game_id());
  memory.game.set_opponent_id(matched.opponent().player_id());
  memory.game.set_side(matched.side());
  memory.game.set_handicap(HasHandicap(pairing.terms()));
  memory.game.set_at_ms(now);
  const bool against_computer = matched.opponent().kind() == common_pb::PLAYER_KIND_COMPUTER;
  const bool late = now - pairing.paired_at_ms() >= kTooLateToBlame.count();
  memory.game.set_judged(against_computer || late);
  return memory;
}

Task<Result<std::vector<SeekStore::PlayerHistory>>> PairFinisher::Remember(
    std::vector<NewMemory> memories) {
  std::vector<Task<Result<HistoryEntry>>> loads;
  for (const NewMemory& memory : memories) loads.push_back(store_.HistoryOf(memory.player_id));
  std::vector<Result<HistoryEntry>> loaded = co_await WhenAll(std::move(loads));
  std::vector<SeekStore::PlayerHistory> histories;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (!loaded[i]) co_return std::move(loaded[i]).error();
    SeekStore::PlayerHistory history{memories[i].player_id, *std::move(loaded[i])};
    auto& games = *history.entry.value.mutable_games();
    *games.Add() = std::move(memories[i].game);
    if (games.size() > kMaxHistory) games.DeleteSubrange(0, games.size() - kMaxHistory);
    histories.push_back(std::move(history));
  }
  co_return histories;
}

Task<Status> PairFinisher::Part(SeekEntry paired, std::string to_blame, bool both,
                                std::string reason) {
  const std::string match_id = paired.value.pairing().match_id();
  std::vector<std::string> seek_ids{paired.value.seek().seek_id()};
  const std::string other_id = paired.value.pairing().other_seek_id();
  if (!other_id.empty()) seek_ids.push_back(other_id);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<std::vector<SeekEntry>> loaded = co_await store_.LoadAll(seek_ids);
    if (!loaded) co_return std::move(loaded).error();
    std::vector<SeekEntry> seeks;
    for (SeekEntry& entry : *loaded) {
      const Seek seek = SeekOf(entry.value);
      const bool ends = both || entry.value.seek().player().player_id() == to_blame;
      const std::optional<Seek> parted =
          ends ? RefuseGame(seek, match_id, reason) : ReturnToQueue(seek, match_id);
      if (!parted) continue;  // another replica has been here
      Write(*parted, entry.value);
      seeks.push_back(std::move(entry));
    }
    if (seeks.empty()) co_return Status();
    Result<bool> put = co_await store_.Put(std::move(seeks));
    if (put && *put) {
      metrics_.Dissolved("refused");
      co_return Status();
    }
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

}  // namespace komadai::matchmaking
