#include "services/game/store/game_store.h"

#include <algorithm>
#include <utility>

#include "libs/livestore/shard.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

using livestore::Change;
using livestore::Document;
using livestore::DocumentWithJournal;
using livestore::IndexChange;
using livestore::Transaction;

constexpr std::int64_t kJournalPage = 500;
// Watchers see the end of the game, and a repeated creation finds it instead of making another.
constexpr Millis kKeepAfterEnd{std::int64_t{24} * 3600 * 1000};
constexpr char kLive[] = "live";
constexpr char kTodo[] = "todo";

std::string LiveIndex(std::optional<Variant> variant) {
  if (!variant) return kLive;
  return std::string(kLive) + "/" + std::string(rules::VariantName(*variant));
}

std::string PlayerPartition(const std::string& player_id) {
  return "player:" + std::to_string(livestore::Shard(player_id, GameStore::kShards));
}
std::string PlayerIndex(const std::string& player_id) { return "games/" + player_id; }
std::string PlayerDocument(const std::string& player_id, const std::string& game_id) {
  return player_id + "/" + game_id;
}

Error NotFound(const std::string& game_id) {
  return Error{kGameNotFound, "no such game", {{"game", game_id}}};
}

Error Corrupt(const std::string& game_id) {
  return Error{kCorruptGame, "the stored game cannot be read", {{"game", game_id}}};
}

// Applies journal events to `game`.
Status Fold(Game& game, const std::vector<livestore::Event>& events) {
  for (const livestore::Event& stored : events) {
    internal::v1::StoredEvent proto;
    if (stored.sequence != game.sequence + 1 || !proto.ParseFromString(stored.payload)) {
      return Corrupt(game.id);
    }
    Result<Event> event = EventFromStored(game, proto);
    if (!event) return std::move(event).error();
    Apply(game, *event);
  }
  return {};
}

std::string BodyOf(const Game& game, const Marks& marks) {
  internal::v1::StoredGame body;
  *body.mutable_summary() = SummaryOf(game);
  if (game.result) *body.mutable_result() = ToProto(*game.result);
  body.set_started(marks.progress.started);
  body.set_archived(marks.progress.archived);
  body.set_replay_created(marks.progress.replay_created);
  body.set_clock_told(marks.progress.clock_told);
  body.set_due(marks.todo.has_value());
  return body.SerializeAsString();
}

Progress ProgressOf(const internal::v1::StoredGame& body) {
  Progress progress;
  progress.started = body.started();
  progress.archived = body.archived();
  progress.replay_created = body.replay_created();
  progress.clock_told = body.clock_told();
  return progress;
}

void AddIndexes(Change& change, const StoredGame& stored, const Game& after, const Marks& marks) {
  const Game& before = *stored.game;
  const Variant variant = after.setup.variant;
  if (before.sequence == 0) {
    const std::int64_t newest_first = -ToUnixMillis(after.created_at);
    change.indexes.push_back({kLive, newest_first});
    change.indexes.push_back({LiveIndex(variant), newest_first});
  }
  if (after.over() && !before.over()) {
    change.indexes.push_back({kLive, std::nullopt});
    change.indexes.push_back({LiveIndex(variant), std::nullopt});
  }
  // An ordinary move leaves the game out of the index as it was; a commit of marks alone always
  // says so, which also mends an entry that should not be there.
  if (marks.todo) {
    change.indexes.push_back({kTodo, ToUnixMillis(*marks.todo)});
  } else if (stored.due || change.events.empty()) {
    change.indexes.push_back({kTodo, std::nullopt});
  }
  if (after.over() && marks.progress.archived) change.time_to_live = kKeepAfterEnd;
}

}  // namespace

std::string GameStore::PartitionOf(const std::string& game_id) {
  return "game:" + std::to_string(livestore::Shard(game_id, kShards));
}

std::string GameStore::PlayerChannel(const std::string& player_id) {
  return "player-games/" + player_id;
}

void GameStore::Remember(const std::string& game_id, StoredGame stored) {
  stored.fresh = false;
  cache_.Put(game_id, std::move(stored), [](const StoredGame& there, const StoredGame& next) {
    return there.version < next.version;  // answers may arrive out of order: never go back
  });
}

Task<Result<StoredGame>> GameStore::Fetch(std::string game_id, bool cached_will_do) {
  if (cached_will_do) {
    std::optional<StoredGame> cached = cache_.Find(game_id);
    if (cached) co_return *std::move(cached);
  }
  Result<StoredGame> loaded = co_await Load(std::move(game_id));
  co_return loaded;
}

Task<Result<StoredGame>> GameStore::Load(std::string game_id) {
  const std::optional<StoredGame> base = cache_.Find(game_id);
  auto game = base ? std::make_shared<Game>(*base->game) : std::make_shared<Game>();
  game->id = game_id;
  const std::string partition = PartitionOf(game_id);
  Result<std::optional<DocumentWithJournal>> read =
      co_await store_.LoadWithJournal(partition, game_id, game->sequence, kJournalPage);
  if (!read) co_return std::move(read).error();
  if (!read->has_value()) {
    cache_.Erase(game_id);
    co_return NotFound(game_id);
  }
  const Document document = std::move((*read)->document);
  std::vector<livestore::Event> events = std::move((*read)->events);
  for (;;) {
    if (Status folded = Fold(*game, events); !folded) co_return std::move(folded).error();
    if (game->sequence >= document.last_sequence || events.empty()) break;
    Result<livestore::JournalPage> page =
        co_await store_.ReadJournal(partition, game_id, game->sequence, kJournalPage);
    if (!page) co_return std::move(page).error();
    events = std::move(page->events);
    // Events behind the document's version belong to a later one.
    std::erase_if(events, [&](const livestore::Event& event) {
      return event.sequence > document.last_sequence;
    });
  }
  internal::v1::StoredGame body;
  if (game->sequence != document.last_sequence || !body.ParseFromString(document.body)) {
    co_return Corrupt(game_id);
  }
  StoredGame stored;
  stored.game = std::move(game);
  stored.version = document.version;
  stored.progress = ProgressOf(body);
  stored.due = body.due();
  stored.fresh = true;
  Remember(game_id, stored);
  co_return stored;
}

StagedGame GameStore::Stage(const StoredGame& stored, const std::vector<Event>& events) {
  if (events.empty()) return {stored.game, {}};
  auto game = std::make_shared<Game>(*stored.game);
  StagedGame staged;
  staged.payloads.reserve(events.size());
  for (const Event& event : events) {
    staged.payloads.push_back(ToStored(*game, event).SerializeAsString());
    Apply(*game, event);
  }
  staged.game = std::move(game);
  return staged;
}

Task<GameAttempt> GameStore::Append(StoredGame stored, StagedGame staged, Marks marks,
                                    std::vector<PlayerChange> announcements) {
  const std::string game_id = stored.game->id;
  Transaction transaction;
  transaction.partition = PartitionOf(game_id);
  Change& change = transaction.changes.emplace_back();
  change.name = game_id;
  change.expected_version = stored.version;
  change.events = std::move(staged.payloads);
  change.put_body = BodyOf(*staged.game, marks);
  AddIndexes(change, stored, *staged.game, marks);
  for (PlayerChange& announcement : announcements) {
    transaction.announcements.push_back(
        {PlayerChannel(announcement.player_id), std::move(announcement.payload)});
  }
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  if (!outcome->committed()) co_return livestore::LostRace{};
  StoredGame committed;
  committed.game = std::move(staged.game);
  committed.version = outcome->documents.front().version;
  committed.progress = marks.progress;
  committed.due = marks.todo.has_value();
  committed.fresh = true;
  Remember(game_id, committed);
  co_return committed;
}

Task<Result<pb::GameEvent>> GameStore::ReadEvent(std::string game_id, std::int64_t sequence) {
  Result<livestore::JournalPage> page =
      co_await store_.ReadJournal(PartitionOf(game_id), game_id, sequence - 1, 1);
  if (!page) co_return std::move(page).error();
  internal::v1::StoredEvent stored;
  if (page->events.empty() || page->events.front().sequence != sequence ||
      !stored.ParseFromString(page->events.front().payload)) {
    co_return Corrupt(game_id);
  }
  co_return std::move(*stored.mutable_event());
}

Task<Status> GameStore::AddToPlayer(std::string player_id, std::string game_id,
                                    TimePoint created_at) {
  Transaction transaction;
  transaction.partition = PlayerPartition(player_id);
  Change& change = transaction.changes.emplace_back();
  change.name = PlayerDocument(player_id, game_id);
  change.expected_version = livestore::kAbsent;  // a conflict: it is there, or was there and left
  change.indexes.push_back({PlayerIndex(player_id), -ToUnixMillis(created_at)});
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  co_return Status();
}

Task<Status> GameStore::RemoveFromPlayer(std::string player_id, std::string game_id) {
  Transaction transaction;
  transaction.partition = PlayerPartition(player_id);
  Change& change = transaction.changes.emplace_back();
  change.name = PlayerDocument(player_id, game_id);
  change.expected_version = livestore::kAnyVersion;
  // What stays for a while keeps an addition that was on its way from coming after this.
  change.put_body = "";
  change.indexes.push_back({PlayerIndex(player_id), std::nullopt});
  change.time_to_live = kKeepAfterEnd;
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  co_return Status();
}

Task<Result<std::vector<std::string>>> GameStore::GamesOfPlayer(std::string player_id) {
  livestore::IndexQuery query;
  query.partition = PlayerPartition(player_id);
  query.index = PlayerIndex(player_id);
  query.limit = 100;
  Result<std::vector<livestore::IndexEntry>> entries = co_await store_.ReadIndex(std::move(query));
  if (!entries) co_return std::move(entries).error();
  std::vector<std::string> games;
  for (const livestore::IndexEntry& entry : *entries) {
    games.push_back(entry.name.substr(player_id.size() + 1));
  }
  co_return games;
}

Task<Result<std::int64_t>> GameStore::CountGamesOfPlayer(std::string player_id) {
  return store_.CountIndex(PlayerPartition(player_id), PlayerIndex(player_id),
                           -livestore::kMaxScore, livestore::kMaxScore);
}

Task<Result<std::vector<std::string>>> GameStore::Due(int shard, TimePoint now, int limit) {
  livestore::IndexQuery query;
  query.partition = "game:" + std::to_string(shard);
  query.index = kTodo;
  query.max_score = ToUnixMillis(now);
  query.limit = limit;
  Result<std::vector<livestore::IndexEntry>> entries = co_await store_.ReadIndex(std::move(query));
  if (!entries) co_return std::move(entries).error();
  std::vector<std::string> games;
  for (livestore::IndexEntry& entry : *entries) games.push_back(std::move(entry.name));
  co_return games;
}

}  // namespace komadai::game
