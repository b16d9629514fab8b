#include "libs/rpc/server/call_slots.h"

#include <functional>

#include "libs/base/check.h"

namespace komadai::rpc {

CallSlots::Shard& CallSlots::ShardOf(const std::string& address) {
  return shards_[std::hash<std::string>()(address) % kShards];
}

bool CallSlots::Enter(const std::string& address) {
  if (address.empty()) return true;
  Shard& shard = ShardOf(address);
  const MutexLock lock(shard.mutex);
  Address& own = shard.addresses[address];
  if (settings_.calls_per_address > 0 && own.calls >= settings_.calls_per_address) return false;
  ++own.calls;
  return true;
}

void CallSlots::Leave(const std::string& address) {
  if (address.empty()) return;
  Shard& shard = ShardOf(address);
  const MutexLock lock(shard.mutex);
  const auto found = shard.addresses.find(address);
  KOMADAI_CHECK(found != shard.addresses.end() && found->second.calls > 0);
  if (--found->second.calls == 0) shard.addresses.erase(found);
}

void CallSlots::Read(const std::string& address, Reader& reader) {
  if (!address.empty()) {
    Shard& shard = ShardOf(address);
    const MutexLock lock(shard.mutex);
    Address& own = shard.addresses[address];
    if (settings_.reads_per_address > 0 && own.reads >= settings_.reads_per_address) {
      reader.waits_ = true;
      reader.previous_ = own.last;
      (own.last == nullptr ? own.first : own.last->next_) = &reader;
      own.last = &reader;
      return;
    }
    ++own.reads;
  }
  reader.BeginReading();
}

void CallSlots::EndReading(const std::string& address) {
  if (address.empty()) return;
  Shard& shard = ShardOf(address);
  Reader* next = nullptr;
  {
    const MutexLock lock(shard.mutex);
    Address& own = shard.addresses[address];
    KOMADAI_CHECK(own.reads > 0);
    next = own.first;
    if (next == nullptr) {
      --own.reads;
    } else {
      Unlink(own, *next);
    }
  }
  if (next != nullptr) next->BeginReading();
}

bool CallSlots::Abandon(const std::string& address, Reader& reader) {
  if (address.empty()) return false;
  Shard& shard = ShardOf(address);
  const MutexLock lock(shard.mutex);
  if (!reader.waits_) return false;
  Unlink(shard.addresses[address], reader);
  return true;
}

void CallSlots::Unlink(Address& address, Reader& reader) {
  reader.waits_ = false;
  (reader.previous_ == nullptr ? address.first : reader.previous_->next_) = reader.next_;
  (reader.next_ == nullptr ? address.last : reader.next_->previous_) = reader.previous_;
  reader.previous_ = reader.next_ = nullptr;
}

}  // namespace komadai::rpc
