#include "libs/eventloop/event_loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace komadai {
namespace {

TEST(EventLoopTest, PostedWorkRunsInOrderOnTheLoop) {
  EventLoop loop;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i) loop.Post([&seen, i] { seen.push_back(i); });
  bool in_loop = false;
  loop.RunAndWait([&] { in_loop = loop.OnLoopThread(); });
  EXPECT_TRUE(in_loop);
  EXPECT_FALSE(loop.OnLoopThread());
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(EventLoopTest, TimersFireInTheOrderOfTheirDelays) {
  EventLoop loop;
  std::promise<void> done;
  std::vector<int> seen;
  loop.Post([&] {
    loop.After(std::chrono::milliseconds(20), [&] {
      seen.push_back(2);
      done.set_value();
    });
    loop.After(std::chrono::milliseconds(1), [&] { seen.push_back(1); });
  });
  done.get_future().wait();
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST(EventLoopTest, ACancelledTimerDoesNotFire) {
  EventLoop loop;
  std::promise<void> done;
  bool fired = false;
  loop.Post([&] {
    const auto id = loop.After(std::chrono::milliseconds(1), [&] { fired = true; });
    loop.Cancel(id);
    loop.After(std::chrono::milliseconds(5), [&] { done.set_value(); });
  });
  done.get_future().wait();
  EXPECT_FALSE(fired);
}

TEST(EventLoopTest, ReportsReadinessUntilUnwatched) {
  EventLoop loop;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::promise<char> got;
  loop.RunAndWait([&] {
    auto id = std::make_shared<EventLoop::WatchId>();
    *id = loop.Watch(ends[0], EPOLLIN, [&, id](std::uint32_t) {
      char c = 0;
      EXPECT_EQ(read(ends[0], &c, 1), 1);
      loop.Unwatch(*id);
      got.set_value(c);
    });
  });
  ASSERT_EQ(write(ends[1], "ab", 2), 2);
  EXPECT_EQ(got.get_future().get(), 'a');
  loop.RunAndWait([] {});  // a second call of the handler would throw: the promise is used up
  close(ends[0]);
  close(ends[1]);
}

TEST(EventLoopTest, AnEventThatWasFetchedDoesNotReachAnUnwatchedHandler) {
  EventLoop loop;
  int first[2];
  int second[2];
  ASSERT_EQ(pipe(first), 0);
  ASSERT_EQ(pipe(second), 0);
  int calls = 0;
  loop.RunAndWait([&] {
    // Both are ready at the next wait; the one that is told first unwatches both.
    auto ids = std::make_shared<std::vector<EventLoop::WatchId>>();
    for (const int fd : {first[0], second[0]}) {
      ids->push_back(loop.Watch(fd, EPOLLIN, [&, ids](std::uint32_t) {
        ++calls;
        const std::vector<EventLoop::WatchId> all = *ids;  // Unwatch() ends this handler
        for (const EventLoop::WatchId id : all) loop.Unwatch(id);
      }));
    }
    ASSERT_EQ(write(first[1], "a", 1), 1);
    ASSERT_EQ(write(second[1], "b", 1), 1);
  });
  std::promise<void> later;
  loop.Post([&] { loop.After(std::chrono::milliseconds(1), [&] { later.set_value(); }); });
  later.get_future().wait();
  EXPECT_EQ(calls, 1);
  for (const int fd : {first[0], first[1], second[0], second[1]}) close(fd);
}

TEST(EventLoopTest, WorkPostedBeforeTheEndIsDone) {
  int done = 0;
  {
    EventLoop loop;
    std::promise<void> go;
    // Keeps the loop busy until all of it is posted, also what posts more.
    loop.Post([future = go.get_future().share()] { future.wait(); });
    loop.Post([&] {
      ++done;
      loop.Post([&] { ++done; });
    });
    go.set_value();
  }
  EXPECT_EQ(done, 2);
}

TEST(EventLoopTest, RunAndWaitOnTheLoopRunsAtOnce) {
  EventLoop loop;
  bool ran = false;
  loop.RunAndWait([&] { loop.RunAndWait([&] { ran = true; }); });
  EXPECT_TRUE(ran);
}

// Takes what any thread queues, as a client of a connection does.
class Gathering final : public EventLoop::Batcher {
 public:
  void BeforeSleep() override {
    if (const int taken = queued.exchange(0); taken > 0) {
      total += taken;
      if (total == 100) all.set_value();
    }
  }
  bool HasWork() override { return queued > 0; }

  std::atomic<int> queued = 0;
  int total = 0;
  std::promise<void> all;
};

TEST(EventLoopTest, ABatcherFindsWhatWasQueuedBeforeAWake) {
  EventLoop loop;
  Gathering gathering;
  loop.RunAndWait([&] { loop.AddBatcher(&gathering); });
  for (int i = 0; i < 100; ++i) {
    ++gathering.queued;
    loop.Wake();
  }
  gathering.all.get_future().wait();
  loop.RunAndWait([&] { loop.RemoveBatcher(&gathering); });
  EXPECT_EQ(gathering.total, 100);
}

}  // namespace
}  // namespace komadai
