// Readiness: whether a process should get traffic. STARTING -> READY <-> DEGRADED -> DRAINING ->
// STOPPED.
//
// Liveness is something else and never depends on stores: a process that cannot reach Redis must
// not be restarted for it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/time.h"

namespace komadai::rpc {

enum class ReadinessState { kStarting, kReady, kDegraded, kDraining, kStopped };
std::string_view ReadinessStateName(ReadinessState state);

// The state machine alone; not thread-safe. Hysteresis: a single failed check does not take a ready
// process out of traffic, a single good one does not put it back.
class ReadinessMachine {
 public:
  static constexpr int kFailuresToDegrade = 2;
  static constexpr int kSuccessesToRecover = 2;

  // One round of checks has ended.
  void Round(bool all_passed);
  void Drain();
  void Stop();
  ReadinessState state() const { return state_; }
  bool Serving() const { return state_ == ReadinessState::kReady; }

 private:
  ReadinessState state_ = ReadinessState::kStarting;
  int streak_ = 0;  // equal outcomes in a row that argue for leaving the state
};

// Runs the checks of all components on one thread of its own and reports changes per component.
// Checks may block, but must bound themselves (about a second). Thread-safe.
class ReadinessMonitor {
 public:
  using Check = std::function<Status()>;
  // `state` of component `component`; called on the monitor's thread (on the caller's for Drain,
  // Stop).
  using OnChange = std::function<void(const std::string& component, ReadinessState state,
                                      const std::string& why)>;
  ReadinessMonitor(Millis interval, OnChange on_change);
  ~ReadinessMonitor();

  // Before Start(). A component without checks is ready after the first round.
  void AddComponent(const std::string& component);
  void AddCheck(const std::string& component, std::string name, Check check);

  // Runs the first round at once, on the caller's thread, then goes on in the background.
  void Start();
  void Drain();
  void Stop();
  ReadinessState state(const std::string& component) const;
  bool AllReady() const;

 private:
  using NamedChecks = std::vector<std::pair<std::string, Check>>;
  void RunRound();
  void Loop();

  const Millis interval_;
  const OnChange on_change_;
  std::map<std::string, NamedChecks> checks_;  // by component; fixed once Start() ran
  mutable Mutex mutex_;
  CondVar wake_;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::map<std::string, ReadinessMachine> machines_ KOMADAI_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace komadai::rpc
