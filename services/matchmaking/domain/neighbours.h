// Neighbours: the seekers of a wave by rating, and who is near whom. Pure; used by wave.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "services/matchmaking/domain/seeker.h"

namespace komadai::matchmaking {

struct Edge {
  int a = 0;  // ranks by rating; a < b
  int b = 0;
  std::int64_t gain = 0;
};

class Neighbours {
 public:
  Neighbours(const std::vector<const Seeker*>& seekers, TimePoint now);

  int size() const { return static_cast<int>(order_.size()); }
  // By rank: 0 is the weakest.
  const Seeker& seeker(int rank) const { return *seekers_[order_[static_cast<std::size_t>(rank)]]; }
  std::size_t place(int rank) const { return order_[static_cast<std::size_t>(rank)]; }

  // The pairs that gain, each once: every seeker with its nearest above, and the overdue ones with
  // the nearest on both sides.
  std::vector<Edge> Edges(std::uint64_t turn);
  // The nearest legal partner of an overdue seeker for which `free` is true; -1: none.
  template <typename Free>
  int NearestFree(int rank, const Free& free);
  // Ranks of overdue seekers, the longest waiting first, turned by `turn`.
  std::vector<int> OverdueRanks(std::uint64_t turn) const;

 private:
  static constexpr int kNeighbours = 8;      // of each list
  static constexpr int kLook = 24;           // places looked at for them
  static constexpr std::size_t kEdges = 12;  // of all lists, the best
  // Seekers of one pool and one wish, by rank.
  using List = std::vector<int>;
  struct Pool {
    std::array<List, 3> by_wish;  // none, first, second
  };

  // Whether the wish of the seeker goes with the list's.
  static bool Meets(const Seeker& seeker, std::size_t list);
  // Calls `visit(rank)` for the places of the list beside `rank`, nearest first, until it returns
  // false.
  template <typename Visit>
  void Outward(const List& list, int rank, const Visit& visit);
  void AddAbove(int rank, std::vector<Edge>& edges);
  void AddAround(int rank, std::vector<Edge>& edges);
  // Moves the best of near_ to `edges`.
  void KeepBest(std::vector<Edge>& edges);

  const std::vector<const Seeker*>& seekers_;
  const TimePoint now_;
  std::vector<std::size_t> order_;
  std::unordered_map<std::uint64_t, Pool> pools_;
  std::int64_t looks_left_;  // at places far away
  std::vector<Edge> near_;   // of one seeker, while they are found
};

// ---- implementation ----

template <typename Visit>
void Neighbours::Outward(const List& list, int rank, const Visit& visit) {
  auto above = std::upper_bound(list.begin(), list.end(), rank);
  auto below = std::lower_bound(list.begin(), list.end(), rank);
  while (above != list.end() || below != list.begin()) {
    const bool up =
        below == list.begin() ||
        (above != list.end() && seeker(*above).strength() - seeker(rank).strength() <=
                                    seeker(rank).strength() - seeker(*(below - 1)).strength());
    const int next = up ? *above++ : *--below;
    if (--looks_left_ < 0 || !visit(next)) return;
  }
}

template <typename Free>
int Neighbours::NearestFree(int rank, const Free& free) {
  const Seeker& own = seeker(rank);
  int best = -1;
  std::int64_t best_gain = 0;
  for (const std::uint64_t pool : own.pools) {
    const Pool& lists = pools_[pool];
    for (std::size_t wish = 0; wish < lists.by_wish.size(); ++wish) {
      if (!Meets(own, wish)) continue;
      Outward(lists.by_wish[wish], rank, [&](int other) {
        if (!free(other) || !Legal(own, seeker(other))) return true;
        const std::int64_t gain = Gain(own, seeker(other), now_);
        if (best < 0 || gain > best_gain) {
          best = other;
          best_gain = gain;
        }
        return false;
      });
    }
  }
  return best;
}

}  // namespace komadai::matchmaking
