// Time as the project uses it: milliseconds since the Unix epoch, read from an injected TimeSource.
//
// Only adapters own a SystemTimeSource; domain code receives the instant as an argument.
#pragma once

#include <chrono>
#include <cstdint>

namespace komadai {

using Millis = std::chrono::milliseconds;
// An instant: Unix time in whole milliseconds (UTC).
using TimePoint = std::chrono::time_point<std::chrono::system_clock, Millis>;

inline std::int64_t ToUnixMillis(TimePoint t) { return t.time_since_epoch().count(); }
inline TimePoint FromUnixMillis(std::int64_t ms) { return TimePoint(Millis(ms)); }

class TimeSource {
 public:
  virtual ~TimeSource() = default;
  virtual TimePoint Now() const = 0;
};

class SystemTimeSource final : public TimeSource {
 public:
  TimePoint Now() const override {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
  }
};

}  // namespace komadai
