// The commands on every store they run on: memory, SQLite and a real Redis pass one suite.
#include "services/clock/app/clocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <thread>

#include "libs/livestore/memory_live_store.h"
#include "libs/livestore/redis_live_store.h"
#include "libs/livestore/sqlite_live_store.h"
#include "libs/sqlite/database.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_redis.h"
#include "services/clock/testing/replicas.h"

namespace komadai::clock {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

timecontrol::TimeControl FiveMinutesThreePeriods() {
  const timecontrol::SideTime time{
      .main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  return {.first = time, .second = time};
}

class Backend {
 public:
  virtual ~Backend() = default;
  // A connection for one process.
  virtual livestore::LiveStore& Connect() = 0;
};
using MakeBackend = std::function<std::unique_ptr<Backend>(const TimeSource& time)>;

class MemoryBackend final : public Backend {
 public:
  explicit MemoryBackend(const TimeSource& time) : store_(time) {}
  livestore::LiveStore& Connect() override { return store_; }

 private:
  livestore::MemoryLiveStore store_;
};

class RedisBackend final : public Backend {
 public:
  explicit RedisBackend(const TimeSource& /*time*/) : redis_(*testing::TempRedis::Start()) {}
  livestore::LiveStore& Connect() override {
    redis::Options options = *redis::ParseUrl(redis_->Url());
    options.offline_patience = seconds(30);
    options.command_timeout = seconds(30);
    stores_.push_back(std::make_unique<livestore::RedisLiveStore>(options));
    return *stores_.back();
  }

 private:
  std::unique_ptr<testing::TempRedis> redis_;
  std::vector<std::unique_ptr<livestore::RedisLiveStore>> stores_;
};

class SqliteBackend final : public Backend {
 public:
  explicit SqliteBackend(const TimeSource& /*time*/) {
    sqlite::Options options;
    options.path = directory_.File("live.db");
    database_ = *sqlite::Database::Open(std::move(options), time_);
    store_ = *SyncWait(livestore::SqliteLiveStore::Open(*database_, time_));
  }
  // One process at a time owns such a file, so all replicas share its store.
  livestore::LiveStore& Connect() override { return *store_; }

 private:
  const SystemTimeSource time_;  // of the store's own timeouts
  testing::TempDir directory_;
  std::unique_ptr<sqlite::Database> database_;
  std::unique_ptr<livestore::SqliteLiveStore> store_;
};

struct Store {
  const char* name;
  MakeBackend make;
};

class ClocksTest : public ::testing::TestWithParam<Store> {
 protected:
  static void ExpectRefused(const Result<Answer>& answer, const Reason& reason) {
    ASSERT_FALSE(answer) << reason.name;
    EXPECT_TRUE(answer.error().Is(reason)) << answer.error().ToString();
  }

  HandClock time_;
  std::unique_ptr<Backend> backend_ = GetParam().make(time_);
  Replica a_{backend_->Connect(), time_, "a"};
  Replica b_{backend_->Connect(), time_, "b"};
};

TEST_P(ClocksTest, AStartedClockRuns) {
  const Result<Answer> started = a_.Start("g", FiveMinutesThreePeriods(), kStart);
  ASSERT_TRUE(started);
  EXPECT_EQ(started->reading.running, Side::kFirst);
  EXPECT_EQ(started->reading.deadline, kStart + minutes(5) + seconds(90));
  time_.Advance(seconds(12));
  const Result<Answer> read = b_.Get("g");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reading.at, kStart + seconds(12));
  EXPECT_EQ(read->reading.first.main_left, minutes(5) - seconds(12));
}

TEST_P(ClocksTest, ASecondStartReturnsTheClockAsItStands) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  ASSERT_TRUE(a_.Press("g", 0, kStart + seconds(5)));
  const Result<Answer> again = b_.Start("g", FiveMinutesThreePeriods(), kStart);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reading.ply, 1);
  ExpectRefused(a_.Start("g", {}, kStart), kClockExists);
}

TEST_P(ClocksTest, AnInvalidControlMakesNoClock) {
  ExpectRefused(a_.Start("g", {.first = {.main = Millis(-1)}, .second = {}}, kStart),
                timecontrol::kMainTimeOutOfRange);
  ExpectRefused(a_.Get("g"), kClockNotFound);
}

TEST_P(ClocksTest, AnUnknownGameHasNoClock) {
  ExpectRefused(a_.Press("g", 0, kStart), kClockNotFound);
  ExpectRefused(a_.Stop("g", kStart), kClockNotFound);
  ExpectRefused(a_.Rewind("g", "takeback", 0, kStart), kClockNotFound);
}

TEST_P(ClocksTest, AnyReplicaServesAnyClock) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  TimePoint at = kStart;
  for (int ply = 0; ply < 20; ++ply) {
    at += seconds(3);
    const Result<Answer> pressed = (ply % 3 == 0 ? b_ : a_).Press("g", ply, at);
    ASSERT_TRUE(pressed) << pressed.error().ToString();
    EXPECT_EQ(pressed->used, seconds(3));
    EXPECT_EQ(pressed->reading.ply, ply + 1);
  }
}

TEST_P(ClocksTest, TheSamePlyAgainGetsTheFirstAnswerFromAnyReplicaForEver) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  std::vector<Answer> answers;
  for (int ply = 0; ply < 12; ++ply) {
    answers.push_back(*a_.Press("g", ply, kStart + seconds(ply * (ply + 1))));
  }
  ASSERT_TRUE(a_.Stop("g", kStart + minutes(6)));
  for (int ply = 0; ply < 12; ++ply) {
    const Result<Answer> again = (ply % 2 == 0 ? a_ : b_).Press("g", ply, kStart + hours(1));
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(again->reading, answers[static_cast<std::size_t>(ply)].reading);
    EXPECT_EQ(again->used, answers[static_cast<std::size_t>(ply)].used);
  }
}

TEST_P(ClocksTest, APlyThatWasNotReachedIsStale) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  ExpectRefused(a_.Press("g", 1, kStart), kStalePly);
}

TEST_P(ClocksTest, APressAtTheDeadlineIsTooLateAndOneBeforeItCountsUntilTheFlagFalls) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  const TimePoint deadline = kStart + minutes(5) + seconds(90);
  const Result<Answer> late = a_.Press("g", 0, deadline);
  ExpectRefused(late, timecontrol::kTimeIsUp);
  EXPECT_EQ(late.error().metadata().at("side"), "first");
  EXPECT_EQ(late.error().metadata().at("deadline_ms"), std::to_string(ToUnixMillis(deadline)));
  time_.Advance(hours(1));
  EXPECT_TRUE(a_.Press("g", 0, deadline - Millis(1))) << "nobody has let the flag fall";
}

TEST_P(ClocksTest, NoRefusalRestsOnWhatAReplicaRemembers) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  ASSERT_TRUE(b_.AddTime("g", "gift-001", Side::kFirst, minutes(10), kStart));
  // Replica a still believes in the old deadline, then in the old ply.
  EXPECT_TRUE(a_.Press("g", 0, kStart + minutes(7)));
  ASSERT_TRUE(b_.Press("g", 1, kStart + minutes(8)));
  EXPECT_TRUE(a_.Press("g", 2, kStart + minutes(9)));
  ASSERT_TRUE(b_.Rewind("g", "takeback", 2, kStart + minutes(10)));
  const Result<Answer> pressed = a_.Press("g", 2, kStart + minutes(11));
  ASSERT_TRUE(pressed);
  EXPECT_EQ(pressed->used, minutes(1)) << "a new press, not a repeat of the one taken back";
}

TEST_P(ClocksTest, ATakebackReachesBackAnyNumberOfPlies) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  for (int ply = 0; ply < 9; ++ply) {
    ASSERT_TRUE(a_.Press("g", ply, kStart + seconds(10 * (ply + 1))));
  }
  const Result<Answer> rewound = b_.Rewind("g", "takeback", 4, kStart + seconds(100));
  ASSERT_TRUE(rewound) << rewound.error().ToString();
  EXPECT_EQ(rewound->reading.ply, 4);
  EXPECT_EQ(rewound->reading.running, Side::kFirst);
  EXPECT_EQ(rewound->reading.first.main_left, minutes(5) - seconds(20));
  EXPECT_EQ(rewound->reading.second.main_left, minutes(5) - seconds(20));
  // Plies are played anew, and the new presses are the ones that count from then on.
  ASSERT_TRUE(a_.Press("g", 4, kStart + seconds(101)));
  ASSERT_TRUE(a_.Press("g", 5, kStart + seconds(103)));
  EXPECT_EQ(a_.Press("g", 4, kStart + hours(1))->used, seconds(1));
  EXPECT_EQ(b_.Rewind("g", "takeback-2", 3, kStart + seconds(105))->reading.ply, 3);
}

TEST_P(ClocksTest, AdjustmentsCountOncePerRequest) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  ASSERT_TRUE(a_.AddTime("g", "gift-001", Side::kSecond, seconds(15), kStart));
  const Result<Answer> again = b_.AddTime("g", "gift-001", Side::kSecond, seconds(15), kStart);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reading.second.main_left, minutes(5) + seconds(15));
}

TEST_P(ClocksTest, AStoppedClockStaysStoppedAndHasNoDeadline) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  const Result<Answer> stopped = a_.Stop("g", kStart + seconds(3));
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->reading.running, std::nullopt);
  const Result<Answer> again = b_.Stop("g", kStart + seconds(30));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reading, stopped->reading);
  ExpectRefused(a_.Press("g", 0, kStart + seconds(4)), timecontrol::kClockStopped);
  const auto deadlines = SyncWait(
      a_.store().Deadlines(ClockStore::ShardOf("g"), timecontrol::kMaxInstant, std::nullopt));
  EXPECT_TRUE(deadlines->empty());
}

TEST_P(ClocksTest, APressIsOneRoundTripAtAnyPly) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  TimePoint at = kStart;
  for (int ply = 0; ply < 300; ++ply) {
    at += Millis(700);
    const int before = a_.operations;
    ASSERT_TRUE(a_.Press("g", ply, at));
    EXPECT_EQ(a_.operations - before, 1);
  }
}

TEST_P(ClocksTest, TwoPressesOfOnePlyGetOneAnswer) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  for (int ply = 0; ply < 60; ++ply) {
    const TimePoint at = kStart + seconds(ply + 1);
    std::vector<Result<Answer>> answers(4, Error(kInternal, "not answered"));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      // Each has another stamp; whichever comes first counts for all.
      threads.emplace_back([&, i] {
        answers[i] = (i % 2 == 0 ? a_ : b_).Press("g", ply, at + Millis(static_cast<int>(i)));
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Result<Answer>& answer : answers) {
      ASSERT_TRUE(answer) << answer.error().ToString();
      EXPECT_EQ(answer->reading, answers[0]->reading);
      EXPECT_EQ(answer->used, answers[0]->used);
    }
  }
}

TEST_P(ClocksTest, AdjustmentsAndPressesAtOnceAllCount) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      Replica& replica = i % 2 == 0 ? a_ : b_;
      const std::string id = "gift-" + std::to_string(i);
      // A contended command may be refused as such and is then safe to repeat.
      for (;;) {
        const auto added = replica.AddTime("g", id, Side::kSecond, seconds(10), kStart);
        if (added) return;
        ASSERT_TRUE(added.error().Is(kContention)) << added.error().ToString();
      }
    });
  }
  ASSERT_TRUE(a_.Press("g", 0, kStart + seconds(1)));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(b_.Get("g")->reading.second.main_left, minutes(5) + seconds(40));
  EXPECT_EQ(b_.Get("g")->reading.ply, 1);
}

TEST_P(ClocksTest, APressAgainstItsExpiryNeverHasBoth) {
  const TimePoint deadline = kStart + minutes(5) + seconds(90);
  for (int round = 0; round < 40; ++round) {
    const std::string game = "game-" + std::to_string(round);
    ASSERT_TRUE(a_.Start(game, FiveMinutesThreePeriods(), kStart));
  }
  time_.Advance(deadline + ExpirySchedule::kPressGrace - kStart);
  std::thread ticking([this] { a_.expiries().Tick(); });
  std::set<std::string> pressed_games;
  for (int round = 0; round < 40; ++round) {
    const std::string game = "game-" + std::to_string(round);
    // Odd ones were received in time, even ones were not.
    const Result<Answer> pressed = b_.Press(game, 0, deadline - Millis(round % 2));
    if (pressed) pressed_games.insert(game);
    EXPECT_FALSE(pressed && round % 2 == 0);
  }
  ticking.join();
  a_.expiries().Close();  // waits for the announcements under way
  for (const auto& [expiry, at] : a_.Heard()) {
    EXPECT_EQ(expiry.ply, 0) << "an expiry is of the ply whose deadline passed";
    EXPECT_GE(at, expiry.deadline);
    EXPECT_FALSE(pressed_games.contains(expiry.game_id)) << "pressed, and flagged all the same";
  }
}

TEST_P(ClocksTest, AnExpiryReachesTheWatchersOfAllReplicas) {
  ASSERT_TRUE(a_.Start("g", FiveMinutesThreePeriods(), kStart));
  time_.Advance(minutes(7));
  const auto give_up = std::chrono::steady_clock::now() + seconds(60);
  while ((a_.Heard().empty() || b_.Heard().empty()) && std::chrono::steady_clock::now() < give_up) {
    a_.expiries().Tick();
    time_.Advance(Millis(100));
    std::this_thread::yield();
  }
  EXPECT_FALSE(a_.Heard().empty());
  EXPECT_FALSE(b_.Heard().empty());
}

template <typename T>
std::unique_ptr<Backend> Make(const TimeSource& time) {
  return std::make_unique<T>(time);
}

INSTANTIATE_TEST_SUITE_P(Stores, ClocksTest,
                         ::testing::Values(Store{"Memory", Make<MemoryBackend>},
                                           Store{"Sqlite", Make<SqliteBackend>},
                                           Store{"Redis", Make<RedisBackend>}),
                         [](const ::testing::TestParamInfo<Store>& store) {
                           return store.param.name;
                         });

}  // namespace
}  // namespace komadai::clock
