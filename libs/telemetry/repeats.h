// Repeats: keeps log lines that strangers can cause from filling the disk.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/mutex.h"
#include "libs/base/time.h"

namespace komadai::telemetry {

// Of each kind of line it lets the first twenty pass and then one a second. Thread-safe.
class Repeats {
 public:
  static constexpr int kBurst = 20;
  // Kinds beyond this number share one allowance.
  static constexpr std::size_t kMaxKinds = 4096;

  // Whether a line of this kind may be written at `now`: then how many of the kind were left out
  // since the one before, else nothing. Kinds must come from a small set.
  std::optional<std::int64_t> Pass(std::string_view kind, TimePoint now);

 private:
  struct Kind {
    double tokens = kBurst;
    TimePoint filled_at{};
    std::int64_t left_out = 0;
  };

  Mutex mutex_;
  std::map<std::string, Kind, std::less<>> kinds_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::telemetry
