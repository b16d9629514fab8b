// Shard: spreads names over a fixed number of partitions.
#pragma once

#include <cstdint>
#include <string_view>

namespace komadai::livestore {

// 0 to count - 1; the same on every replica, version and machine (FNV-1a), since it is part of
// where things are stored: neither the function nor a caller's count may ever change.
constexpr int Shard(std::string_view name, int count) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return static_cast<int>((hash >> 32) % static_cast<std::uint64_t>(count));
}

}  // namespace komadai::livestore
