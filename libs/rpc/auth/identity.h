// ServiceIdentity: the credentials a service shows when it calls another one.
#pragma once

#include <string>

#include "libs/base/mutex.h"
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
  Mutex mutex_;
  std::string header_ KOMADAI_GUARDED_BY(mutex_);
  TimePoint renew_at_ KOMADAI_GUARDED_BY(mutex_) = {};
};

}  // namespace komadai::rpc
