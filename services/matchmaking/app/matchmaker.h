// Matchmaker: the waves that pair all who wait, and the sweep that mends what was left behind.
//
// One replica at a time does both, by a lease; correctness does not depend on it. Two waves at once
// would only make each other's commits conflict: pairing is one commit that changes both seeks or
// neither, a cancellation is a commit on the same document, so exactly one of the two happens.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

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
  // How long whoever made a pair has for its game before a sweep asks too.
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

  // If this replica's turn: pairs who can be paired. One at a time.
  Task<void> Wave();
  // The same, whosever turn it is.
  Task<void> PairAll();
  // If this replica's turn: expires what nobody watches or answers, and asks again for the games of
  // pairs that were left without. One at a time, but beside a wave.
  Task<void> Sweep();
  // Lets another replica take over at once.
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
  mutable std::mutex mutex_;
  SeekStore::Lease lease_;  // as last heard
  std::uint64_t turn_ = 0;
  std::map<std::string, double> pace_;  // average wait by kind, milliseconds
};

}  // namespace komadai::matchmaking
