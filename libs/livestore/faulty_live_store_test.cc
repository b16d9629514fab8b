#include "libs/livestore/faulty_live_store.h"

#include <gtest/gtest.h>

#include <deque>

#include "libs/base/sync_wait.h"
#include "libs/livestore/memory_live_store.h"

namespace komadai::livestore {
namespace {

Transaction Create(const std::string& name) {
  Transaction transaction;
  transaction.partition = "p";
  transaction.changes.push_back({.name = name, .put_body = "x"});
  return transaction;
}

class FaultyLiveStoreTest : public ::testing::Test {
 protected:
  bool Exists(const std::string& name) { return SyncWait(inner_.Load("p", name))->has_value(); }

  SystemTimeSource time_;
  MemoryLiveStore inner_{time_};
  Fault next_ = Fault::kNone;
  FaultyLiveStore store_{inner_, [this](const Operation&) { return next_; }};
};

TEST_F(FaultyLiveStoreTest, WithoutAFaultItIsTheInnerStore) {
  EXPECT_TRUE(SyncWait(store_.Commit(Create("d")))->committed());
  EXPECT_TRUE(Exists("d"));
  EXPECT_TRUE(*SyncWait(store_.Load("p", "d")));
}

TEST_F(FaultyLiveStoreTest, FailuresSayWhetherSomethingMayHaveHappened) {
  next_ = Fault::kUnavailable;
  EXPECT_TRUE(SyncWait(store_.Commit(Create("a"))).error().Is(kUnavailable));
  next_ = Fault::kOverloaded;
  EXPECT_TRUE(SyncWait(store_.Commit(Create("b"))).error().Is(kOverloaded));
  next_ = Fault::kInDoubtNotDone;
  EXPECT_TRUE(SyncWait(store_.Commit(Create("c"))).error().Is(kInDoubt));
  next_ = Fault::kInDoubtDone;
  EXPECT_TRUE(SyncWait(store_.Commit(Create("d"))).error().Is(kInDoubt));
  EXPECT_FALSE(Exists("a") || Exists("b") || Exists("c"));
  EXPECT_TRUE(Exists("d"));
  EXPECT_TRUE(SyncWait(store_.Load("p", "d")).error().Is(kUnavailable))
      << "reads are never in doubt";
  EXPECT_FALSE(SyncWait(store_.Ping()));
}

TEST_F(FaultyLiveStoreTest, AnInventedConflictChangesNothing) {
  next_ = Fault::kConflict;
  const auto outcome = SyncWait(store_.Commit(Create("d")));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->conflict->name, "d");
  EXPECT_FALSE(Exists("d"));
  EXPECT_TRUE(SyncWait(store_.Load("p", "d")));
}

TEST_F(FaultyLiveStoreTest, TheScheduleDecidesWhenThingsHappenAndAnswersArrive) {
  std::deque<std::function<void()>> steps;
  FaultyLiveStore slow(inner_, {},
                       [&](std::function<void()> step) { steps.push_back(std::move(step)); });
  bool answered = false;
  Start(slow.Commit(Create("d")), [&](Result<CommitOutcome>) { answered = true; });
  EXPECT_FALSE(Exists("d"));
  ASSERT_EQ(steps.size(), 1u);
  steps.front()();
  EXPECT_TRUE(Exists("d"));
  EXPECT_FALSE(answered);
  ASSERT_EQ(steps.size(), 2u);
  steps.back()();
  EXPECT_TRUE(answered);
}

}  // namespace
}  // namespace komadai::livestore
