#include "services/engine/process/event_loop.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <future>

#include "libs/base/check.h"

namespace komadai::engine {

namespace {
constexpr EventLoop::WatchId kWakeId = 0;
constexpr int kMaxEventsPerWait = 64;
}  // namespace

EventLoop::EventLoop()
    : epoll_fd_(epoll_create1(EPOLL_CLOEXEC)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  KOMADAI_CHECK(epoll_fd_ >= 0 && wake_fd_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeId;
  KOMADAI_CHECK(epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, &event) == 0);
  thread_ = std::thread([this] { Loop(); });
}

EventLoop::~EventLoop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  Wake();
  thread_.join();
  close(wake_fd_);
  close(epoll_fd_);
}

void EventLoop::Post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  Wake();
}

void EventLoop::RunAndWait(std::function<void()> work) {
  KOMADAI_CHECK(!InLoop());
  std::promise<void> done;
  Post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

EventLoop::WatchId EventLoop::Watch(int fd, std::uint32_t events,
                                    std::function<void(std::uint32_t)> on_ready) {
  const WatchId id = next_id_++;
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  KOMADAI_CHECK(epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0);
  watched_.emplace(id, Watched{fd, std::move(on_ready)});
  return id;
}

void EventLoop::Rewatch(WatchId id, std::uint32_t events) {
  const auto found = watched_.find(id);
  if (found == watched_.end()) return;
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  KOMADAI_CHECK(epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, found->second.fd, &event) == 0);
}

void EventLoop::Unwatch(WatchId id) {
  const auto found = watched_.find(id);
  if (found == watched_.end()) return;
  epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, found->second.fd, nullptr);
  watched_.erase(found);
}

EventLoop::TimerId EventLoop::After(std::chrono::milliseconds delay, std::function<void()> work) {
  const TimerId id{Clock::now() + delay, next_id_++};
  timers_.emplace(id, std::move(work));
  return id;
}

void EventLoop::Loop() {
  // Signals are for the server's main thread; and writing to a dead child must be an error (EPIPE),
  // not the end of this process.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);

  std::array<epoll_event, kMaxEventsPerWait> events;
  for (;;) {
    const int count = epoll_wait(epoll_fd_, events.data(), kMaxEventsPerWait, MillisToNextTimer());
    for (int i = 0; i < count; ++i) {
      const WatchId id = events[i].data.u64;  // a copy: references into a packed struct are none
      if (id == kWakeId) {
        std::uint64_t ignored;
        [[maybe_unused]] const ssize_t n = read(wake_fd_, &ignored, sizeof ignored);
        continue;
      }
      const auto found = watched_.find(id);
      if (found == watched_.end()) continue;         // unwatched by an earlier event of this batch
      const auto on_ready = found->second.on_ready;  // a copy: the handler may unwatch itself
      on_ready(events[i].events);
    }
    RunPosted();
    RunDueTimers();
    const std::lock_guard lock(mutex_);
    if (stopping_ && posted_.empty()) return;
  }
}

void EventLoop::RunPosted() {
  std::vector<std::function<void()>> work;
  {
    const std::lock_guard lock(mutex_);
    work.swap(posted_);
  }
  for (auto& function : work) function();
}

void EventLoop::RunDueTimers() {
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const auto work = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    work();
  }
}

int EventLoop::MillisToNextTimer() const {
  if (timers_.empty()) return -1;
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 60'000));
}

void EventLoop::Wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wake_fd_, &one, sizeof one);
}

}  // namespace komadai::engine
