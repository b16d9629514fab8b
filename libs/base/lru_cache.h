// LruCache: recently used values by name, bounded; the least recently used one of a part goes
// first.
//
// Thread-safe: the parts have a lock each, so that threads seldom wait for one another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "libs/base/mutex.h"

namespace komadai {

template <typename Value>
class LruCache {
 public:
  // `capacity` is shared evenly among the parts; each holds at least one value.
  explicit LruCache(std::size_t capacity)
      : capacity_per_part_(std::max<std::size_t>(capacity / kParts, 1)) {}

  std::optional<Value> Find(const std::string& key) {
    Part& part = PartOf(key);
    const MutexLock lock(part.mutex);
    const auto found = part.by_key.find(key);
    if (found == part.by_key.end()) return std::nullopt;
    part.Use(found->second);
    return found->second->second;
  }

  void Put(const std::string& key, Value value) {
    Put(key, std::move(value), [](const Value&, const Value&) { return true; });
  }
  // What is there stays unless `replaces(there, value)`: answers may arrive out of order, and an
  // older version must not replace a newer one. Called under the lock of the part.
  template <typename Replaces>
  void Put(const std::string& key, Value value, Replaces replaces) {
    Part& part = PartOf(key);
    const MutexLock lock(part.mutex);
    const auto found = part.by_key.find(key);
    if (found != part.by_key.end()) {
      Value& there = found->second->second;
      if (replaces(std::as_const(there), std::as_const(value))) there = std::move(value);
      part.Use(found->second);
      return;
    }
    part.entries.emplace_front(key, std::move(value));
    part.by_key.emplace(key, part.entries.begin());
    if (part.entries.size() > capacity_per_part_) {
      part.by_key.erase(part.entries.back().first);
      part.entries.pop_back();
    }
  }

  void Erase(const std::string& key) {
    Part& part = PartOf(key);
    const MutexLock lock(part.mutex);
    const auto found = part.by_key.find(key);
    if (found == part.by_key.end()) return;
    part.entries.erase(found->second);
    part.by_key.erase(found);
  }

  std::size_t size() const {
    std::size_t size = 0;
    for (const Part& part : parts_) {
      const MutexLock lock(part.mutex);
      size += part.entries.size();
    }
    return size;
  }

 private:
  static constexpr std::size_t kParts = 16;
  using Entries = std::list<std::pair<std::string, Value>>;
  struct Part {
    mutable Mutex mutex;
    Entries entries KOMADAI_GUARDED_BY(mutex);  // the most recently used first
    std::unordered_map<std::string, typename Entries::iterator> by_key KOMADAI_GUARDED_BY(mutex);

    void Use(typename Entries::iterator entry) KOMADAI_REQUIRES(mutex) {
      entries.splice(entries.begin(), entries, entry);
    }
  };

  Part& PartOf(const std::string& key) { return parts_[std::hash<std::string>()(key) % kParts]; }

  const std::size_t capacity_per_part_;
  std::array<Part, kParts> parts_;
};

}  // namespace komadai
