// ServiceIdentity: the credentials a service shows when it calls another one.
#pragma once

#include <mutex>
#include <string>

#include "libs/base/random.h"
#include "libs/rpc/auth/token.h"

namespace komadai::rpc {

// Thread-safe.
class ServiceIdentity {
 public:
  // `name` is the caller id the other side sees, e.g. "komadai-game".
  ServiceIdentity(const TokenMinter& minter, const TimeSource& time, std::string name);
  // "Bearer TOKEN", renewed well before it expires.
  std::string Authorization();

 private:
  const TokenMinter& minter_;
  const TimeSource& time_;
  const std::string name_;
  std::mutex mutex_;
  std::string header_;
  TimePoint renew_at_{};
};

}  // namespace komadai::rpc
