#include "libs/telemetry/repeats.h"

#include <algorithm>
#include <utility>

namespace komadai::telemetry {
namespace {

constexpr double kLinesPerMilli = 1.0 / 1000.0;

}  // namespace

std::optional<std::int64_t> Repeats::Pass(std::string_view name, TimePoint now) {
  const MutexLock lock(mutex_);
  auto found = kinds_.find(name);
  if (found == kinds_.end()) {
    if (kinds_.size() >= kMaxKinds) name = "";
    found = kinds_.try_emplace(std::string(name), Kind{.filled_at = now}).first;
  }
  Kind& kind = found->second;
  const double elapsed = std::max(0.0, static_cast<double>((now - kind.filled_at).count()));
  kind.tokens = std::min<double>(kBurst, kind.tokens + elapsed * kLinesPerMilli);
  kind.filled_at = now;
  if (kind.tokens < 1.0) {
    ++kind.left_out;
    return std::nullopt;
  }
  kind.tokens -= 1.0;
  return std::exchange(kind.left_out, 0);
}

}  // namespace komadai::telemetry
