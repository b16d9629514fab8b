#include "services/matchmaking/domain/wave.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/matchmaking/domain/neighbours.h"

namespace komadai::matchmaking {
namespace {

constexpr int kNobody = -1;
constexpr int kMaxRounds = 8;  // of improvement; most waves need two or three

struct Link {
  int to = kNobody;
  std::int64_t gain = 0;
};

// A matching that starts empty and only ever gains.
class Matching {
 public:
  Matching(int size, std::vector<Edge> edges) : edges_(std::move(edges)) {
    const auto count = static_cast<std::size_t>(size);
    links_.resize(count);
    mates_.resize(count);
    for (const Edge& edge : edges_) {
      links_[Index(edge.a)].push_back({edge.b, edge.gain});
      links_[Index(edge.b)].push_back({edge.a, edge.gain});
    }
  }

  void TakeGreedily() {
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
      if (a.gain != b.gain) return a.gain > b.gain;
      return std::pair(a.a, a.b) < std::pair(b.a, b.b);
    });
    for (const Edge& edge : edges_) {
      if (Free(edge.a) && Free(edge.b)) Join(edge.a, edge.b, edge.gain);
    }
  }

  void Improve() {
    for (int round = 0; round < kMaxRounds; ++round) {
      bool better = false;
      for (std::size_t v = 0; v < links_.size(); ++v) better |= ImproveAt(static_cast<int>(v));
      if (!better) return;
    }
  }

  bool Free(int v) const { return mates_[Index(v)].to == kNobody; }
  int MateOf(int v) const { return mates_[Index(v)].to; }
  void Join(int a, int b, std::int64_t gain) {
    mates_[Index(a)] = {b, gain};
    mates_[Index(b)] = {a, gain};
  }

 private:
  // What becomes of v, its new mate u, and the two whom they leave.
  struct Exchange {
    std::int64_t gain = 0;
    Link u;                 // v's new mate
    bool left_two = false;  // who were left take each other
    Link left_by_v;
    Link left_by_u;
  };

  static std::size_t Index(int v) { return static_cast<std::size_t>(v); }

  void Part(int v) {
    const int mate = MateOf(v);
    if (mate == kNobody) return;
    mates_[Index(mate)] = {};
    mates_[Index(v)] = {};
  }

  std::int64_t GainOf(int a, int b) const {
    for (const Link& link : links_[Index(a)]) {
      if (link.to == b) return link.gain;
    }
    return 0;
  }

  // The two best free ones that `v` could take, but for `taken`.
  std::array<Link, 2> BestFree(int v, int taken) const {
    std::array<Link, 2> best{};
    if (v == kNobody) return best;
    for (const Link& link : links_[Index(v)]) {
      if (!Free(link.to) || link.to == taken) continue;
      if (link.gain > best[0].gain) {
        best[1] = best[0];
        best[0] = link;
      } else if (link.gain > best[1].gain) {
        best[1] = link;
      }
    }
    return best;
  }

  // How those who are left are best looked after.
  static void LookAfter(const std::array<Link, 2>& for_m, const std::array<Link, 2>& for_x,
                        Exchange& exchange) {
    exchange.left_by_v = for_m[0];
    exchange.left_by_u = for_x[0];
    if (for_m[0].to != kNobody && for_m[0].to == for_x[0].to) {
      if (for_m[0].gain + for_x[1].gain >= for_m[1].gain + for_x[0].gain) {
        exchange.left_by_u = for_x[1];
      } else {
        exchange.left_by_v = for_m[1];
      }
    }
  }

  bool ImproveAt(int v) {
    const Link m = mates_[Index(v)];
    Exchange best;
    for (const Link& u : links_[Index(v)]) {
      if (u.to == m.to) continue;
      const Link x = mates_[Index(u.to)];
      Exchange exchange{u.gain - m.gain - x.gain, u, false, {}, {}};
      LookAfter(BestFree(m.to, u.to), BestFree(x.to, v), exchange);
      std::int64_t after = exchange.left_by_v.gain + exchange.left_by_u.gain;
      if (m.to != kNobody && x.to != kNobody) {
        const std::int64_t together = GainOf(m.to, x.to);
        if (together > after) {
          exchange.left_two = true;
          after = together;
        }
      }
      exchange.gain += after;
      if (exchange.gain > best.gain) best = exchange;
    }
    if (best.gain <= 0) return false;
    Apply(v, m.to, best);
    return true;
  }

  void Apply(int v, int m, const Exchange& exchange) {
    const int x = MateOf(exchange.u.to);
    Part(v);
    Part(exchange.u.to);
    Join(v, exchange.u.to, exchange.u.gain);
    if (exchange.left_two) {
      Join(m, x, GainOf(m, x));
      return;
    }
    if (exchange.left_by_v.to != kNobody) Join(m, exchange.left_by_v.to, exchange.left_by_v.gain);
    if (exchange.left_by_u.to != kNobody) Join(x, exchange.left_by_u.to, exchange.left_by_u.gain);
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<Link>> links_;
  std::vector<Link> mates_;
};

}  // namespace

std::vector<WavePair> MatchWave(const std::vector<const Seeker*>& seekers, TimePoint now,
                                std::uint64_t turn) {
  std::vector<WavePair> pairs;
  if (seekers.size() < 2) return pairs;
  Neighbours neighbours(seekers, now);
  Matching matching(neighbours.size(), neighbours.Edges(turn));
  matching.TakeGreedily();
  matching.Improve();
  const auto free = [&](int rank) { return matching.Free(rank); };
  for (const int rank : neighbours.OverdueRanks(turn)) {
    if (!matching.Free(rank)) continue;
    const int other = neighbours.NearestFree(rank, free);
    if (other >= 0) matching.Join(rank, other, 0);
  }
  for (int rank = 0; rank < neighbours.size(); ++rank) {
    const int mate = matching.MateOf(rank);
    if (mate <= rank) continue;
    const auto pool = SharedPool(neighbours.seeker(rank), neighbours.seeker(mate));
    pairs.push_back({neighbours.place(rank), neighbours.place(mate), pool.value_or(0)});
  }
  return pairs;
}

}  // namespace komadai::matchmaking
