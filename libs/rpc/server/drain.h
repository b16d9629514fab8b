// DrainSignal: tells everything that stays open that the process is about to stop.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>

#include "libs/base/mutex.h"

namespace komadai::rpc {

class Drainable {
 public:
  virtual ~Drainable() = default;
  // Called at most once, on the draining thread. Must not block.
  virtual void OnDrain() = 0;
};

// Thread-safe.
class DrainSignal {
 public:
  bool IsDraining() const { return draining_.load(std::memory_order_acquire); }
  // Raises once; every member that is still alive gets OnDrain().
  void Raise();
  // A member that joins after Raise() gets OnDrain() at once.
  void Join(const std::shared_ptr<Drainable>& member);
  void Leave(const Drainable* member);
  std::size_t size() const;

 private:
  std::atomic<bool> draining_ = false;
  mutable Mutex mutex_;
  std::unordered_map<const Drainable*, std::weak_ptr<Drainable>> members_
      KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rpc
