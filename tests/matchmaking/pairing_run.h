// PairingRun: the same arrivals paired in different ways, in virtual time.
#pragma once

#include <string>
#include <vector>

#include "tests/matchmaking/arrivals.h"

namespace komadai::matchmaking {

struct PairMade {
  Millis waited_a{0};
  Millis waited_b{0};
  int difference = 0;  // of the ratings, in points
};

struct PairingRun {
  std::string how;
  std::vector<PairMade> pairs;
  int left = 0;  // without an opponent at the end
  // What must not happen: seeks that waited longer than the bound while they had a legal partner, a
  // player in two pairs, an illegal pair.
  std::vector<std::string> breaches;

  std::vector<double> Waits() const;        // seconds, sorted
  std::vector<double> Differences() const;  // points, sorted
};

// By the service: desk, waves every half second, store; three replicas on one store in memory.
PairingRun ByWaves(const std::vector<Arrival>& arrivals, std::uint64_t seed);
// Each arrival takes the longest waiting legal partner, however far their ratings are apart.
PairingRun FirstCome(const std::vector<Arrival>& arrivals);
// The same within the rating windows of the waves, tried again every half second.
PairingRun FirstComeInWindows(const std::vector<Arrival>& arrivals);

// One line per run.
std::string TableOf(const std::vector<PairingRun>& runs);
// The value below which `share` of the sorted values lie; 0 if there are none.
double Quantile(const std::vector<double>& sorted, double share);

}  // namespace komadai::matchmaking
