// Ledger: what the players of one game have sent and what they were answered. Thread-safe.
#pragma once

#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "tests/chaos/evidence.h"

namespace komadai::chaos {

class Ledger {
 public:
  // The number of the call in the ledger. Written before it is sent.
  std::size_t Begin(PlayerCall call) {
    const MutexLock lock(mutex_);
    calls_.push_back(std::move(call));
    return calls_.size() - 1;
  }
  void Answered(std::size_t call, Answer answer, int attempts) {
    const MutexLock lock(mutex_);
    calls_[call].answers.push_back(std::move(answer));
    calls_[call].attempts += attempts;
  }
  void Refused(std::size_t call, const std::string& reason, int attempts) {
    const MutexLock lock(mutex_);
    calls_[call].refusals.push_back(reason);
    calls_[call].attempts += attempts;
  }
  // Given up without an answer.
  void Unanswered(std::size_t call, int attempts) {
    const MutexLock lock(mutex_);
    calls_[call].attempts += attempts;
  }
  PlayerCall At(std::size_t call) const {
    const MutexLock lock(mutex_);
    return calls_[call];
  }
  std::vector<PlayerCall> Take() {
    const MutexLock lock(mutex_);
    return std::move(calls_);
  }

 private:
  mutable Mutex mutex_;
  std::vector<PlayerCall> calls_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::chaos
