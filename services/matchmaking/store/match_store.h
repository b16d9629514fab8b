// MatchStore: seeks, challenges and rematch wishes on a livestore. Knows the keys, decides nothing.
//
// All seeks live in one partition, so that one commit pairs two of them or none. A player's
// document there points to their seek: two seeks of one player at once would have to change it
// together. Indexes of that partition: "waiting" (for the lobby), "pool/<pool>", "paired" (games to
// be created) by time of entry, and "unwatched" by the instant at which a seek nobody watches
// expires.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "komadai/internal/v1/match.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/live_store.h"

namespace komadai::matchmaking {

namespace stored_pb = ::komadai::internal::v1;

template <typename Proto>
struct Versioned {
  Proto value;
  livestore::Version version = livestore::kAbsent;
  bool exists() const { return version != livestore::kAbsent; }
};
using SeekEntry = Versioned<stored_pb::StoredSeek>;
using ChallengeEntry = Versioned<stored_pb::StoredChallenge>;
using RematchEntry = Versioned<stored_pb::StoredRematch>;

class MatchStore {
 public:
  explicit MatchStore(livestore::LiveStore& store) : store_(store) {}

  static constexpr char kSeeks[] = "seeks";  // the partition

  // An entry that does not exist has version kAbsent.
  Task<Result<SeekEntry>> LoadSeek(std::string seek_id);
  // The seek a player's document points to; empty id if none, version of the document.
  Task<Result<Versioned<std::string>>> SeekOfPlayer(std::string player_id);

  // Commits seeks (with their indexes as their state says) together; false: a conflict.
  // `owner_version` is the version of the owner's document when a new seek takes it over.
  Task<Result<bool>> PutNewSeek(SeekEntry seek, livestore::Version owner_version,
                                TimePoint unwatched_at);
  Task<Result<bool>> PutSeeks(std::vector<SeekEntry> seeks);
  // Somebody watches: not to be expired before `unwatched_at`.
  Task<Status> Touch(std::string seek_id, TimePoint unwatched_at);
  // The seek is closed: it needs no watching.
  Task<Status> ForgetWatch(std::string seek_id);

  Task<Result<std::vector<std::string>>> WaitingInPool(std::string pool, int limit);
  Task<Result<std::vector<std::string>>> Waiting(int limit);
  Task<Result<std::int64_t>> CountWaiting();
  Task<Result<std::int64_t>> CountPool(std::string pool);
  Task<Result<std::vector<std::string>>> PairedBefore(TimePoint instant, int limit);
  Task<Result<std::vector<std::string>>> UnwatchedBefore(TimePoint instant, int limit);

  Task<Result<ChallengeEntry>> LoadChallenge(std::string challenge_id);
  Task<Result<bool>> PutChallenge(ChallengeEntry challenge);
  Task<Result<std::vector<std::string>>> ChallengesToFinish(int shard);

  Task<Result<RematchEntry>> LoadRematch(std::string game_id);
  Task<Result<bool>> PutRematch(std::string game_id, RematchEntry rematch);

  static constexpr int kShards = 16;  // of challenges and rematches
  livestore::LiveStore& livestore() { return store_; }

 private:
  Task<Result<std::vector<std::string>>> Names(livestore::IndexQuery query);
  Task<Result<bool>> Commit(livestore::Transaction transaction);

  livestore::LiveStore& store_;
};

}  // namespace komadai::matchmaking
