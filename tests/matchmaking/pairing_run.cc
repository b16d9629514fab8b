#include "tests/matchmaking/pairing_run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "services/matchmaking/app/seeks.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kTick{500};
constexpr TimePoint kBegin{Millis{1'700'000'000'000}};
constexpr Millis kAfterwards{120'000};  // for those who still wait after the last arrival

struct Waiting {
  Seeker seeker;
  bool paired = false;
};

Seeker SeekerOf(const Arrival& arrival) {
  Seeker seeker;
  seeker.seek_id = arrival.wish.seek_id;
  seeker.player_id = arrival.wish.player.player_id();
  const pb::GameTerms& terms = arrival.wish.terms;
  seeker.pools.push_back(PoolNumber(PoolOf(terms, terms.time_control())));
  for (const common_pb::TimeControl& other : arrival.wish.other_controls) {
    seeker.pools.push_back(PoolNumber(PoolOf(terms, other)));
  }
  if (arrival.wish.wish == pb::SIDE_WISH_FIRST) seeker.wish = Side::kFirst;
  if (arrival.wish.wish == pb::SIDE_WISH_SECOND) seeker.wish = Side::kSecond;
  if (arrival.rating > 0) seeker.rating = arrival.rating;
  seeker.range = arrival.wish.rating_range;
  seeker.since = kBegin + arrival.at;
  return seeker;
}

void Pair(Waiting& a, Waiting& b, TimePoint now, PairingRun& run) {
  a.paired = b.paired = true;
  run.pairs.push_back({now - a.seeker.since, now - b.seeker.since,
                       std::abs(a.seeker.strength() - b.seeker.strength())});
}

// The longest waiting partner that is permitted.
template <typename WillDo>
void TakeFirst(std::vector<Waiting>& waiting, std::size_t i, TimePoint now, PairingRun& run,
               const WillDo& will_do) {
  for (std::size_t j = 0; j < waiting.size() && !waiting[i].paired; ++j) {
    if (j == i || waiting[j].paired || !Legal(waiting[i].seeker, waiting[j].seeker)) continue;
    if (will_do(waiting[i].seeker, waiting[j].seeker)) Pair(waiting[i], waiting[j], now, run);
  }
}

void DropPaired(std::vector<Waiting>& waiting) {
  std::erase_if(waiting, [](const Waiting& one) { return one.paired; });
}

}  // namespace

std::vector<double> PairingRun::Waits() const {
  std::vector<double> waits;
  for (const PairMade& pair : pairs) {
    waits.push_back(static_cast<double>(pair.waited_a.count()) / 1000);
    waits.push_back(static_cast<double>(pair.waited_b.count()) / 1000);
  }
  std::sort(waits.begin(), waits.end());
  return waits;
}

std::vector<double> PairingRun::Differences() const {
  std::vector<double> differences;
  for (const PairMade& pair : pairs) differences.push_back(pair.difference);
  std::sort(differences.begin(), differences.end());
  return differences;
}

PairingRun FirstCome(const std::vector<Arrival>& arrivals) {
  PairingRun run;
  run.how = "first come, anybody";
  std::vector<Waiting> waiting;
  for (const Arrival& arrival : arrivals) {
    waiting.push_back({SeekerOf(arrival)});
    TakeFirst(waiting, waiting.size() - 1, kBegin + arrival.at, run,
              [](const Seeker&, const Seeker&) { return true; });
    DropPaired(waiting);
  }
  run.left = static_cast<int>(waiting.size());
  return run;
}

PairingRun FirstComeInWindows(const std::vector<Arrival>& arrivals) {
  PairingRun run;
  run.how = "first come, same windows";
  std::vector<Waiting> waiting;
  std::size_t next = 0;
  const Millis end = arrivals.back().at + kAfterwards;
  for (Millis at{0}; at <= end; at += kTick) {
    while (next < arrivals.size() && arrivals[next].at <= at) {
      waiting.push_back({SeekerOf(arrivals[next++])});
    }
    const TimePoint now = kBegin + at;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].paired) continue;
      TakeFirst(waiting, i, now, run,
                [now](const Seeker& a, const Seeker& b) { return Gain(a, b, now) > 0; });
    }
    DropPaired(waiting);
  }
  run.left = static_cast<int>(waiting.size());
  return run;
}

double Quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
  return sorted[place];
}

std::string TableOf(const std::vector<PairingRun>& runs) {
  std::string table =
      "                            pairs   left |  waited s: p50    p90    p99    max |"
      " difference: mean  p50  p90  p99   max\n";
  for (const PairingRun& run : runs) {
    const std::vector<double> waits = run.Waits();
    const std::vector<double> differences = run.Differences();
    double sum = 0;
    for (const double difference : differences) sum += difference;
    const double mean = differences.empty() ? 0 : sum / static_cast<double>(differences.size());
    char line[256];
    std::snprintf(line, sizeof line,
                  "%-26s %6zu %6d |       %6.1f %6.1f %6.1f %6.1f |        %6.0f %5.0f %4.0f %4.0f "
                  "%5.0f\n",
                  run.how.c_str(), run.pairs.size(), run.left, Quantile(waits, 0.5),
                  Quantile(waits, 0.9), Quantile(waits, 0.99), Quantile(waits, 1), mean,
                  Quantile(differences, 0.5), Quantile(differences, 0.9),
                  Quantile(differences, 0.99), Quantile(differences, 1));
    table += line;
  }
  return table;
}

}  // namespace komadai::matchmaking
