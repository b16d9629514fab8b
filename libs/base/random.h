// Random: injected randomness, so that a seed replays a run.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "libs/base/mutex.h"

namespace komadai {

class Random {
 public:
  virtual ~Random() = default;
  // Uniform over all 64-bit values. Thread-safe.
  virtual std::uint64_t Next() = 0;
  // Uniform in [0, bound); bound > 0.
  std::uint64_t Below(std::uint64_t bound) {
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    for (;;) {
      const std::uint64_t value = Next();
      if (value < limit) return value % bound;
    }
  }
};

class SystemRandom final : public Random {
 public:
  std::uint64_t Next() override {
    const MutexLock lock(mutex_);
    return (std::uint64_t{device_()} << 32) | device_();
  }

 private:
  Mutex mutex_;
  std::random_device device_ KOMADAI_GUARDED_BY(mutex_);
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t Next() override {
    const MutexLock lock(mutex_);
    return engine_();
  }

 private:
  Mutex mutex_;
  std::mt19937_64 engine_ KOMADAI_GUARDED_BY(mutex_);
};

// A new identifier of `length` characters from a-z and 2-7 (5 bits each): case-proof, URL-safe.
inline std::string RandomId(Random& random, int length = 16) {
  static constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string id;
  id.reserve(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) id += kAlphabet[random.Next() & 31];
  return id;
}

}  // namespace komadai
