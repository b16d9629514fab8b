#include "libs/rpc/server/drain.h"

#include <vector>

namespace komadai::rpc {

void DrainSignal::Raise() {
  std::vector<std::shared_ptr<Drainable>> members;
  {
    const MutexLock lock(mutex_);
    if (draining_.exchange(true, std::memory_order_acq_rel)) return;
    members.reserve(members_.size());
    for (const auto& [key, weak] : members_) {
      if (auto member = weak.lock()) members.push_back(std::move(member));
    }
    members_.clear();
  }
  // Outside the lock: members leave while they end.
  for (const std::shared_ptr<Drainable>& member : members) member->OnDrain();
}

void DrainSignal::Join(const std::shared_ptr<Drainable>& member) {
  {
    const MutexLock lock(mutex_);
    if (!draining_.load(std::memory_order_relaxed)) {
      members_[member.get()] = member;
      return;
    }
  }
  member->OnDrain();
}

void DrainSignal::Leave(const Drainable* member) {
  const MutexLock lock(mutex_);
  members_.erase(member);
}

std::size_t DrainSignal::size() const {
  const MutexLock lock(mutex_);
  return members_.size();
}

}  // namespace komadai::rpc
