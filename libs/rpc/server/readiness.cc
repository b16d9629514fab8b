#include "libs/rpc/server/readiness.h"

#include <algorithm>
#include <exception>

namespace komadai::rpc {

std::string_view ReadinessStateName(ReadinessState state) {
  switch (state) {
    case ReadinessState::kStarting:
      return "STARTING";
    case ReadinessState::kReady:
      return "READY";
    case ReadinessState::kDegraded:
      return "DEGRADED";
    case ReadinessState::kDraining:
      return "DRAINING";
    case ReadinessState::kStopped:
      return "STOPPED";
  }
  return "UNKNOWN";
}

void ReadinessMachine::Round(bool all_passed) {
  switch (state_) {
    case ReadinessState::kStarting:
      if (all_passed) state_ = ReadinessState::kReady;
      return;
    case ReadinessState::kReady:
      streak_ = all_passed ? 0 : streak_ + 1;
      if (streak_ < kFailuresToDegrade) return;
      state_ = ReadinessState::kDegraded;
      break;
    case ReadinessState::kDegraded:
      streak_ = all_passed ? streak_ + 1 : 0;
      if (streak_ < kSuccessesToRecover) return;
      state_ = ReadinessState::kReady;
      break;
    case ReadinessState::kDraining:
    case ReadinessState::kStopped:
      return;
  }
  streak_ = 0;
}

void ReadinessMachine::Drain() {
  if (state_ != ReadinessState::kStopped) state_ = ReadinessState::kDraining;
}

void ReadinessMachine::Stop() { state_ = ReadinessState::kStopped; }

ReadinessMonitor::ReadinessMonitor(Millis interval, OnChange on_change)
    : interval_(interval), on_change_(std::move(on_change)) {}

ReadinessMonitor::~ReadinessMonitor() { Stop(); }

void ReadinessMonitor::AddComponent(const std::string& component) {
  const std::lock_guard lock(mutex_);
  components_.try_emplace(component);
}

void ReadinessMonitor::AddCheck(const std::string& component, std::string name, Check check) {
  const std::lock_guard lock(mutex_);
  components_[component].checks.emplace_back(std::move(name), std::move(check));
}

void ReadinessMonitor::Start() {
  RunRound();
  thread_ = std::thread([this] { Loop(); });
}

void ReadinessMonitor::Loop() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, interval_, [this] { return stopping_; })) return;
    }
    RunRound();
  }
}

namespace {

// What is wrong, or "". A check that throws has failed.
std::string RunCheck(const std::string& name, const ReadinessMonitor::Check& check) {
  try {
    const Status passed = check();
    return passed ? "" : name + ": " + passed.error().ToString();
  } catch (const std::exception& e) {
    return name + ": " + e.what();
  } catch (...) {
    return name + ": exception of unknown type";
  }
}

}  // namespace

void ReadinessMonitor::RunRound() {
  // Components and checks are fixed once Start() ran; only the machines need the lock.
  for (auto& [component, watched] : components_) {
    std::string why;
    for (const auto& [name, check] : watched.checks) {
      const std::string wrong = RunCheck(name, check);
      if (!wrong.empty()) why += (why.empty() ? "" : "; ") + wrong;
    }
    ReadinessState before;
    ReadinessState after;
    {
      const std::lock_guard lock(mutex_);
      before = watched.machine.state();
      watched.machine.Round(why.empty());
      after = watched.machine.state();
    }
    if (before != after) on_change_(component, after, why);
  }
}

void ReadinessMonitor::Drain() {
  std::vector<std::string> changed;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [component, watched] : components_) {
      const ReadinessState before = watched.machine.state();
      watched.machine.Drain();
      if (watched.machine.state() != before) changed.push_back(component);
    }
  }
  for (const std::string& component : changed) {
    on_change_(component, ReadinessState::kDraining, "the process is stopping");
  }
}

void ReadinessMonitor::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (auto& [component, watched] : components_) watched.machine.Stop();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

ReadinessState ReadinessMonitor::state(const std::string& component) const {
  const std::lock_guard lock(mutex_);
  const auto found = components_.find(component);
  return found == components_.end() ? ReadinessState::kStopped : found->second.machine.state();
}

bool ReadinessMonitor::AllReady() const {
  const std::lock_guard lock(mutex_);
  return std::all_of(components_.begin(), components_.end(),
                     [](const auto& entry) { return entry.second.machine.Serving(); });
}

}  // namespace komadai::rpc
