// RedisLiveStore when its server dies, stalls or turns read-only: nothing acknowledged is lost,
// nothing unacknowledged is called certain, and watchers learn that they must read again.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "libs/livestore/contract/store_contract.h"
#include "libs/livestore/redis_live_store.h"
#include "libs/testing/temp_redis.h"

namespace komadai::livestore {
namespace {

using namespace std::chrono_literals;
using Kind = Notification::Kind;

class RedisCrashTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = testing::TempRedis::Start();
    ASSERT_TRUE(started) << started.error().ToString();
    redis_ = *std::move(started);
  }
  redis::Options PatientOptions() const {
    redis::Options options = *redis::ParseUrl(redis_->Url());
    options.offline_patience = 30s;
    options.command_timeout = 30s;
    return options;
  }

  std::unique_ptr<testing::TempRedis> redis_;
};

Transaction Append(std::string name, Version expected, std::string event) {
  return One({.name = std::move(name),
              .expected_version = expected,
              .events = std::vector<std::string>{std::move(event)}});
}

// One player of moves: appends 0, 1, 2, ... to its own document, and after every doubt looks.
class Appender {
 public:
  Appender(LiveStore& store, std::string name) : store_(store), name_(std::move(name)) {}

  void RunUntil(const std::atomic<bool>& stop) {
    while (!stop) {
      const auto outcome = SyncWait(store_.Commit(Append(name_, version_, std::to_string(next_))));
      if (!outcome) {
        in_doubt_ += outcome.error().Is(kInDoubt) ? 1 : 0;
        EXPECT_EQ(outcome.error().code(), Code::kUnavailable) << outcome.error().ToString();
        Look();
        continue;
      }
      ASSERT_TRUE(outcome->committed()) << "nobody else writes here";
      version_ = outcome->documents[0].version;
      ++next_;
    }
  }

  // Everything acknowledged, and everything found by looking, in order and once.
  void ExpectEverythingIsThere() {
    std::int64_t count = 0;
    for (;;) {
      const auto page = SyncWait(store_.ReadJournal("p", name_, count, kMaxPage));
      ASSERT_TRUE(page) << page.error().ToString();
      if (page->events.empty()) break;
      for (const Event& event : page->events) {
        ASSERT_EQ(event.sequence, count + 1);
        ASSERT_EQ(event.payload, std::to_string(count));
        ++count;
      }
    }
    EXPECT_EQ(count, next_);
  }
  int in_doubt() const { return in_doubt_; }
  std::int64_t appended() const { return next_; }

 private:
  void Look() {
    for (;;) {
      const auto loaded = SyncWait(store_.Load("p", name_));
      if (!loaded) {
        EXPECT_TRUE(loaded.error().Is(kUnavailable)) << loaded.error().ToString();
        continue;
      }
      const Sequence found = *loaded ? (*loaded)->last_sequence : 0;
      ASSERT_TRUE(found == next_ || found == next_ + 1)
          << "acknowledged " << next_ << ", found " << found;
      next_ = found;
      version_ = *loaded ? (*loaded)->version : kAbsent;
      return;
    }
  }

  LiveStore& store_;
  const std::string name_;
  Version version_ = kAbsent;
  std::int64_t next_ = 0;
  int in_doubt_ = 0;
};

TEST_F(RedisCrashTest, NoAcknowledgedCommitIsLostWhenRedisIsKilled) {
  RedisLiveStore store(PatientOptions());
  std::vector<std::unique_ptr<Appender>> appenders;
  for (int i = 0; i < 8; ++i) {
    appenders.push_back(std::make_unique<Appender>(store, "d" + std::to_string(i)));
  }
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (auto& appender : appenders) {
    threads.emplace_back([&stop, &appender] { appender->RunUntil(stop); });
  }
  Recorder recorder;
  const auto subscription = store.Subscribe("p", "d0", recorder.Handler());
  for (int round = 0; round < 5; ++round) {
    // Let it get into full swing: some events of this round must have been heard.
    const std::size_t heard = recorder.Seen().size();
    ASSERT_TRUE(recorder.WaitForCount(heard + 20));
    redis_->Kill();
    ASSERT_TRUE(redis_->Restart());
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  std::int64_t appended = 0;
  for (auto& appender : appenders) {
    appender->ExpectEverythingIsThere();
    appended += appender->appended();
  }
  EXPECT_GT(appended, 100);
}

TEST_F(RedisCrashTest, AWatcherIsToldToResyncAfterAReconnectAndThenMissesNothing) {
  RedisLiveStore store(PatientOptions());
  Recorder recorder;
  const auto subscription = store.Subscribe("p", "d", recorder.Handler());
  ASSERT_TRUE(recorder.WaitForResync());
  ASSERT_TRUE(SyncWait(store.Commit(Append("d", kAnyVersion, "1"))));
  ASSERT_TRUE(recorder.WaitForCount(2));
  redis_->Kill();
  ASSERT_TRUE(redis_->Restart());
  ASSERT_TRUE(recorder.WaitUntil(
      [](const auto& seen) { return seen.back().kind == Kind::kResync && seen.size() == 3; }));
  auto outcome = SyncWait(store.Commit(Append("d", kAnyVersion, "2")));
  if (!outcome) outcome = SyncWait(store.Commit(Append("d", kAnyVersion, "2")));
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(recorder.WaitForCount(4));
  EXPECT_EQ(recorder.Seen().back().payload, "2");
}

TEST_F(RedisCrashTest, ACommitWithoutAnAnswerIsInDoubtAndAReadIsNot) {
  redis::Options options = PatientOptions();
  options.command_timeout = 100ms;
  RedisLiveStore store(options);
  auto ready = SyncWait(store.Ping());
  while (!ready) ready = SyncWait(store.Ping());
  redis_->Pause();
  const auto commit = SyncWait(store.Commit(Append("d", kAbsent, "x")));
  redis_->Resume();
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().Is(kInDoubt)) << commit.error().ToString();
  ready = SyncWait(store.Ping());
  while (!ready) ready = SyncWait(store.Ping());
  redis_->Pause();
  const auto read = SyncWait(store.Load("p", "d"));
  redis_->Resume();
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().Is(kUnavailable)) << read.error().ToString();
}

TEST_F(RedisCrashTest, WithoutAServerNothingIsInDoubtAndPingSaysNotReady) {
  redis_->Kill();
  redis::Options options = *redis::ParseUrl(redis_->Url());
  options.offline_patience = 20ms;
  RedisLiveStore store(options);
  const auto commit = SyncWait(store.Commit(Append("d", kAbsent, "x")));
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().Is(kUnavailable));
  EXPECT_FALSE(SyncWait(store.Ping()));
}

// By FLUSHALL, or by a restart of a server that kept nothing.
TEST_F(RedisCrashTest, AStoreThatWasEmptiedIsNotReadyForAWhileAndSaysWhy) {
  RedisLiveStore store(PatientOptions());
  auto ready = SyncWait(store.Ping());
  while (!ready) ready = SyncWait(store.Ping());
  RedisLiveStore replica(PatientOptions());  // finds the mark of the first
  ready = SyncWait(replica.Ping());
  while (!ready) ready = SyncWait(replica.Ping());
  redis::Client admin(std::make_shared<EventLoop>(), PatientOptions());
  ASSERT_TRUE(SyncWait(admin.Command({"FLUSHALL"})));
  for (RedisLiveStore* each : {&store, &replica}) {
    const Status emptied = SyncWait(each->Ping());
    ASSERT_FALSE(emptied);
    EXPECT_TRUE(emptied.error().Is(kLostData)) << emptied.error().ToString();
  }
  int failed = 1;
  while (!SyncWait(store.Ping())) ++failed;
  EXPECT_EQ(failed, RedisSafety::kAlarmedChecks);
}

TEST_F(RedisCrashTest, AServerThatKeepsNothingIsNotReadyUnlessThatIsAccepted) {
  redis::Client admin(std::make_shared<EventLoop>(), PatientOptions());
  ASSERT_TRUE(SyncWait(admin.Command({"CONFIG", "SET", "appendonly", "no"})));
  RedisLiveStore store(PatientOptions());
  const Status ready = SyncWait(store.Ping());
  ASSERT_FALSE(ready);
  EXPECT_TRUE(ready.error().Is(kNotDurable)) << ready.error().ToString();
  RedisLiveStore careless(PatientOptions(), nullptr, /*accept_loss=*/true);
  EXPECT_TRUE(SyncWait(careless.Ping()));
}

TEST_F(RedisCrashTest, AReplicaIsNotReady) {
  redis::Options options = PatientOptions();
  options.offline_patience = 50ms;
  RedisLiveStore store(options);
  auto ready = SyncWait(store.Ping());
  while (!ready) ready = SyncWait(store.Ping());
  redis::Options admin_options = PatientOptions();
  admin_options.require_primary = false;
  redis::Client admin(std::make_shared<EventLoop>(), admin_options);
  ASSERT_TRUE(SyncWait(admin.Command({"REPLICAOF", "127.0.0.1", "1"})));
  EXPECT_FALSE(SyncWait(store.Ping()));
  const auto commit = SyncWait(store.Commit(Append("d", kAbsent, "x")));
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().Is(kUnavailable)) << commit.error().ToString();
  ASSERT_TRUE(SyncWait(admin.Command({"REPLICAOF", "NO", "ONE"})));
  ready = SyncWait(store.Ping());
  while (!ready) ready = SyncWait(store.Ping());
  EXPECT_TRUE(SyncWait(store.Commit(Append("d", kAbsent, "x"))));
}

TEST_F(RedisCrashTest, AFullServerRefusesWithoutDoingHalf) {
  RedisLiveStore store(PatientOptions());
  ASSERT_TRUE(SyncWait(store.Commit(Append("d", kAbsent, "x"))));
  redis::Client admin(std::make_shared<EventLoop>(), PatientOptions());
  ASSERT_TRUE(SyncWait(admin.Command({"CONFIG", "SET", "maxmemory", "1"})));
  const auto commit = SyncWait(store.Commit(Append("d", kAnyVersion, "y")));
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().Is(kUnavailable)) << commit.error().ToString();
  ASSERT_TRUE(SyncWait(admin.Command({"CONFIG", "SET", "maxmemory", "0"})));
  EXPECT_EQ(SyncWait(store.ReadJournal("p", "d", 0, 10))->events.size(), 1u);
  EXPECT_TRUE(SyncWait(store.Commit(Append("d", kAnyVersion, "z"))));
}

TEST_F(RedisCrashTest, AStoreEndsWithOperationsAndSubscriptionsPending) {
  auto store = std::make_unique<RedisLiveStore>(PatientOptions());
  Recorder recorder;
  auto subscription = store->Subscribe("p", "d", recorder.Handler());
  ASSERT_TRUE(recorder.WaitForResync());
  redis_->Pause();
  std::atomic<int> failed = 0;
  for (int i = 0; i < 10; ++i) {
    Start(store->Commit(Append("d", kAnyVersion, "x")),
          [&](Result<CommitOutcome> outcome) { failed += outcome ? 0 : 1; });
  }
  store.reset();
  redis_->Resume();
  EXPECT_EQ(failed, 10);
  subscription.reset();  // outlived its store
}

}  // namespace
}  // namespace komadai::livestore
