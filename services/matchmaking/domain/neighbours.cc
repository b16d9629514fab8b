#include "services/matchmaking/domain/neighbours.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace komadai::matchmaking {
namespace {

constexpr std::int64_t kLooksEach = 64;

std::size_t ListOf(const Seeker& seeker) {
  if (!seeker.wish) return 0;
  return *seeker.wish == Side::kFirst ? 1 : 2;
}

void DropDoubles(std::vector<Edge>& edges) {
  const auto ends = [](const Edge& edge) { return std::pair(edge.a, edge.b); };
  std::sort(edges.begin(), edges.end(),
            [&](const Edge& a, const Edge& b) { return ends(a) < ends(b); });
  const auto same = [&](const Edge& a, const Edge& b) { return ends(a) == ends(b); };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
}

}  // namespace

Neighbours::Neighbours(const std::vector<const Seeker*>& seekers, TimePoint now)
    : seekers_(seekers),
      now_(now),
      order_(seekers.size()),
      looks_left_(kLooksEach * static_cast<std::int64_t>(seekers.size())) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const int left = seekers[a]->strength();
    const int right = seekers[b]->strength();
    return left != right ? left < right : a < b;
  });
  for (int rank = 0; rank < size(); ++rank) {
    const Seeker& own = seeker(rank);
    for (const std::uint64_t pool : own.pools) pools_[pool].by_wish[ListOf(own)].push_back(rank);
  }
}

bool Neighbours::Meets(const Seeker& seeker, std::size_t list) {
  const std::size_t own = ListOf(seeker);
  return own == 0 || list != own;
}

void Neighbours::AddAbove(int rank, std::vector<Edge>& edges) {
  const Seeker& own = seeker(rank);
  for (const std::uint64_t pool : own.pools) {
    const Pool& lists = pools_[pool];
    for (std::size_t wish = 0; wish < lists.by_wish.size(); ++wish) {
      if (!Meets(own, wish)) continue;
      const List& list = lists.by_wish[wish];
      auto above = std::upper_bound(list.begin(), list.end(), rank);
      int found = 0;
      for (int look = 0; look < kLook && found < kNeighbours && above != list.end(); ++look) {
        const Seeker& other = seeker(*above);
        if (Legal(own, other)) {
          const std::int64_t gain = Gain(own, other, now_);
          if (gain > 0) {
            near_.push_back({rank, *above, gain});
            ++found;
          }
        }
        ++above;
      }
    }
  }
  KeepBest(edges);
}

void Neighbours::AddAround(int rank, std::vector<Edge>& edges) {
  const Seeker& own = seeker(rank);
  for (const std::uint64_t pool : own.pools) {
    const Pool& lists = pools_[pool];
    for (std::size_t wish = 0; wish < lists.by_wish.size(); ++wish) {
      if (!Meets(own, wish)) continue;
      int found = 0;
      Outward(lists.by_wish[wish], rank, [&](int other) {
        if (!Legal(own, seeker(other))) return true;
        const std::int64_t gain = Gain(own, seeker(other), now_);
        if (gain > 0) near_.push_back({std::min(rank, other), std::max(rank, other), gain});
        return ++found < kNeighbours;
      });
    }
  }
  KeepBest(edges);
}

void Neighbours::KeepBest(std::vector<Edge>& edges) {
  DropDoubles(near_);  // whom one meets in several pools
  std::sort(near_.begin(), near_.end(), [](const Edge& a, const Edge& b) {
    return a.gain != b.gain ? a.gain > b.gain : std::pair(a.a, a.b) < std::pair(b.a, b.b);
  });
  const std::size_t kept = std::min<std::size_t>(near_.size(), kEdges);
  edges.insert(edges.end(), near_.begin(), near_.begin() + static_cast<std::ptrdiff_t>(kept));
  near_.clear();
}

std::vector<int> Neighbours::OverdueRanks(std::uint64_t turn) const {
  std::vector<int> ranks;
  for (int rank = 0; rank < size(); ++rank) {
    if (Overdue(seeker(rank), now_)) ranks.push_back(rank);
  }
  std::sort(ranks.begin(), ranks.end(), [this](int a, int b) {
    return seeker(a).since != seeker(b).since ? seeker(a).since < seeker(b).since : a < b;
  });
  // Each may look at everybody: more than one wave looks at only if they are many.
  if (static_cast<std::int64_t>(ranks.size()) > kLooksEach / 2) {
    const std::uint64_t step = turn * static_cast<std::uint64_t>(kLooksEach / 2) % ranks.size();
    std::rotate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(step), ranks.end());
  }
  return ranks;
}

std::vector<Edge> Neighbours::Edges(std::uint64_t turn) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < size(); ++rank) AddAbove(rank, edges);
  const std::int64_t all = looks_left_;
  looks_left_ = all / 2;  // the other half is for who is left at the end
  for (const int rank : OverdueRanks(turn)) AddAround(rank, edges);
  looks_left_ = all / 2;
  DropDoubles(edges);
  return edges;
}

}  // namespace komadai::matchmaking
