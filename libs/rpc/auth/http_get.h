// HttpGet: fetches one small document (libcurl). Blocks: for threads of its caller's own.
#pragma once

#include <atomic>
#include <string>

#include "libs/base/result.h"
#include "libs/base/time.h"

namespace komadai::rpc {

inline constexpr Reason kHttpFailed{Code::kUnavailable, "HTTP_FAILED"};

struct HttpOptions {
  std::string ca_file;   // PEM; empty: the system's authorities
  Millis timeout{5000};  // for everything together
  std::size_t max_bytes = 256 * 1024;
};

// Whether `url` is https, or http to this machine itself (a sidecar, a test).
bool IsSafeUrl(const std::string& url);

// The body of a 200 answer; redirects are not followed. kHttpFailed otherwise, and soon after
// `stop` turns true. `url` must be safe.
Result<std::string> HttpGet(const std::string& url, const HttpOptions& options,
                            const std::atomic<bool>& stop);

}  // namespace komadai::rpc
