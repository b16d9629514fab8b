// ClockStore: clocks on a LiveStore. Knows the keys, the journal and the index; decides nothing.
//
// One document per game in the partition of its shard, "clock:<shard>". The body is the clock, the
// journal its presses, the index "deadlines" says when the running side loses on time. All of that
// changes in one commit. A stopped clock leaves the index and vanishes after a day.
//
// Thread-safe. Commits are optimistic: the version that the caller decided on is compared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/until_committed.h"
#include "services/clock/domain/live_clock.h"
#include "services/clock/store/clock_codec.h"

namespace komadai::clock {

struct StoredClock {
  LiveClock clock;
  livestore::Version version = livestore::kAbsent;
  livestore::Sequence presses = 0;  // in the journal, forgotten ones included
};

class ClockStore {
 public:
  static constexpr int kShards = 64;
  // How far back takebacks and repeats of presses reach; one page of the journal.
  static constexpr std::int64_t kKeptPresses = livestore::kMaxPage;
  static constexpr Millis kStoppedClockLives{std::int64_t{24} * 3600 * 1000};

  explicit ClockStore(livestore::LiveStore& store) : store_(store) {}

  static int ShardOf(const std::string& game_id);

  // nullopt: no such clock.
  Task<Result<std::optional<StoredClock>>> Load(std::string game_id);

  // Creates the clock if `version` is kAbsent, else replaces that version. `record`: a press to
  // keep. Answers the clock as committed. A lost race: it has changed, or exists already.
  Task<livestore::Attempt<StoredClock>> Save(std::string game_id, StoredClock stored,
                                             std::optional<PressRecord> record);

  // The latest press at `ply`; nullopt if it is unknown.
  Task<Result<std::optional<PressRecord>>> FindPress(std::string game_id, int ply);

  // Running clocks of a shard whose deadline is at or before `until`, the earliest first. Continue
  // behind the last entry for more than livestore::kMaxPage.
  Task<Result<std::vector<livestore::IndexEntry>>> Deadlines(
      int shard, TimePoint until, std::optional<livestore::IndexEntry> after);
  // How many clocks of a shard run against a deadline.
  Task<Result<std::int64_t>> CountRunning(int shard);

  // Clocks of one shard beside `game_ids`. Unreadable ones are absent.
  Task<Result<std::vector<std::optional<StoredClock>>>> LoadMany(int shard,
                                                                 std::vector<std::string> game_ids);

  // Lets the flag fall, if it has not, and tells all processes, if the clock is still `stored`;
  // false if it is not.
  Task<Result<bool>> Announce(AnnouncedExpiry announced, StoredClock stored);
  // Announcements of all processes, this one included. The handler runs on a thread of the store.
  std::unique_ptr<livestore::Subscription> SubscribeExpiries(
      std::function<void(const AnnouncedExpiry&)> handler);

  Task<Status> Ping() { return store_.Ping(); }

 private:
  livestore::LiveStore& store_;
};

}  // namespace komadai::clock
