// komadai-chaos: plays many games against separate processes while these are killed, drained and
// stalled, and then checks every promise. Exits 1 if one was broken.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "libs/base/mutex.h"
#include "tests/chaos/audit.h"
#include "tests/chaos/collect.h"
#include "tests/chaos/faults.h"
#include "tests/chaos/game_run.h"
#include "tests/chaos/report.h"

namespace komadai::chaos {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Options {
  double minutes = 5;
  double seconds = 0;  // instead of minutes
  int games = 50;
  std::uint64_t seed = std::random_device()();
  double gap_seconds = 3;
  bool rolling = false;
  std::string log_dir;
  std::string log_level = "warning";
};

constexpr Millis kStep{10};
constexpr Millis kProgress{30000};
constexpr Millis kEndPatience{120000};     // for the games in progress when the faults stop
constexpr int kRollingAttempts = 2;        // a call and its one repeat
constexpr Millis kCatchUpPatience{60000};  // for archive and ratings after that

Millis Since(SteadyClock::time_point start) {
  return std::chrono::duration_cast<Millis>(SteadyClock::now() - start);
}

// The games of a run: a fixed number at once, each followed by the next.
class Slots {
 public:
  Slots(World& world, std::uint64_t seed, int games) : world_(world), seed_(seed) {
    for (int i = 0; i < games; ++i) threads_.emplace_back([this] { Run(); });
  }
  ~Slots() { Join(); }

  bool Done() const { return running_ == 0; }
  void Join() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  std::size_t finished() {
    const MutexLock lock(mutex_);
    return evidence_.size();
  }
  // After Join.
  std::vector<GameEvidence> Take() {
    const MutexLock lock(mutex_);
    return std::move(evidence_);
  }
  std::vector<std::string> failures() {
    const MutexLock lock(mutex_);
    return failures_;
  }

 private:
  void Run() {
    ++running_;
    while (!world_.closing && !world_.abandoned) {
      const GamePlan plan = MakePlan(seed_, number_++, world_.people.size());
      Result<GameEvidence> evidence = RunGame(world_, plan);
      const MutexLock lock(mutex_);
      if (evidence) {
        evidence_.push_back(*std::move(evidence));
      } else {
        failures_.push_back("game " + std::to_string(plan.number) +
                            " could not be created: " + evidence.error().ToString());
      }
    }
    --running_;
  }

  World& world_;
  const std::uint64_t seed_;
  std::atomic<int> number_{0};
  std::atomic<int> running_{0};
  Mutex mutex_;
  std::vector<GameEvidence> evidence_ KOMADAI_GUARDED_BY(mutex_);
  std::vector<std::string> failures_ KOMADAI_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

Result<std::unique_ptr<World>> MakeWorld(testing::LocalStack& stack, const Options& options) {
  SeededRandom random(options.seed);
  play::Replicas<rating::v1::RatingService> rating(stack.Addresses("rating"));
  // Fewer people than seats: everybody plays several games at once.
  Result<std::vector<play::Person>> people =
      play::SignIn(rating, "chaos", std::max(4, options.games), random);
  if (!people) return std::move(people).error();
  Result<std::string> service =
      play::Bearer(testing::kTestTokenSecret, rpc::CallerKind::kService, "komadai-chaos");
  if (!service) return std::move(service).error();
  play::Patience patience{.hasty_one_in = 40};
  if (options.rolling) patience = {.attempts = kRollingAttempts};
  return std::unique_ptr<World>(
      new World{play::Replicas<game::v1::GameService>(stack.Addresses("game")),
                play::Replicas<matchmaking::v1::MatchmakingService>(stack.Addresses("matchmaking")),
                *std::move(people), *std::move(service), RandomId(random, 12), patience});
}

// The run as seen from the thread that owns the processes.
class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        duration_(options.seconds > 0
                      ? Millis(static_cast<std::int64_t>(options.seconds * 1000))
                      : Millis(static_cast<std::int64_t>(options.minutes * 60000))) {}

  Result<int> Do() {
    testing::LocalStack::Options stack;
    stack.replicas = {{"game", 2}, {"clock", 2}};
    if (options_.rolling) {
      for (const char* service : {"rules", "engine", "rating", "kifu", "matchmaking"}) {
        stack.replicas[service] = 2;
      }
    }
    stack.log_dir = options_.log_dir;
    stack.log_level = options_.log_level;
    Result<std::unique_ptr<testing::LocalStack>> started = testing::LocalStack::Start(stack);
    if (!started) return std::move(started).error();
    stack_ = *std::move(started);
    Result<std::unique_ptr<World>> world = MakeWorld(*stack_, options_);
    if (!world) return std::move(world).error();
    world_ = *std::move(world);

    FaultRunner faults(*stack_, Schedule(), options_.rolling);
    Slots slots(*world_, options_.seed, options_.games);
    Status played = Play(faults, slots);
    if (!played) world_->abandoned = true;
    slots.Join();
    if (!played) return std::move(played).error();
    return Audit(faults, slots);
  }

 private:
  std::vector<Fault> Schedule() {
    const std::vector<Part> parts =
        options_.rolling ? FaultRunner::ServicesOf(*stack_) : FaultRunner::PartsOf(*stack_);
    const Millis gap = GapFor(duration_, parts.size(),
                              Millis(static_cast<std::int64_t>(options_.gap_seconds * 1000)));
    return options_.rolling ? MakeRollingRestart(duration_, gap, parts)
                            : MakeSchedule(options_.seed, duration_, gap, parts);
  }

  Status Play(FaultRunner& faults, Slots& slots) {
    start_ = SteadyClock::now();
    if (Status run = Tend(faults, slots, [this] { return Since(start_) >= duration_; }); !run) {
      return run;
    }
    faults.StopFaults();
    world_->closing = true;
    const auto done = [&] { return faults.Whole() && slots.Done(); };
    const Millis until = Since(start_) + kEndPatience;
    return Tend(faults, slots, [&] {
      if (Since(start_) < until) return done();
      // What is missing now is given up; the audit reports it.
      world_->abandoned = true;
      return done();
    });
  }

  Status Tend(FaultRunner& faults, Slots& slots, const std::function<bool()>& enough) {
    while (!enough()) {
      if (Status tended = faults.Tend(Since(start_)); !tended) return tended;
      if (Since(start_) >= next_progress_) {
        next_progress_ += kProgress;
        std::fprintf(stderr, "chaos: %lld s, %zu games finished\n",
                     static_cast<long long>(Since(start_).count() / 1000), slots.finished());
      }
      std::this_thread::sleep_for(kStep);
    }
    return {};
  }

  Result<int> Audit(FaultRunner& faults, Slots& slots) {
    std::vector<GameEvidence> games = slots.Take();
    Result<std::unique_ptr<Collector>> collector = Collector::Open(*stack_, *world_);
    if (!collector) return std::move(collector).error();
    (*collector)->ReadGames(games);
    const SteadyClock::time_point waiting = SteadyClock::now();
    while (!(*collector)->CaughtUp(games) && Since(waiting) < kCatchUpPatience) {
      if (Status tended = faults.Tend(Since(start_)); !tended) return std::move(tended).error();
      std::this_thread::sleep_for(kStep * 10);
    }
    std::fprintf(stderr, "chaos: archive and ratings were complete after %lld ms\n",
                 static_cast<long long>(Since(waiting).count()));
    Auditor auditor;
    for (GameEvidence& game : games) {
      (*collector)->Complete(game);
      auditor.Add(game);
      game.journal = {};  // thousands of them would fill the memory
    }
    Result<RunEvidence> run = (*collector)->ReadRun();
    if (!run) return std::move(run).error();
    run->lost_processes = faults.lost();
    const std::vector<std::string> failures = slots.failures();
    run->lost_processes.insert(run->lost_processes.end(), failures.begin(), failures.end());
    auditor.Finish(*run);
    WriteViolations(auditor.findings(), games, **collector);
    return PrintReport(auditor.findings(), faults.done(), run->errors, stdout);
  }

  // For finding a cause: all violations, and everything about the games they are in.
  void WriteViolations(const Findings& findings, std::vector<GameEvidence>& games,
                       Collector& collector) {
    std::ofstream file(options_.log_dir + "/violations.txt");
    std::set<std::string> ids;
    for (const Violation& v : findings.violations) {
      file << NameOf(v.promise) << ": " << v.game_id << " " << v.what << "\n";
      ids.insert(v.game_id);
    }
    for (GameEvidence& game : games) {
      if (!ids.contains(game.game_id)) continue;
      collector.Complete(game);
      file << "\n" << Explain(game);
    }
  }

  const Options options_;
  const Millis duration_;
  SteadyClock::time_point start_;
  Millis next_progress_ = kProgress;
  std::unique_ptr<testing::LocalStack> stack_;
  std::unique_ptr<World> world_;
};

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"plays games while servers are killed, then checks every promise"};
  app.add_option("--minutes", options.minutes, "how long faults are made")->capture_default_str();
  app.add_option("--seconds", options.seconds, "the same in seconds, instead of --minutes");
  app.add_option("--games", options.games, "games in progress at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--seed", options.seed, "of the faults and the games; random if not given");
  app.add_option("--gap", options.gap_seconds, "seconds between two faults on average")
      ->capture_default_str()
      ->check(CLI::Range(0.05, 3600.0));
  app.add_flag("--rolling", options.rolling,
               "a rolling restart of two replicas of every service instead of faults, beside "
               "players who repeat a call only once");
  app.add_option("--log-dir", options.log_dir,
                 "where the servers' logs and the violations go; .state/chaos/SEED if not given");
  app.add_option("--log-level", options.log_level, "of the servers")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (options.log_dir.empty()) options.log_dir = ".state/chaos/" + std::to_string(options.seed);
  std::error_code made;
  std::filesystem::create_directories(options.log_dir, made);
  if (made) {
    std::fprintf(stderr, "komadai-chaos: cannot write to %s\n", options.log_dir.c_str());
    return 2;
  }
  std::printf("chaos: seed %llu, %d games at once, logs in %s\n",
              static_cast<unsigned long long>(options.seed), options.games,
              options.log_dir.c_str());
  std::fflush(stdout);
  Run run(options);
  const Result<int> status = run.Do();
  if (status) return *status;
  std::fprintf(stderr, "komadai-chaos: %s\n", status.error().ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace komadai::chaos

int main(int argc, char** argv) { return komadai::chaos::Main(argc, argv); }
