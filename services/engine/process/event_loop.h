// EventLoop: one thread that waits (epoll) for the pipes and timers of all engine processes.
//
// Post() and InLoop() may be called from any thread; everything else only on the loop's thread,
// i.e. from a posted function, a descriptor handler or a timer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace komadai::engine {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;  // timers must not follow a stepped wall clock
  using WatchId = std::uint64_t;
  using TimerId = std::pair<Clock::time_point, std::uint64_t>;

  EventLoop();
  // Ends the thread after the functions posted so far; timers still pending never fire.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void Post(std::function<void()> work);
  // Runs `work` on the loop and waits for it. Never call it from the loop itself.
  void RunAndWait(std::function<void()> work);
  bool InLoop() const { return std::this_thread::get_id() == thread_.get_id(); }

  // `on_ready` gets the epoll events; `events` are EPOLLIN, EPOLLOUT. The descriptor stays the
  // caller's, who must Unwatch() before closing it.
  WatchId Watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> on_ready);
  void Rewatch(WatchId id, std::uint32_t events);
  void Unwatch(WatchId id);

  TimerId After(std::chrono::milliseconds delay, std::function<void()> work);
  // Cancelling a timer that has fired is harmless.
  void Cancel(TimerId id) { timers_.erase(id); }

 private:
  struct Watched {
    int fd;
    std::function<void(std::uint32_t)> on_ready;
  };

  void Loop();
  void RunPosted();
  void RunDueTimers();
  int MillisToNextTimer() const;
  void Wake();

  const int epoll_fd_;
  const int wake_fd_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  bool stopping_ = false;

  // Loop thread only. Events carry the watch id, not the descriptor: a number closed and opened
  // again within one batch of events must not receive its predecessor's event.
  std::unordered_map<WatchId, Watched> watched_;
  std::map<TimerId, std::function<void()>> timers_;
  std::uint64_t next_id_ = 1;
  std::thread thread_;  // last: starts when everything above exists
};

}  // namespace komadai::engine
