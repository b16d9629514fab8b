#include "tests/matchmaking/arrivals.h"

#include <algorithm>
#include <cmath>

#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

constexpr std::int64_t kControls[] = {180'000, 600'000, 1'800'000};  // main time

class Maker {
 public:
  explicit Maker(const ArrivalPlan& plan) : plan_(plan), random_(plan.seed) {}

  Arrival Next(int number) {
    // Poisson: the pauses between arrivals are exponential.
    at_ -= std::log(Uniform()) * static_cast<double>(plan_.over.count()) / plan_.players;
    Arrival arrival;
    arrival.at = Millis(static_cast<std::int64_t>(at_));
    arrival.rating = Chance(7) ? 0 : Rating();
    const auto variant = Chance(3) ? common_pb::VARIANT_XIANGQI : common_pb::VARIANT_SHOGI;
    const int control = Control();
    const std::string id = "p" + std::to_string(number);
    arrival.wish = Replica::Wish("seek-" + id, id, Terms(kControls[control], variant));
    if (Chance(3)) {
      const int other = (control + 1) % 3;
      arrival.wish.other_controls = {Terms(kControls[other], variant).time_control()};
    }
    if (Chance(7)) arrival.wish.wish = Chance(2) ? pb::SIDE_WISH_FIRST : pb::SIDE_WISH_SECOND;
    if (Chance(10)) arrival.wish.rating_range = 100 + static_cast<int>(random_.Below(400));
    return arrival;
  }

 private:
  // Above 0, at most 1.
  double Uniform() { return (static_cast<double>(random_.Below(1'000'000)) + 1) / 1e6; }
  bool Chance(std::uint64_t in) { return random_.Below(in) == 0; }
  int Rating() {
    double sum = -6;  // the sum of twelve is nearly normal, and the same on every machine
    for (int i = 0; i < 12; ++i) sum += Uniform();
    return std::clamp(static_cast<int>(1400 + 300 * sum), 400, 2600);
  }
  int Control() {
    const std::uint64_t share = random_.Below(20);
    return share < 10 ? 0 : share < 17 ? 1 : 2;
  }

  const ArrivalPlan plan_;
  SeededRandom random_;
  double at_ = 0;
};

}  // namespace

std::vector<Arrival> MakeArrivals(const ArrivalPlan& plan) {
  Maker maker(plan);
  std::vector<Arrival> arrivals;
  for (int i = 0; i < plan.players; ++i) arrivals.push_back(maker.Next(i));
  return arrivals;
}

}  // namespace komadai::matchmaking
