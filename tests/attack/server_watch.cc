#include "tests/attack/server_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace komadai::attack {
namespace {

constexpr std::chrono::milliseconds kPause{20};

void Raise(std::atomic<std::int64_t>& most, std::int64_t value) {
  most = std::max<std::int64_t>(most, value);  // one thread writes
}

}  // namespace

Footprint FootprintOf(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  Footprint footprint;
  std::ifstream statm(process + "/statm");
  std::int64_t total = 0, resident = 0;
  statm >> total >> resident;
  footprint.resident_bytes = resident * sysconf(_SC_PAGESIZE);
  std::error_code gone;
  for (auto entry = std::filesystem::directory_iterator(process + "/fd", gone);
       entry != std::filesystem::directory_iterator(); entry.increment(gone)) {
    ++footprint.descriptors;
  }
  return footprint;
}

ServerWatch::ServerWatch(pid_t pid) : pid_(pid), thread_([this] { Loop(); }) {}

ServerWatch::~ServerWatch() {
  stop_ = true;
  thread_.join();
}

void ServerWatch::Loop() {
  while (!stop_) {
    const Footprint now = FootprintOf(pid_);
    Raise(resident_bytes_, now.resident_bytes);
    Raise(descriptors_, now.descriptors);
    std::this_thread::sleep_for(kPause);
  }
}

Footprint ServerWatch::Most() const { return {resident_bytes_, descriptors_}; }

}  // namespace komadai::attack
