#include "libs/base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"

namespace komadai {
namespace {

Task<void> Nothing() { co_return; }

class Counter {
 public:
  void Add() {
    const MutexLock lock(mutex_);
    ++count_;
    changed_.NotifyAll();
  }
  void AddOutsideAndInside() {
    MutexLock lock(mutex_);
    ++count_;
    lock.Unlock();
    Add();
    lock.Lock();
    ++count_;
  }
  int WaitFor(int count) {
    MutexLock lock(mutex_);
    while (count_ < count) changed_.Wait(lock);
    return count_;
  }
  int WaitFor(int count, std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (count_ < count && changed_.WaitUntil(lock, until)) {
    }
    return count_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int count_ KOMADAI_GUARDED_BY(mutex_) = 0;
};

TEST(MutexTest, LetsOneThreadInAtATimeAndWakesTheOneThatWaits) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) counter.AddOutsideAndInside();
    });
  }
  EXPECT_EQ(counter.WaitFor(1200), 1200);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.WaitFor(1200, std::chrono::minutes(1)), 1200);
}

TEST(MutexTest, AWaitEndsAtItsInstant) {
  EXPECT_EQ(Counter().WaitFor(1, std::chrono::milliseconds(1)), 0);
}

#ifdef KOMADAI_CHECKS_WAITS
TEST(NoWaitingTest, NothingWaitsWhereWorkIsCompleted) {
  Counter counter;
  {
    const NoWaiting here;
    { const NoWaiting and_here; }
    EXPECT_EQ(counter.WaitFor(0), 0);  // there is nothing to wait for
    EXPECT_DEATH(counter.WaitFor(1), "may_wait");
    EXPECT_DEATH(counter.WaitFor(1, std::chrono::milliseconds(1)), "may_wait");
    EXPECT_DEATH(SyncWait(Nothing()), "may_wait");
    std::thread([] { SyncWait(Nothing()); }).join();  // another thread may wait
  }
  SyncWait(Nothing());
}
#endif

}  // namespace
}  // namespace komadai
