#include "libs/eventloop/event_loop.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <future>

#include "libs/base/check.h"
#include "libs/base/no_waiting.h"

namespace komadai {
namespace {

constexpr EventLoop::WatchId kWakeId = 0;
constexpr int kMaxEventsPerWait = 64;

thread_local const EventLoop* current_loop = nullptr;

epoll_event EventOf(EventLoop::WatchId id, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return event;
}

}  // namespace

EventLoop::EventLoop()
    : epoll_fd_(::epoll_create1(EPOLL_CLOEXEC)),
      event_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  KOMADAI_CHECK(epoll_fd_ >= 0 && event_fd_ >= 0);
  epoll_event event = EventOf(kWakeId, EPOLLIN);
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
    const MutexLock lock(mutex_);
    posted_.push_back(std::move(work));
  }
  Wake();
}

void EventLoop::RunAndWait(std::function<void()> work) {
  if (OnLoopThread()) return work();
  NoWaiting::Check();
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

EventLoop::WatchId EventLoop::Watch(int fd, std::uint32_t events,
                                    std::function<void(std::uint32_t)> on_ready) {
  const WatchId id = next_id_++;
  epoll_event event = EventOf(id, events);
  KOMADAI_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0);
  watched_.emplace(id, Watched{fd, std::move(on_ready)});
  return id;
}

void EventLoop::Rewatch(WatchId id, std::uint32_t events) {
  const auto found = watched_.find(id);
  if (found == watched_.end()) return;
  epoll_event event = EventOf(id, events);
  KOMADAI_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, found->second.fd, &event) == 0);
}

void EventLoop::Unwatch(WatchId id) {
  const auto found = watched_.find(id);
  if (found == watched_.end()) return;
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, found->second.fd, nullptr);
  watched_.erase(found);
}

void EventLoop::AddBatcher(Batcher* batcher) { batchers_.push_back(batcher); }

void EventLoop::RemoveBatcher(Batcher* batcher) { std::erase(batchers_, batcher); }

EventLoop::TimerId EventLoop::After(std::chrono::milliseconds delay, std::function<void()> work) {
  const TimerId id{Clock::now() + delay, next_id_++};
  timers_.emplace(id, std::move(work));
  return id;
}

void EventLoop::Cancel(const TimerId& timer) { timers_.erase(timer); }

void EventLoop::Run() {
  current_loop = this;
  const NoWaiting here;
  // Signals are for the server's main thread; and writing to a dead child or a closed socket must
  // be an error (EPIPE), not the end of this process.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);

  while (!stopping_) {
    RunPosted();
    RunTimers();
    // By index: a batcher may end others (never itself) while it runs.
    for (std::size_t i = 0; i < batchers_.size(); ++i) batchers_[i]->BeforeSleep();
    asleep_ = true;
    bool work = stopping_;
    {
      const MutexLock lock(mutex_);
      work = work || !posted_.empty();
    }
    for (Batcher* batcher : batchers_) work = work || batcher->HasWork();
    WaitForEvents(work ? 0 : SleepMillis());
  }
  while (RunPosted()) {
  }
}

bool EventLoop::RunPosted() {
  std::vector<std::function<void()>> work;
  {
    const MutexLock lock(mutex_);
    work.swap(posted_);
  }
  for (auto& function : work) function();
  return !work.empty();
}

void EventLoop::RunTimers() {
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const auto work = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    work();
  }
}

int EventLoop::SleepMillis() const {
  if (timers_.empty()) return -1;
  const auto left = timers_.begin()->first.first - Clock::now();
  const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(millis, 0, 60'000));
}

void EventLoop::WaitForEvents(int timeout_ms) {
  std::array<epoll_event, kMaxEventsPerWait> events;
  const int count = ::epoll_wait(epoll_fd_, events.data(), kMaxEventsPerWait, timeout_ms);
  asleep_ = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const WatchId id = event.data.u64;  // a copy: the struct is packed, no reference may bind to it
    if (id == kWakeId) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t got = ::read(event_fd_, &wakes, sizeof wakes);
      continue;
    }
    const auto found = watched_.find(id);
    if (found == watched_.end()) continue;         // unwatched by an earlier event of this batch
    const auto on_ready = found->second.on_ready;  // a copy: the handler may unwatch itself
    on_ready(event.events);
  }
}

}  // namespace komadai
