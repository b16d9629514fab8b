// EventLoop: one thread that waits for sockets, timers and posted work (epoll and an eventfd).
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace komadai::redis {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using TimerId = std::pair<Clock::time_point, std::uint64_t>;

  // Something with a file descriptor; called on the loop thread with epoll's event bits.
  class Source {
   public:
    virtual ~Source() = default;
    virtual void OnReady(std::uint32_t events) = 0;
  };

  // Called on the loop thread before every sleep: the place to send what has gathered, so that a
  // busy loop sends it in one piece.
  class Batcher {
   public:
    virtual ~Batcher() = default;
    virtual void BeforeSleep() = 0;
    // Whether there is something to do now; asked once more after the loop has declared itself
    // asleep, so that work queued meanwhile is not overlooked.
    virtual bool HasWork() = 0;
  };

  EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  // Ends the thread; work not yet run is dropped. Not from the loop thread.
  ~EventLoop();

  // Any thread:
  void Post(std::function<void()> work);
  // Runs the work on the loop thread and waits for its end (at once if this is that thread).
  void RunAndWait(std::function<void()> work);
  // Wakes the loop if it sleeps: after queueing work that a Batcher will find.
  void Wake();
  bool OnLoopThread() const;

  // Loop thread only:
  void Watch(int fd, std::uint32_t events, Source* source);
  void Rewatch(int fd, std::uint32_t events, Source* source);
  // Afterwards the source is not called again, not even for an event that was already fetched.
  void Unwatch(int fd, Source* source);
  void AddBatcher(Batcher* batcher);
  void RemoveBatcher(Batcher* batcher);
  TimerId RunAt(Clock::time_point when, std::function<void()> work);
  void Cancel(const TimerId& timer);

 private:
  void Run();
  void RunPosted();
  void RunTimers();
  int SleepMillis();
  void WaitForEvents(int timeout_ms);

  static constexpr int kMaxReady = 16;

  int epoll_fd_ = -1;
  int event_fd_ = -1;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> asleep_ = false;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;   // under mutex_
  std::array<epoll_event, kMaxReady> ready_{};  // what the last wait fetched
  std::vector<Batcher*> batchers_;
  std::map<TimerId, std::function<void()>> timers_;
  std::uint64_t next_timer_ = 0;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace komadai::redis
