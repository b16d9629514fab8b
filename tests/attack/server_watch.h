// ServerWatch: the memory and the descriptors that a process takes at most while it is watched.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace komadai::attack {

struct Footprint {
  std::int64_t resident_bytes = 0;
  std::int64_t descriptors = 0;
};

Footprint FootprintOf(pid_t pid);

class ServerWatch {
 public:
  explicit ServerWatch(pid_t pid);
  ServerWatch(const ServerWatch&) = delete;
  ServerWatch& operator=(const ServerWatch&) = delete;
  ~ServerWatch();

  // The largest values seen so far.
  Footprint Most() const;

 private:
  void Loop();

  const pid_t pid_;
  std::atomic<std::int64_t> resident_bytes_{0};
  std::atomic<std::int64_t> descriptors_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace komadai::attack
