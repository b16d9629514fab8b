#include "services/engine/process/event_loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <memory>
#include <vector>

namespace komadai::engine {
namespace {

TEST(EventLoopTest, PostedWorkRunsInOrderOnTheLoop) {
  EventLoop loop;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i) loop.Post([&seen, i] { seen.push_back(i); });
  bool in_loop = false;
  loop.RunAndWait([&] { in_loop = loop.InLoop(); });
  EXPECT_TRUE(in_loop);
  EXPECT_FALSE(loop.InLoop());
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

}  // namespace
}  // namespace komadai::engine
