#include "libs/redis/event_loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <future>

#include "libs/base/check.h"

namespace komadai::redis {
namespace {

thread_local const EventLoop* current_loop = nullptr;

}  // namespace

EventLoop::EventLoop()
    : epoll_fd_(::epoll_create1(EPOLL_CLOEXEC)),
      event_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  KOMADAI_CHECK(epoll_fd_ >= 0 && event_fd_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &event_fd_;  // stands for the eventfd; null stands for an unwatched source
  KOMADAI_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, event_fd_, &event) == 0);
  thread_ = std::thread([this] { Run(); });
}

EventLoop::~EventLoop() {
  KOMADAI_CHECK(!OnLoopThread());
  stopping_ = true;
  asleep_ = true;  // forces the write, whatever the loop is doing
  Wake();
  thread_.join();
  ::close(event_fd_);
  ::close(epoll_fd_);
}

bool EventLoop::OnLoopThread() const { return current_loop == this; }

void EventLoop::Post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  Wake();
}

void EventLoop::RunAndWait(std::function<void()> work) {
  if (OnLoopThread()) return work();
  std::promise<void> done;
  Post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

void EventLoop::Wake() {
  if (!asleep_.exchange(false)) return;
  const std::uint64_t one = 1;
  // The only possible failure is an overflow of the counter, when it is readable anyway.
  [[maybe_unused]] const ssize_t written = ::write(event_fd_, &one, sizeof one);
}

void EventLoop::Watch(int fd, std::uint32_t events, Source* source) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = source;
  KOMADAI_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0);
}

void EventLoop::Rewatch(int fd, std::uint32_t events, Source* source) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = source;
  KOMADAI_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd, &event) == 0);
}

void EventLoop::Unwatch(int fd, Source* source) {
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
  for (epoll_event& event : ready_) {
    if (event.data.ptr == source) event.data.ptr = nullptr;
  }
}

void EventLoop::AddBatcher(Batcher* batcher) { batchers_.push_back(batcher); }

void EventLoop::RemoveBatcher(Batcher* batcher) { std::erase(batchers_, batcher); }

EventLoop::TimerId EventLoop::RunAt(Clock::time_point when, std::function<void()> work) {
  const TimerId id{when, next_timer_++};
  timers_.emplace(id, std::move(work));
  return id;
}

void EventLoop::Cancel(const TimerId& timer) { timers_.erase(timer); }

void EventLoop::Run() {
  current_loop = this;
  while (!stopping_) {
    RunPosted();
    RunTimers();
    // By index: a batcher may end others (never itself) while it runs.
    for (std::size_t i = 0; i < batchers_.size(); ++i) batchers_[i]->BeforeSleep();
    asleep_ = true;
    bool work = stopping_;
    {
      const std::lock_guard lock(mutex_);
      work = work || !posted_.empty();
    }
    for (Batcher* batcher : batchers_) work = work || batcher->HasWork();
    WaitForEvents(work ? 0 : SleepMillis());
  }
}

void EventLoop::RunPosted() {
  std::vector<std::function<void()>> work;
  {
    const std::lock_guard lock(mutex_);
    work.swap(posted_);
  }
  for (auto& item : work) item();
}

void EventLoop::RunTimers() {
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const auto work = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    work();
  }
}

int EventLoop::SleepMillis() {
  if (timers_.empty()) return -1;
  const auto left = timers_.begin()->first.first - Clock::now();
  const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(millis, 0, 60'000));
}

void EventLoop::WaitForEvents(int timeout_ms) {
  const int count = ::epoll_wait(epoll_fd_, ready_.data(), kMaxReady, timeout_ms);
  asleep_ = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event event = ready_[static_cast<std::size_t>(i)];
    if (event.data.ptr == &event_fd_) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t got = ::read(event_fd_, &wakes, sizeof wakes);
    } else if (event.data.ptr != nullptr) {
      static_cast<Source*>(event.data.ptr)->OnReady(event.events);
    }
  }
  ready_ = {};
}

}  // namespace komadai::redis
