// The mixing function behind position keys: fixed for ever, so that keys can be stored.
#pragma once

#include <cstdint>

namespace komadai::rules {

// splitmix64: 64 well mixed bits for every input.
constexpr std::uint64_t Mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace komadai::rules
