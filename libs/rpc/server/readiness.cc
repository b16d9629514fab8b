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
  const MutexLock lock(mutex_);
  checks_.try_emplace(component);
  machines_.try_emplace(component);
}

void ReadinessMonitor::AddCheck(const std::string& component, std::string name, Check check) {
  AddComponent(component);
  checks_[component].emplace_back(std::move(name), std::move(check));
}

void ReadinessMonitor::Start() {
  RunRound();
  thread_ = std::thread([this] { Loop(); });
}

void ReadinessMonitor::Loop() {
  for (;;) {
    {
      const auto next = std::chrono::steady_clock::now() + interval_;
      MutexLock lock(mutex_);
      while (!stopping_ && wake_.WaitUntil(lock, next)) {
      }
      if (stopping_) return;
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
  for (const auto& [component, checks] : checks_) {
    std::string why;
    for (const auto& [name, check] : checks) {
      const std::string wrong = RunCheck(name, check);
      if (!wrong.empty()) why += (why.empty() ? "" : "; ") + wrong;
    }
    ReadinessState before;
    ReadinessState after;
    {
      const MutexLock lock(mutex_);
      ReadinessMachine& machine = machines_[component];
      before = machine.state();
      machine.Round(why.empty());
      after = machine.state();
    }
    if (before != after) on_change_(component, after, why);
  }
}

void ReadinessMonitor::Drain() {
  std::vector<std::string> changed;
  {
    const MutexLock lock(mutex_);
    for (auto& [component, machine] : machines_) {
      const ReadinessState before = machine.state();
      machine.Drain();
      if (machine.state() != before) changed.push_back(component);
    }
  }
  for (const std::string& component : changed) {
    on_change_(component, ReadinessState::kDraining, "the process is stopping");
  }
}

void ReadinessMonitor::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (auto& [component, machine] : machines_) machine.Stop();
  }
  wake_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

ReadinessState ReadinessMonitor::state(const std::string& component) const {
  const MutexLock lock(mutex_);
  const auto found = machines_.find(component);
  return found == machines_.end() ? ReadinessState::kStopped : found->second.state();
}

bool ReadinessMonitor::AllReady() const {
  const MutexLock lock(mutex_);
  return std::all_of(machines_.begin(), machines_.end(),
                     [](const auto& entry) { return entry.second.Serving(); });
}

}  // namespace komadai::rpc
