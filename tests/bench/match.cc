// komadai-bench-match: how fast and how well opponents are found. JSON lines on stdout.
//
// Cases: waves (finding the pairs of one wave as the pool grows, without a store), queue (seekers
// in a durable Redis until each has a game, whose creation costs nothing) and arrivals (an hour of
// them in virtual time, and a rush of a fifth of them within ten seconds, beside first come, first
// served; tables on stderr).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/livestore/redis_live_store.h"
#include "libs/testing/temp_redis.h"
#include "services/matchmaking/app/bounded.h"
#include "services/matchmaking/domain/wave.h"
#include "services/matchmaking/testing/fakes.h"
#include "tests/matchmaking/pairing_run.h"

namespace komadai::matchmaking {
namespace {

using Clock = std::chrono::steady_clock;

struct Plan {
  std::string only;  // a case; empty: all
  int seekers = 10'000;
  int minutes = 60;
  std::uint64_t seed = 1;
};

double MillisSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Print(const std::string& name, double value, const std::string& unit,
           const std::string& peer = "", double peer_value = 0) {
  nlohmann::json line{{"bench", "match"}, {"case", name}, {"value", value}, {"unit", unit}};
  if (!peer.empty()) {
    line["peer"] = peer;
    line["peer_value"] = peer_value;
    if (peer_value != 0) line["ratio"] = value / peer_value;
  }
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "komadai-bench-match: %s\n", what.c_str());
  std::exit(1);
}

// A pool in which everybody has waited for up to a minute.
std::vector<Seeker> Pool(int count, TimePoint now, Random& random) {
  std::vector<Seeker> seekers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < seekers.size(); ++i) {
    Seeker& seeker = seekers[i];
    seeker.player_id = "p" + std::to_string(i);
    seeker.seek_id = "s" + std::to_string(i);
    seeker.pools = {random.Below(3)};
    if (random.Below(3) == 0) seeker.pools.push_back((seeker.pools[0] + 1) % 3);
    int rating = 400;
    for (int die = 0; die < 4; ++die) rating += static_cast<int>(random.Below(500));
    seeker.rating = rating;
    if (random.Below(7) == 0) seeker.wish = random.Below(2) == 0 ? Side::kFirst : Side::kSecond;
    seeker.since = now - Millis(static_cast<std::int64_t>(random.Below(60'000)));
  }
  return seekers;
}

void MeasureWaves(const Plan& plan) {
  SeededRandom random(plan.seed);
  const TimePoint now = SystemTimeSource().Now();
  double first = 0;  // nanoseconds by n log n of the smallest pool
  for (const int count : {1000, 2000, 5000, 10'000, 20'000, 50'000}) {
    const std::vector<Seeker> seekers = Pool(count, now, random);
    std::vector<const Seeker*> pointers;
    for (const Seeker& seeker : seekers) pointers.push_back(&seeker);
    std::vector<double> times;
    for (int run = 0; run < 7; ++run) {
      const Clock::time_point start = Clock::now();
      if (MatchWave(pointers, now).empty()) Die("a wave without pairs");
      times.push_back(MillisSince(start));
    }
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    Print("wave-" + std::to_string(count), median, "ms");
    const double each = median * 1e6 / (count * std::log2(count));
    if (first == 0) first = each;
    Print("wave-" + std::to_string(count) + "-by-n-log-n", each, "ns", "wave-1000", first);
  }
}

// Notes when each game was created.
class TimedGames final : public GamePort {
 public:
  Task<Result<std::string>> Create(rpc::Call call, Match match) override {
    {
      const MutexLock lock(mutex_);
      times_.push_back(MillisSince(start_));
    }
    return games_.Create(std::move(call), std::move(match));
  }
  Task<Result<game::v1::Game>> Get(rpc::Call call, std::string game_id) override {
    return games_.Get(std::move(call), std::move(game_id));
  }
  Task<Result<bool>> PlayTogether(rpc::Call, std::string, std::string) override { co_return false; }
  Task<Result<Counts>> CountLive(rpc::Call call) override {
    return games_.CountLive(std::move(call));
  }
  void Begin() { start_ = Clock::now(); }
  std::vector<double> Times() {
    const MutexLock lock(mutex_);
    std::sort(times_.begin(), times_.end());
    return times_;
  }

 private:
  FakeGames games_;
  Clock::time_point start_;
  Mutex mutex_;
  std::vector<double> times_ KOMADAI_GUARDED_BY(mutex_);
};

Task<void> CreateSeek(Replica& replica, NewSeek wish, std::atomic<int>& refused) {
  Result<pb::Seek> seek = co_await replica.seeks.Create(replica.Call(), std::move(wish));
  if (!seek) ++refused;
}

void MeasureQueue(const Plan& plan) {
  auto redis = testing::TempRedis::Start();
  if (!redis) Die(redis.error().ToString());
  redis::Options options = *redis::ParseUrl((*redis)->Url());
  options.offline_patience = options.command_timeout = std::chrono::seconds(30);
  livestore::RedisLiveStore store(options);
  SystemTimeSource time;
  TimedGames games;
  FakeRatings ratings;
  ArrivalPlan arrivals;
  arrivals.players = plan.seekers;
  arrivals.seed = plan.seed;
  const std::vector<Arrival> all = MakeArrivals(arrivals);
  for (const Arrival& arrival : all) {
    if (arrival.rating > 0) ratings.ratings[arrival.wish.player.player_id()] = arrival.rating;
  }
  Replica replica(store, games, ratings, time, plan.seed);
  const Clock::time_point creating = Clock::now();
  std::atomic<int> refused{0};
  SyncWait(ForEach(all.size(), 128,
                   [&](std::size_t i) { return CreateSeek(replica, all[i].wish, refused); }));
  if (refused > 0) Die(std::to_string(refused) + " seeks were refused");
  Print("create-seek", plan.seekers * 1000.0 / MillisSince(creating), "seeks/s");
  games.Begin();
  const Clock::time_point begin = Clock::now();
  std::size_t left = all.size();
  double first_wave = 0;
  int waves = 0;
  // What cannot be paired at once is far from all others and would have to wait for longer.
  for (std::size_t before = left + 1; left < before; ++waves) {
    before = left;
    replica.Wave();
    if (waves == 0) first_wave = MillisSince(begin);
    left = SyncWait(replica.store.Waiting())->size();
  }
  while (!SyncWait(replica.store.PairedBefore(time.Now()))->empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const double took = MillisSince(begin);
  const std::vector<double> times = games.Times();
  Print("queue-pairs", static_cast<double>(times.size()) * 1000 / took, "pairs/s");
  Print("queue-first-wave", first_wave, "ms");
  Print("queue-game-created-p50", Quantile(times, 0.5), "ms");
  Print("queue-game-created-p99", Quantile(times, 0.99), "ms");
  Print("queue-left-waiting", static_cast<double>(left), "seeks");
}

void Compare(const std::string& name, const ArrivalPlan& plan) {
  const std::vector<Arrival> all = MakeArrivals(plan);
  const PairingRun waves = ByWaves(all, plan.seed);
  const PairingRun windows = FirstComeInWindows(all);
  const PairingRun anybody = FirstCome(all);
  std::fprintf(stderr, "%d players in %.1f minutes, seed %llu\n%s\n", plan.players,
               static_cast<double>(plan.over.count()) / 60'000,
               static_cast<unsigned long long>(plan.seed),
               TableOf({waves, windows, anybody}).c_str());
  for (const std::string& breach : waves.breaches) Die(breach);
  const auto compare = [&](const std::string& what, double share, bool wait) {
    const auto of = [&](const PairingRun& run) {
      return Quantile(wait ? run.Waits() : run.Differences(), share);
    };
    Print(name + "-" + what, of(waves), wait ? "s" : "points", "first come", of(anybody));
  };
  compare("difference-p50", 0.5, false);
  compare("difference-p90", 0.9, false);
  compare("difference-p99", 0.99, false);
  compare("wait-p50", 0.5, true);
  compare("wait-p99", 0.99, true);
  compare("wait-max", 1, true);
}

void MeasureArrivals(const Plan& plan) {
  ArrivalPlan hour;
  hour.players = plan.seekers;
  hour.over = Millis(std::int64_t{plan.minutes} * 60'000);
  hour.seed = plan.seed;
  Compare("arrivals", hour);
  // A rush: the more wait at once, the more there is to choose from.
  ArrivalPlan rush = hour;
  rush.players = std::max(10, plan.seekers / 5);
  rush.over = Millis(10'000);
  Compare("rush", rush);
}

}  // namespace
}  // namespace komadai::matchmaking

int main(int argc, char** argv) {
  using namespace komadai::matchmaking;
  Plan plan;
  CLI::App app("How fast and how well opponents are found.", "komadai-bench-match");
  app.add_option("--case", plan.only, "waves, queue or arrivals; all if it is not given")
      ->check(CLI::IsMember({"waves", "queue", "arrivals"}));
  app.add_option("--seekers", plan.seekers, "players in the queue, or who arrive")
      ->check(CLI::Range(10, 100'000))
      ->capture_default_str();
  app.add_option("--minutes", plan.minutes, "over which they arrive")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  app.add_option("--seed", plan.seed, "of everything made up")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto wanted = [&plan](const char* name) { return plan.only.empty() || plan.only == name; };
  if (wanted("waves")) MeasureWaves(plan);
  if (wanted("queue")) MeasureQueue(plan);
  if (wanted("arrivals")) MeasureArrivals(plan);
  return 0;
}
