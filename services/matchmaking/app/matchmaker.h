// Matchmaker: the waves that pair all who wait, and the sweep that finishes what was left behind.
//
// One replica at a time does both, by a lease. Correctness does not depend on the lease: two waves
// at once only make each other's commits conflict. Pairing is one commit that changes both seeks or
// neither, and a cancellation is a commit on the same document, so exactly one of the two happens.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/random.h"
#include "services/matchmaking/app/pair_finisher.h"
#include "services/matchmaking/app/waiting_room.h"
#include "services/matchmaking/metrics.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

class Matchmaker {
 public:
  // How long after its last wave another replica takes over from one that died.
  static constexpr Millis kLease{3000};
  // How long the replica that made a pair has to create its game before a sweep asks too.
  static constexpr Millis kPairedGrace{2000};

  Matchmaker(SeekStore& store, PairFinisher& finisher, RatingPort& ratings, Random& random,
             const TimeSource& time, MatchMetrics& metrics)
      : store_(store),
        finisher_(finisher),
        ratings_(ratings),
        random_(random),
        time_(time),
        metrics_(metrics),
        room_(store),
        replica_(RandomId(random)) {}

  // Pairs all who can be paired, if this replica has the lease. One call at a time.
  Task<void> Wave();
  // The same without the lease.
  Task<void> PairAll();
  // If this replica has the lease: expires what nobody watches or answers, and asks again for the
  // games of pairs that have none yet. One call at a time, also during a wave.
  Task<void> Sweep();
  // Gives up the lease, so that another replica takes over at once.
  Task<void> HandOver();

 private:
  using Waiters = std::vector<std::shared_ptr<Waiter>>;
  struct Pair {
    std::shared_ptr<Waiter> a;
    std::shared_ptr<Waiter> b;  // null: the computer
    std::uint64_t pool = 0;
  };

  SeekStore::Lease lease() const;
  bool IsSomebodyElses(TimePoint now) const;
  Task<bool> HoldLease(TimePoint now);
  std::vector<Pair> FindPairs(const Waiters& waiters, TimePoint now);
  Task<void> Commit(Pair pair, TimePoint now);
  Task<bool> MayPlay(Pair pair);
  Task<void> TellPace(std::vector<Pair> pairs, TimePoint now);
  Task<void> Expire(std::string seek_id);
  Task<void> EndOfferOf(std::string seek_id, TimePoint now);

  SeekStore& store_;
  PairFinisher& finisher_;
  RatingPort& ratings_;
  Random& random_;
  const TimeSource& time_;
  MatchMetrics& metrics_;
  WaitingRoom room_;
  const std::string replica_;
  // Of PairAll() alone.
  std::uint64_t turn_ = 0;
  std::map<std::string, double> pace_;  // average wait by kind, milliseconds

  mutable Mutex mutex_;
  SeekStore::Lease lease_ KOMADAI_GUARDED_BY(mutex_);  // as last read
};

}  // namespace komadai::matchmaking
