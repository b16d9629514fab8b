// The service itself in virtual time: players create seeks at one of three replicas, watch them,
// and are paired by the replica that has the lease.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "libs/livestore/memory_live_store.h"
#include "services/matchmaking/testing/fakes.h"
#include "tests/matchmaking/pairing_run.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kTick{500};
constexpr Millis kTouch{10'000};
constexpr Millis kAfterwards{120'000};
constexpr int kReplicas = 3;

class World {
 public:
  World(const std::vector<Arrival>& arrivals, std::uint64_t seed) : arrivals_(arrivals) {
    run_.how = "waves";
    for (int i = 0; i < kReplicas; ++i) {
      replicas_.push_back(std::make_unique<Replica>(live_, games_, ratings_, time_,
                                                    seed + static_cast<std::uint64_t>(i)));
    }
    for (const Arrival& arrival : arrivals) {
      if (arrival.rating > 0) ratings_.ratings[arrival.wish.player.player_id()] = arrival.rating;
    }
  }

  PairingRun Run() {
    const std::int64_t begin = time_.now;
    const Millis end = arrivals_.back().at + kAfterwards;
    std::size_t next = 0;
    for (Millis at{0}; at <= end; at += kTick) {
      while (next < arrivals_.size() && arrivals_[next].at <= at) {
        time_.now = begin + arrivals_[next].at.count();
        Arrive(arrivals_[next], next);
        ++next;
      }
      time_.now = begin + at.count();
      if (at % kTouch == Millis(0)) Watch();
      for (const std::unique_ptr<Replica>& replica : replicas_) {
        replica->Wave();
        replica->Sweep();
      }
      CheckWaiting();
    }
    Collect();
    return std::move(run_);
  }

 private:
  void Arrive(const Arrival& arrival, std::size_t number) {
    Replica& replica = *replicas_[number % kReplicas];
    const Result<pb::Seek> seek = replica.Create(arrival.wish);
    if (!seek) run_.breaches.push_back("a seek was refused: " + seek.error().ToString());
    const auto entry = SyncWait(replica.store.Load(arrival.wish.seek_id));
    seekers_[arrival.wish.seek_id] = SeekerOf(entry->value);
  }

  void Watch() {
    std::vector<std::string> seek_ids;
    const auto waiting = SyncWait(replicas_[0]->store.Waiting());
    for (const WaitingSeek& seek : *waiting) seek_ids.push_back(seek.seek_id);
    (void)SyncWait(replicas_[1]->seeks.Touch(seek_ids));
  }

  // No player waits beyond the bound while a legal partner waits too.
  void CheckWaiting() {
    const auto waiting = SyncWait(replicas_[0]->store.Waiting());
    for (const WaitingSeek& one : *waiting) {
      const Seeker& seeker = seekers_.at(one.seek_id);
      if (!Overdue(seeker, time_.Now())) break;  // the longest come first
      for (const WaitingSeek& other : *waiting) {
        if (Legal(seeker, seekers_.at(other.seek_id))) {
          run_.breaches.push_back(one.seek_id + " is overdue beside " + other.seek_id);
        }
      }
    }
  }

  void Collect() {
    std::map<std::string, std::string> pair_of;  // player, match
    for (const auto& [match_id, match] : games_.matches()) {
      for (const auto* player : {&match.first, &match.second}) {
        if (!pair_of.try_emplace(player->player_id(), match_id).second) {
          run_.breaches.push_back(player->player_id() + " is in two games");
        }
      }
      Add(match_id, match, seekers_.at("seek-" + match.first.player_id()),
          seekers_.at("seek-" + match.second.player_id()));
    }
    run_.left = static_cast<int>(arrivals_.size() - 2 * run_.pairs.size());
  }

  void Add(const std::string& match_id, const Match& match, const Seeker& a, const Seeker& b) {
    if (!Legal(a, b)) run_.breaches.push_back(match_id + " is no legal pair");
    const bool as_wished =
        (!a.wish || *a.wish == Side::kFirst) && (!b.wish || *b.wish == Side::kSecond);
    if (!as_wished) run_.breaches.push_back(match_id + " gives a side against its wish");
    const TimePoint made = made_at_[match_id];
    const std::string pool = PoolOf(match.terms, match.terms.time_control());
    for (const Seeker* one : {&a, &b}) {
      if (std::count(one->pools.begin(), one->pools.end(), PoolNumber(pool)) == 0) {
        run_.breaches.push_back(match_id + " is a game that " + one->player_id + " did not want");
      }
    }
    run_.pairs.push_back({made - a.since, made - b.since, std::abs(a.strength() - b.strength())});
  }

  // Notes when each game was created.
  class Games final : public GamePort {
   public:
    explicit Games(World& world) : world_(world) {}
    Task<Result<std::string>> Create(rpc::Call call, Match match) override {
      world_.made_at_.try_emplace(match.match_id, world_.time_.Now());
      return fake_.Create(std::move(call), std::move(match));
    }
    Task<Result<game::v1::Game>> Get(rpc::Call call, std::string game_id) override {
      return fake_.Get(std::move(call), std::move(game_id));
    }
    Task<Result<bool>> PlayTogether(rpc::Call, std::string, std::string) override {
      co_return false;
    }
    Task<Result<Counts>> CountLive(rpc::Call call) override {
      return fake_.CountLive(std::move(call));
    }
    const std::map<std::string, Match>& matches() const { return fake_.created; }

   private:
    World& world_;
    FakeGames fake_;
  };

  const std::vector<Arrival>& arrivals_;
  FakeTime time_;
  std::map<std::string, TimePoint> made_at_;
  Games games_{*this};
  FakeRatings ratings_;
  livestore::MemoryLiveStore live_{time_};
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::map<std::string, Seeker> seekers_;
  PairingRun run_;
};

}  // namespace

PairingRun ByWaves(const std::vector<Arrival>& arrivals, std::uint64_t seed) {
  return World(arrivals, seed).Run();
}

}  // namespace komadai::matchmaking
