#include "tests/play/attempts.h"

#include <poll.h>

#include <algorithm>

#include "libs/rpc/error.h"

namespace komadai::play {
namespace {

constexpr Millis kLongestPause{400};
constexpr std::uint64_t kHastyMs = 30;

}  // namespace

bool IsTransient(const Error& error) {
  // What gRPC itself says of a connection that broke.
  if (error.reason().rfind(rpc::kPeerReasonPrefix, 0) == 0) {
    return error.code() != Code::kUnimplemented;
  }
  switch (error.code()) {
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
    case Code::kCancelled:
    case Code::kResourceExhausted:
      return true;
    case Code::kAborted:
      return error.reason() != "STALE_PLY";
    default:
      return false;
  }
}

void ErrorCounts::Count(const std::string& reason) {
  const MutexLock lock(mutex_);
  ++counts_[reason];
}

std::map<std::string, std::int64_t> ErrorCounts::Get() const {
  const MutexLock lock(mutex_);
  return counts_;
}

Attempts::Attempts(Patience patience, const std::atomic<bool>& abandoned, ErrorCounts& errors,
                   Random& random)
    : patience_(patience),
      abandoned_(abandoned),
      errors_(errors),
      random_(random),
      until_(std::chrono::steady_clock::now() + patience.total),
      replica_(random.Below(1024)) {}

Millis Attempts::Timeout() {
  ++count_;
  const bool hasty = patience_.hasty_one_in > 0 && random_.Below(patience_.hasty_one_in) == 0;
  if (hasty) return Millis(static_cast<std::int64_t>(1 + random_.Below(kHastyMs)));
  return patience_.timeout;
}

bool Attempts::Again(const Error& error) {
  errors_.Count(error.reason());
  if (!IsTransient(error) || abandoned_ || std::chrono::steady_clock::now() > until_) return false;
  if (patience_.attempts > 0 && count_ >= patience_.attempts) return false;
  ::poll(nullptr, 0, static_cast<int>(pause_.count()));
  pause_ = std::min(pause_ * 2, kLongestPause);
  ++replica_;
  return true;
}

}  // namespace komadai::play
