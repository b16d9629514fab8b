// GameStore: live games on a livestore. Knows the keys, the journal and the cache; decides nothing.
//
// One document per game in the partition of its shard; its journal is the game (fold of its
// events), its body is what lists show and what is left to do. Indexes of a shard: "live",
// "live/<variant>" (newest first: scores are negative creation times) and "todo" (when to look
// after the game again). A player's games are documents of their own in the partition of the
// player's shard, so that a player's list never visits the games' shards.
//
// Thread-safe. Commits are optimistic: the version of the StoredGame one decided on is compared.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/lru_cache.h"
#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/until_committed.h"
#include "services/game/convert.h"
#include "services/game/domain/game.h"

namespace komadai::game {

// What the service has done for a game so far.
struct Progress {
  bool started = false;         // the clock runs and the players' lists know the game
  bool archived = false;        // the archive and the ratings have it
  bool replay_created = false;  // the game that replays this drawn one exists
  std::int64_t clock_told = 0;  // the clock knows what concerns it up to this event
};

// A game as of one version of its document.
struct StoredGame {
  std::shared_ptr<const Game> game;  // never null
  livestore::Version version = livestore::kAbsent;
  Progress progress;
  bool due = false;    // stands in the index "todo"
  bool fresh = false;  // read from the store in this call, not from the cache
};

// A game that was read from the store in this call: what must not be done on an old version takes
// one of these.
class FreshGame {
 public:
  explicit FreshGame(StoredGame stored) : stored_(std::move(stored)) {
    KOMADAI_CHECK(stored_.fresh);
  }
  const StoredGame* operator->() const { return &stored_; }
  const StoredGame& operator*() const { return stored_; }

 private:
  StoredGame stored_;
};

// What became of one attempt to commit a change of a game; the game after it.
using GameAttempt = livestore::Attempt<StoredGame>;

// What a commit changes beside the events.
struct Marks {
  Progress progress;
  // When the sweep should look after the game; not set: nothing is left to be done.
  std::optional<TimePoint> todo;
};

// The next version of a game, ready to be committed.
struct StagedGame {
  std::shared_ptr<const Game> game;
  std::vector<std::string> payloads;  // its new events, as the journal keeps them
};

// A page of the newest live games.
struct LivePage {
  std::vector<pb::GameSummary> games;
  std::string next_page_token;
};

struct PlayerChange {
  std::string player_id;
  std::string payload;
};

class GameStore {
 public:
  static constexpr int kShards = 64;

  GameStore(livestore::LiveStore& store, std::size_t cache_limit)
      : store_(store), cache_(cache_limit) {}

  static std::string PartitionOf(const std::string& game_id);
  static std::string PlayerChannel(const std::string& player_id);

  // The game; if `cached_will_do`, possibly an old version from the cache: good enough to decide a
  // commit (which compares the version), not to refuse one. GAME_NOT_FOUND, CORRUPT_GAME.
  Task<Result<StoredGame>> Fetch(std::string game_id, bool cached_will_do);
  // The game as it stands. GAME_NOT_FOUND, CORRUPT_GAME.
  Task<Result<StoredGame>> Load(std::string game_id);

  // `stored` after `events` (possibly none). Pure; the one copy of a game that a move makes.
  static StagedGame Stage(const StoredGame& stored, const std::vector<Event>& events);
  // Commits what was staged, and marks, on top of `stored`. `stored` without a version creates.
  Task<GameAttempt> Append(StoredGame stored, StagedGame staged, Marks marks,
                           std::vector<PlayerChange> announcements);

  // The move event with this sequence number, to answer a repeat.
  Task<Result<pb::GameEvent>> ReadEvent(std::string game_id, std::int64_t sequence);

  Task<Result<LivePage>> ListLive(std::optional<Variant> variant, int page_size,
                                  std::string page_token);
  // How many games of the variant are live; from the store, or the last answer if that is younger
  // than a second.
  Task<Result<std::int64_t>> CountLive(Variant variant, TimePoint now);

  // A player's games in progress, newest first, at most 100. Idempotent both; what has been removed
  // is not added again.
  Task<Status> AddToPlayer(std::string player_id, std::string game_id, TimePoint created_at);
  Task<Status> RemoveFromPlayer(std::string player_id, std::string game_id);
  Task<Result<std::vector<std::string>>> GamesOfPlayer(std::string player_id);
  Task<Result<std::int64_t>> CountGamesOfPlayer(std::string player_id);

  // Games of a shard that are due to be looked after, at most `limit`.
  Task<Result<std::vector<std::string>>> Due(int shard, TimePoint now, int limit);

  livestore::LiveStore& livestore() { return store_; }

 private:
  void Remember(const std::string& game_id, StoredGame stored);

  livestore::LiveStore& store_;
  LruCache<StoredGame> cache_;
  struct LiveCount {
    std::int64_t games = 0;
    TimePoint at;
  };
  Mutex mutex_;
  std::map<Variant, LiveCount> live_counts_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::game
