// Bit tricks on the unsigned integers bitboards are made of, 128-bit ones included.
#pragma once

#include <bit>
#include <cstdint>

namespace komadai::rules {

__extension__ typedef unsigned __int128 Bits128;

constexpr std::uint64_t Low(Bits128 b) { return static_cast<std::uint64_t>(b); }
constexpr std::uint64_t High(Bits128 b) { return static_cast<std::uint64_t>(b >> 64); }

// The builtins, not std::popcount: they become one instruction when inlined into a function that is
// compiled for a processor which has it (see KOMADAI_FOR_MODERN_CPU).
inline int PopCount(std::uint32_t b) { return __builtin_popcount(b); }
inline int PopCount(std::uint64_t b) { return __builtin_popcountll(b); }
inline int PopCount(Bits128 b) { return PopCount(Low(b)) + PopCount(High(b)); }

// Index of the lowest (highest) set bit; b is not zero.
inline int Lowest(std::uint32_t b) { return __builtin_ctz(b); }
inline int Lowest(Bits128 b) {
  return Low(b) != 0 ? __builtin_ctzll(Low(b)) : 64 + __builtin_ctzll(High(b));
}
inline int Highest(std::uint32_t b) { return 31 - __builtin_clz(b); }
inline int Highest(Bits128 b) {
  return High(b) != 0 ? 127 - __builtin_clzll(High(b)) : 63 - __builtin_clzll(Low(b));
}

template <class Bits>
int PopLowest(Bits& b) {
  const int index = Lowest(b);
  b &= b - 1;
  return index;
}

template <class Bits>
bool MoreThanOne(Bits b) {
  return (b & (b - 1)) != 0;
}

// Marks a function whose whole call tree is compiled for processors with bit-counting instructions
// (every x86-64 since 2013). Call it only where HasModernCpu(); the rest of the program runs on
// any.
#if defined(__x86_64__)
#define KOMADAI_FOR_MODERN_CPU __attribute__((target("popcnt,bmi,bmi2,lzcnt"), flatten))
inline bool HasModernCpu() {
  static const bool has = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2");
  return has;
}
#else
#define KOMADAI_FOR_MODERN_CPU
inline bool HasModernCpu() { return false; }
#endif

}  // namespace komadai::rules
