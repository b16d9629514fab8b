// EventLoop: one thread that waits (epoll and an eventfd) for descriptors, timers and posted work.
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;  // timers must not follow a stepped wall clock
  using WatchId = std::uint64_t;
  using TimerId = std::pair<Clock::time_point, std::uint64_t>;

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
  // Ends the thread after the work posted so far; pending timers never fire. Not from the loop
  // thread.
  ~EventLoop();

  // Any thread:
  void Post(std::function<void()> work);
  // Runs the work on the loop thread and waits for its end (at once if this is that thread).
  void RunAndWait(std::function<void()> work);
  // Wakes the loop if it sleeps: after queueing work that a Batcher will find.
  void Wake();
  bool OnLoopThread() const;

  // Loop thread only:
  // `on_ready` gets the epoll events; `events` are EPOLLIN, EPOLLOUT. The descriptor stays the
  // caller's, who must Unwatch() before closing it.
  WatchId Watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> on_ready);
  void Rewatch(WatchId id, std::uint32_t events);
  // Afterwards the handler is not called again, not even for an event that was already fetched.
  void Unwatch(WatchId id);
  void AddBatcher(Batcher* batcher);
  void RemoveBatcher(Batcher* batcher);
  TimerId After(std::chrono::milliseconds delay, std::function<void()> work);
  // Cancelling a timer that has fired is harmless.
  void Cancel(const TimerId& timer);

 private:
  struct Watched {
    int fd;
    std::function<void(std::uint32_t)> on_ready;
  };

  void Run();
  bool RunPosted();  // whether there was any
  void RunTimers();
  int SleepMillis() const;
  void WaitForEvents(int timeout_ms);

  const int epoll_fd_;
  const int event_fd_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> asleep_ = false;
  Mutex mutex_;
  std::vector<std::function<void()>> posted_ KOMADAI_GUARDED_BY(mutex_);

  // Loop thread only. Events carry the watch id, not the descriptor: a number closed and opened
  // again within one batch of events must not receive its predecessor's event.
  std::unordered_map<WatchId, Watched> watched_;
  std::vector<Batcher*> batchers_;
  std::map<TimerId, std::function<void()>> timers_;
  std::uint64_t next_id_ = 1;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace komadai
