// SeekStore: seeks and what pairing them needs, on a livestore. Knows the keys, decides nothing.
//
// All of it lives in one partition, so that one commit pairs two seeks or none. A player's document
// there points to their seek: two seeks of one player at once would have to change it together.
// Indexes: "waiting" and "waiting/<variant>" by the instant since which a seek waits, "offered" by
// the instant until which an offer can be answered, "paired" (games to be created) by the instant
// of pairing, and "unwatched" by the instant at which a seek that nobody watches expires.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

namespace pb = ::komadai::matchmaking::v1;

struct WaitingSeek {
  std::string seek_id;
  std::int64_t since_ms = 0;
};

class SeekStore {
 public:
  explicit SeekStore(livestore::LiveStore& store) : store_(store) {}

  static constexpr char kPartition[] = "queue";
  static std::string DocumentOf(const std::string& seek_id) { return "seek/" + seek_id; }

  // An entry that does not exist has version kAbsent.
  Task<Result<SeekEntry>> Load(std::string seek_id);
  // In the order of `seek_ids`, which may be any number.
  Task<Result<std::vector<SeekEntry>>> LoadAll(std::vector<std::string> seek_ids);

  struct PlayerState {
    std::string seek_id;  // the player's latest seek, open or not
    livestore::Version owner_version = livestore::kAbsent;
    HistoryEntry history;
  };
  Task<Result<PlayerState>> StateOf(std::string player_id);
  Task<Result<HistoryEntry>> HistoryOf(std::string player_id);

  // Commits all of them together, with the indexes of each seek's state. False: a conflict.
  // `owner_version`: of the player's document, which then points to the new seek.
  Task<Result<bool>> PutNew(SeekEntry seek, livestore::Version owner_version,
                            TimePoint unwatched_at);
  Task<Result<bool>> Put(std::vector<SeekEntry> seeks);
  struct PlayerHistory {
    std::string player_id;
    HistoryEntry entry;
  };
  // Seeks together with their players' histories.
  Task<Result<bool>> Put(std::vector<SeekEntry> seeks, std::vector<PlayerHistory> histories);

  // They are watched: none of them expires before `unwatched_at`.
  Task<Status> Touch(std::vector<std::string> seek_ids, TimePoint unwatched_at);
  // The seek is closed: it needs no watching.
  Task<Status> ForgetWatch(std::string seek_id);

  // All who wait, the longest first; of one variant ("shogi") or all.
  Task<Result<std::vector<WaitingSeek>>> Waiting();
  Task<Result<std::vector<WaitingSeek>>> Waiting(std::string variant, int limit);
  Task<Result<std::int64_t>> CountWaiting(std::string variant);
  Task<Result<std::vector<std::string>>> PairedBefore(TimePoint instant);
  Task<Result<std::vector<std::string>>> OfferedUntil(TimePoint instant);
  Task<Result<std::vector<std::string>>> UnwatchedBefore(TimePoint instant);

  // Takes or keeps the job for `holder` until `until`; false: somebody else has it. `now` tells
  // whether theirs has lapsed.
  struct Lease {
    bool held = false;
    TimePoint until;  // of this holder or another
  };
  Task<Result<Lease>> TakeLease(std::string job, std::string holder, TimePoint now,
                                TimePoint until);

  // How long matched seeks of a kind of game had waited; 0: not known. Best effort.
  Task<Result<std::int64_t>> AverageWait(std::string kind);
  Task<Status> SetAverageWait(std::string kind, std::int64_t wait_ms);

  livestore::LiveStore& livestore() { return store_; }

 private:
  Task<Result<std::vector<std::string>>> Before(std::string index, TimePoint instant);

  livestore::LiveStore& store_;
};

}  // namespace komadai::matchmaking
