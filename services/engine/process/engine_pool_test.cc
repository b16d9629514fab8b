// The pool against engines that misbehave. (engine_real_test.cc is the same against
// Fairy-Stockfish.) Waits are conditions with a generous deadline; nothing is measured.
#include "services/engine/process/engine_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "libs/base/mutex.h"

namespace komadai::engine {
namespace {

using Outcome = Result<SearchResult>;

EngineSpec Fake(const std::string& mode, const std::string& mark = "") {
  return {.id = "fake",
          .command = {"services/engine/process/testdata/fake_engine.sh", mode, mark},
          .plays = {{rules::Variant::kShogi, Protocol::kUsi, "", RankNumbers::kPlain}},
          .options = {}};
}

PoolSettings Settings(int processes) {
  PoolSettings settings;
  settings.processes_per_engine = processes;
  settings.worker.stop_slack = Millis(50);
  settings.worker.kill_grace = Millis(100);
  settings.worker.first_backoff = Millis(1);
  settings.worker.longest_backoff = Millis(20);
  return settings;
}

class CountingObserver : public PoolObserver {
 public:
  struct Seen {
    std::vector<std::string> deaths;
    std::multiset<std::string> outcomes;
    std::size_t waiting = 0;
    std::size_t running = 0;
    int up = 0;
  };

  void OnProcessesChanged(const std::string&, int up, int) override {
    Note([&](Seen& seen) { seen.up = up; });
  }
  void OnDeath(const std::string&, const std::string& why) override {
    Note([&](Seen& seen) { seen.deaths.push_back(why); });
  }
  void OnQueueChanged(std::size_t waiting, std::size_t running) override {
    Note([&](Seen& seen) {
      seen.waiting = waiting;
      seen.running = running;
    });
  }
  void OnSearchEnded(const std::string&, rules::Variant, Urgency, std::string_view outcome,
                     Millis) override {
    Note([&](Seen& seen) { seen.outcomes.insert(std::string(outcome)); });
  }

  template <typename Condition>
  bool Eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    MutexLock lock(mutex_);
    while (!condition(seen_)) {
      if (!changed_.WaitUntil(lock, until)) return condition(seen_);
    }
    return true;
  }
  bool EventuallyRunning(std::size_t running, std::size_t waiting) {
    return Eventually(
        [&](const Seen& seen) { return seen.running == running && seen.waiting == waiting; });
  }
  std::string FirstDeath() {
    Eventually([](const Seen& seen) { return !seen.deaths.empty(); });
    const MutexLock lock(mutex_);
    return seen_.deaths.empty() ? "" : seen_.deaths.front();
  }
  std::size_t Deaths() {
    const MutexLock lock(mutex_);
    return seen_.deaths.size();
  }

 private:
  template <typename Change>
  void Note(Change change) {
    const MutexLock lock(mutex_);
    change(seen_);
    changed_.NotifyAll();
  }
  Mutex mutex_;
  CondVar changed_;
  Seen seen_ KOMADAI_GUARDED_BY(mutex_);
};

using Seen = CountingObserver::Seen;

class EnginePoolTest : public ::testing::Test {
 protected:
  EnginePoolTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "komadai-engine-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~EnginePoolTest() override {
    pool_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string Mark() const { return folder_ + "/mark"; }
  void Open(EngineSpec spec, PoolSettings settings) {
    std::vector<EngineSpec> specs;
    specs.push_back(std::move(spec));
    pool_ = std::make_unique<EnginePool>(std::move(specs), settings, &observer_);
  }

  static EnginePool::Job Job(const std::string& caller = "a") {
    EnginePool::Job job;
    job.engine = "fake";
    job.caller = caller;
    job.request.game = {rules::Variant::kShogi, "sfen", {}, rules::Side::kFirst};
    job.request.limits.time = Millis(60'000);
    return job;
  }

  struct Started {
    EnginePool::SearchId id;
    std::future<Outcome> outcome;
  };
  Started Start(EnginePool::Job job) {
    auto promise = std::make_shared<std::promise<Outcome>>();
    job.on_done = [promise](Outcome outcome) { promise->set_value(std::move(outcome)); };
    std::future<Outcome> future = promise->get_future();
    return {pool_->Search(std::move(job)), std::move(future)};
  }
  Outcome Search(EnginePool::Job job = Job()) { return Get(Start(std::move(job)).outcome); }
  static Outcome Get(std::future<Outcome> future) {
    if (future.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      return Error{kInternal, "no answer at all"};
    }
    return future.get();
  }

  std::string folder_;
  CountingObserver observer_;
  std::unique_ptr<EnginePool> pool_;
};

TEST_F(EnginePoolTest, AnEngineAnswersWithItsLine) {
  Open(Fake("obedient"), Settings(1));
  const Outcome outcome = Search();
  ASSERT_TRUE(outcome) << outcome.error().ToString();
  EXPECT_EQ(outcome->best.move, "7g7f");
  EXPECT_EQ(outcome->lines.All().at(0).score.value, 10);
}

TEST_F(EnginePoolTest, TellsTheNameAndAvailabilityOfItsEngines) {
  Open(Fake("obedient"), Settings(2));
  ASSERT_TRUE(Search());
  const std::vector<EngineStatus> engines = pool_->Engines();
  ASSERT_EQ(engines.size(), 1u);
  EXPECT_EQ(engines[0].name, "Fake Engine");
  EXPECT_TRUE(engines[0].available);
}

TEST_F(EnginePoolTest, AnEngineThatDiesOnceIsAskedAgainWithoutTheCallerNoticing) {
  Open(Fake("dies-once", Mark()), Settings(1));
  const Outcome outcome = Search();
  ASSERT_TRUE(outcome) << outcome.error().ToString();
  EXPECT_EQ(outcome->best.move, "7g7f");
  EXPECT_EQ(observer_.FirstDeath(), "exited with status 1");
}

TEST_F(EnginePoolTest, AnEngineThatDiesTwiceIsUnavailable) {
  Open(Fake("dies"), Settings(1));
  const Outcome outcome = Search();
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(kEngineUnavailable)) << outcome.error().ToString();
  EXPECT_EQ(observer_.Deaths(), 2u);
}

TEST_F(EnginePoolTest, AnEngineThatNeverAnswersIsKilledAndTheCallerTold) {
  Open(Fake("deaf"), Settings(1));
  EnginePool::Job job = Job();
  job.request.limits.time = Millis(1);
  const Outcome outcome = Search(std::move(job));
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(kEngineUnavailable)) << outcome.error().ToString();
  EXPECT_EQ(observer_.FirstDeath(), "did not stop searching");
}

TEST_F(EnginePoolTest, AnEngineThatOverrunsItsTimeIsToldToStop) {
  Open(Fake("until-stopped"), Settings(1));
  EnginePool::Job job = Job();
  job.request.limits.time = Millis(1);
  const Outcome outcome = Search(std::move(job));
  ASSERT_TRUE(outcome) << outcome.error().ToString();
  EXPECT_EQ(outcome->best.move, "7g7f");
}

TEST_F(EnginePoolTest, EnginesThatCannotBeStartedAreUnavailableAtOnce) {
  for (const char* mode :
       {"exits", "garbage", "endless-line", "silent", "closes-input", "complains"}) {
    PoolSettings settings = Settings(2);
    settings.worker.handshake_timeout = Millis(50);
    Open(Fake(mode), settings);
    const Outcome outcome = Search();
    ASSERT_FALSE(outcome) << mode;
    EXPECT_TRUE(outcome.error().Is(kEngineUnavailable)) << mode;
    EXPECT_FALSE(pool_->Engines().at(0).available) << mode;
    pool_.reset();
  }
}

TEST_F(EnginePoolTest, AMissingProgramIsUnavailable) {
  EngineSpec spec = Fake("obedient");
  spec.command = {"/nonexistent/engine"};
  Open(std::move(spec), Settings(1));
  const Outcome outcome = Search();
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(kEngineUnavailable));
}

TEST_F(EnginePoolTest, AFloodIsStopped) {
  PoolSettings settings = Settings(1);
  settings.worker.output_per_search = 100'000;
  Open(Fake("floods"), settings);
  const Outcome outcome = Search();
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(kEngineUnavailable));
  EXPECT_EQ(observer_.FirstDeath(), "floods its output");
}

TEST_F(EnginePoolTest, KillingTheProcessDuringASearchIsSurvived) {
  Open(Fake("until-stopped"), Settings(1));
  Started search = Start(Job());
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  kill(pool_->Engines().at(0).pids.at(0), SIGKILL);
  EXPECT_EQ(observer_.FirstDeath(), "killed by signal 9");
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0)) << "the search goes on in a new process";
  pool_->Cancel(search.id);
  EXPECT_TRUE(Get(std::move(search.outcome)).error().Is(kSearchCancelled));
}

TEST_F(EnginePoolTest, KillingAllProcessesAtOnceIsSurvivedToo) {
  Open(Fake("until-stopped"), Settings(3));
  Started search = Start(Job());
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  ASSERT_TRUE(observer_.Eventually([](const Seen& seen) { return seen.up == 3; }));
  const std::vector<pid_t> pids = pool_->Engines().at(0).pids;
  // Stopped first: none may take the search over before it is killed itself.
  for (const pid_t pid : pids) kill(pid, SIGSTOP);
  for (const pid_t pid : pids) kill(pid, SIGKILL);
  ASSERT_TRUE(observer_.Eventually([](const Seen& seen) { return seen.deaths.size() == 3; }));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0)) << "the search goes on in a new process";
  pool_->Cancel(search.id);
  EXPECT_TRUE(Get(std::move(search.outcome)).error().Is(kSearchCancelled));
}

TEST_F(EnginePoolTest, AFullQueueRefuses) {
  PoolSettings settings = Settings(1);
  settings.queue_capacity = 2;
  Open(Fake("until-stopped"), settings);
  std::vector<Started> started;
  started.push_back(Start(Job()));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  started.push_back(Start(Job()));
  started.push_back(Start(Job()));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 2));
  const Outcome refused = Search();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kEngineBusy)) << refused.error().ToString();
  EXPECT_EQ(refused.error().code(), Code::kResourceExhausted);
  for (Started& search : started) pool_->Cancel(search.id);
}

TEST_F(EnginePoolTest, CancellingFreesTheWorkerForTheNextCaller) {
  Open(Fake("until-stopped"), Settings(1));
  Started first = Start(Job("a"));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  Started second = Start(Job("b"));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 1));
  pool_->Cancel(first.id);
  EXPECT_TRUE(Get(std::move(first.outcome)).error().Is(kSearchCancelled));
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0)) << "the second search runs now";
  EXPECT_EQ(observer_.Deaths(), 0u) << "the engine stopped by itself";
  pool_->Cancel(second.id);
  EXPECT_TRUE(Get(std::move(second.outcome)).error().Is(kSearchCancelled));
}

TEST_F(EnginePoolTest, ACancelledSearchThatDoesNotStopCostsTheProcessNotTheNextCaller) {
  Open(Fake("deaf"), Settings(1));
  std::promise<void> searching;
  EnginePool::Job job = Job();
  job.on_line = [&searching](const Line&) { searching.set_value(); };
  Started first = Start(std::move(job));
  searching.get_future().wait();
  pool_->Cancel(first.id);
  EXPECT_TRUE(Get(std::move(first.outcome)).error().Is(kSearchCancelled));
  EXPECT_EQ(observer_.FirstDeath(), "did not stop searching");
  Started second = Start(Job());
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  pool_->Cancel(second.id);
}

TEST_F(EnginePoolTest, WaitingSearchesCanBeCancelled) {
  Open(Fake("until-stopped"), Settings(1));
  Started first = Start(Job());
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  Started second = Start(Job());
  pool_->Cancel(second.id);
  EXPECT_TRUE(Get(std::move(second.outcome)).error().Is(kSearchCancelled));
  pool_->Cancel(first.id);
}

TEST_F(EnginePoolTest, AnalysesLeaveAProcessToTheGames) {
  Open(Fake("until-stopped"), Settings(2));
  std::vector<Started> analyses;
  for (int i = 0; i < 3; ++i) {
    EnginePool::Job job = Job("analyst");
    job.urgency = Urgency::kPatient;
    analyses.push_back(Start(std::move(job)));
  }
  ASSERT_TRUE(observer_.EventuallyRunning(1, 2));
  EnginePool::Job move = Job("player");
  move.request.limits.time = Millis(1);
  EXPECT_TRUE(Search(std::move(move)));
  for (Started& analysis : analyses) pool_->Cancel(analysis.id);
}

TEST_F(EnginePoolTest, StoppingAnswersEverySearch) {
  Open(Fake("until-stopped"), Settings(1));
  Started running = Start(Job());
  ASSERT_TRUE(observer_.EventuallyRunning(1, 0));
  Started waiting = Start(Job());
  pool_.reset();
  EXPECT_TRUE(Get(std::move(running.outcome)).error().Is(kEngineUnavailable));
  EXPECT_TRUE(Get(std::move(waiting.outcome)).error().Is(kEngineUnavailable));
}

TEST_F(EnginePoolTest, ManyCallersAtOnceAreAllAnswered) {
  Open(Fake("obedient"), Settings(2));
  std::vector<std::thread> callers;
  std::atomic<int> answered{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([this, caller, &answered] {
      for (int i = 0; i < 25; ++i) {
        if (Search(Job(std::to_string(caller)))) ++answered;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answered, 100);
}

TEST_F(EnginePoolTest, TheLimitsReachTheEngineBounded) {
  Open(Fake("echo-go", Mark()), Settings(1));
  EnginePool::Job job = Job();
  job.request.limits = {};
  job.request.limits.nodes = 500;
  job.cap = Millis(7'000);
  ASSERT_TRUE(Search(std::move(job)));
  std::ifstream in(Mark());
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, "nodes 500 movetime 7000");
}

}  // namespace
}  // namespace komadai::engine
