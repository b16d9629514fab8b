#include "tests/chaos/schedule.h"

#include <algorithm>
#include <utility>

#include "libs/base/random.h"

namespace komadai::chaos {
namespace {

constexpr std::int64_t kShortestMs = 100;
constexpr std::int64_t kLongestMs = 3000;
constexpr std::int64_t kLongestStallMs = 1500;
constexpr std::uint64_t kKillsOfTen = 7;
constexpr std::uint64_t kDrainsOfTen = 1;

std::int64_t Between(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(high - low + 1)));
}

Fault::Kind KindFor(const Part& part, bool first_round, Random& random) {
  const std::uint64_t lot = random.Below(10);
  if (part.only_kills || first_round || lot < kKillsOfTen) return Fault::Kind::kKill;
  return lot < kKillsOfTen + kDrainsOfTen ? Fault::Kind::kDrain : Fault::Kind::kStall;
}

}  // namespace

const char* NameOf(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::kKill:
      return "kill";
    case Fault::Kind::kDrain:
      return "drain";
    case Fault::Kind::kStall:
      return "stall";
  }
  return "";
}

std::vector<Fault> MakeRollingRestart(Millis duration, Millis gap, const std::vector<Part>& parts) {
  std::vector<Fault> faults;
  std::size_t next = 0;
  for (Millis at = gap; at < duration && !parts.empty(); at += gap) {
    const Part& part = parts[next++ % parts.size()];
    faults.push_back({.at = at, .part = part.name, .kind = Fault::Kind::kDrain});
  }
  return faults;
}

Millis GapFor(Millis duration, std::size_t parts, Millis gap) {
  // Each pause is at most one and a half gaps.
  const auto pauses = static_cast<std::int64_t>(parts) * 3 / 2 + 1;
  return std::min(gap, duration / pauses);
}

std::vector<Fault> MakeSchedule(std::uint64_t seed, Millis duration, Millis gap,
                                const std::vector<Part>& parts) {
  std::vector<Fault> faults;
  if (parts.empty()) return faults;
  SeededRandom random(seed);
  std::vector<Part> round;
  bool first_round = true;
  Millis at{0};
  for (;;) {
    if (round.empty()) {
      first_round = faults.empty();
      round = parts;
      for (std::size_t i = round.size(); i > 1; --i) {
        std::swap(round[i - 1], round[random.Below(i)]);
      }
    }
    at += Millis(Between(random, gap.count() / 2, gap.count() * 3 / 2));
    if (at >= duration) return faults;
    const Part part = std::move(round.back());
    round.pop_back();
    Fault fault;
    fault.at = at;
    fault.part = part.name;
    fault.kind = KindFor(part, first_round, random);
    const bool stall = fault.kind == Fault::Kind::kStall;
    fault.lasts = Millis(Between(random, kShortestMs, stall ? kLongestStallMs : kLongestMs));
    faults.push_back(std::move(fault));
  }
}

}  // namespace komadai::chaos
