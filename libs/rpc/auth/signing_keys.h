// SigningKeys: an issuer's public keys, fetched, kept and renewed by a thread of their own.
//
// Fetched at once, then every `refresh`; a failed fetch keeps the keys there are and is repeated
// sooner. An unknown key causes one more fetch (an issuer may have rotated), but not again within
// `min_interval`, so that made-up key ids cannot make this a source of requests.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/auth/jwk.h"
#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"

namespace komadai::rpc {

// The key may become known in a moment (see the retry delay): nothing is wrong with the token yet.
inline constexpr Reason kTokenKeysUnavailable{Code::kUnavailable, "TOKEN_KEYS_UNAVAILABLE"};

struct SigningKeysOptions {
  // Gives the JWKS; may block for some seconds, not for long once the flag is set.
  std::function<Result<std::string>(const std::atomic<bool>& stop)> fetch;
  Millis refresh{3'600'000};
  Millis min_interval{10'000};
};

// Thread-safe. The destructor waits until a fetch in progress has ended.
class SigningKeys {
 public:
  // `time` and `metrics` must outlive it.
  SigningKeys(SigningKeysOptions options, const TimeSource& time, telemetry::Logger log,
              telemetry::Metrics& metrics);
  ~SigningKeys();
  SigningKeys(const SigningKeys&) = delete;
  SigningKeys& operator=(const SigningKeys&) = delete;

  // Never blocks. kTokenInvalid for a key the issuer does not have, kTokenKeysUnavailable while
  // that is not known.
  Result<std::shared_ptr<const Jwk>> Find(const std::string& id, TimePoint now);

 private:
  using Keys = std::map<std::string, std::shared_ptr<const Jwk>>;

  void Loop();
  // Whether it succeeded.
  bool FetchOnce();

  const SigningKeysOptions options_;
  const TimeSource& time_;
  telemetry::Logger log_;
  telemetry::Counters& fetches_;
  telemetry::Gauges& known_;
  std::atomic<bool> stop_{false};
  Mutex mutex_;
  CondVar wake_;
  Keys keys_ KOMADAI_GUARDED_BY(mutex_);
  bool wanted_ KOMADAI_GUARDED_BY(mutex_) = true;  // a fetch is asked for or going on
  bool last_succeeded_ KOMADAI_GUARDED_BY(mutex_) = false;
  TimePoint last_attempt_ KOMADAI_GUARDED_BY(mutex_) = {};
  std::thread thread_;  // last: it uses everything above
};

}  // namespace komadai::rpc
