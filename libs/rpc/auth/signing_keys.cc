#include "libs/rpc/auth/signing_keys.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "libs/rpc/auth/token.h"
#include "libs/rpc/error.h"

namespace komadai::rpc {
namespace {

constexpr Millis kFirstRetry{1'000};
constexpr Millis kLastRetry{60'000};
constexpr Millis kAskAgain{1'000};  // a fetch usually takes less

Error KeysUnavailable(Millis retry_after) {
  return Error(kTokenKeysUnavailable, "the issuer's keys are being fetched; try again",
               {{kRetryAfterMs, std::to_string(retry_after.count())}});
}

}  // namespace

SigningKeys::SigningKeys(SigningKeysOptions options, const TimeSource& time, telemetry::Logger log,
                         telemetry::Metrics& metrics)
    : options_(std::move(options)),
      time_(time),
      log_(std::move(log)),
      fetches_(metrics.Counter("komadai_oidc_key_fetches_total",
                               "Fetches of the keys of the issuer of ID tokens.",
                               {{"outcome", {"ok", "failed"}}})),
      known_(metrics.Gauge("komadai_oidc_keys", "Keys of the issuer of ID tokens that are known.")),
      thread_([this] { Loop(); }) {}

SigningKeys::~SigningKeys() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.NotifyAll();
  thread_.join();
}

Result<std::shared_ptr<const Jwk>> SigningKeys::Find(const std::string& id, TimePoint now) {
  const MutexLock lock(mutex_);
  if (const auto found = keys_.find(id); found != keys_.end()) return found->second;
  if (wanted_) return KeysUnavailable(kAskAgain);
  const Millis since = now - last_attempt_;
  if (since >= Millis(0) && since < options_.min_interval) {
    if (!last_succeeded_) return KeysUnavailable(options_.min_interval - since);
    return Error(kTokenInvalid, "bearer token: signed with a key its issuer does not have");
  }
  wanted_ = true;
  wake_.NotifyAll();
  return KeysUnavailable(kAskAgain);
}

void SigningKeys::Loop() {
  Millis retry = kFirstRetry;
  while (!stop_) {
    const bool succeeded = FetchOnce();
    const Millis pause = succeeded ? options_.refresh : std::min(retry, options_.refresh);
    retry = succeeded ? kFirstRetry : std::min(retry * 2, kLastRetry);
    MutexLock lock(mutex_);
    wanted_ = false;
    last_succeeded_ = succeeded;
    last_attempt_ = time_.Now();
    const auto next = std::chrono::steady_clock::now() + pause;
    while (!stop_ && !wanted_ && wake_.WaitUntil(lock, next)) {
    }
    wanted_ = true;
  }
}

bool SigningKeys::FetchOnce() {
  Result<std::string> document = options_.fetch(stop_);
  Result<std::vector<Jwk>> listed = document ? ParseJwks(*document) : document.error();
  if (!listed) {
    fetches_.With({"failed"}).Increment();
    if (!stop_) {
      log_.Warning("the issuer's keys could not be fetched",
                   {{"error", listed.error().ToString()}});
    }
    return false;
  }
  Keys keys;
  for (Jwk& key : *listed) {
    std::string id = key.id;
    keys.insert_or_assign(std::move(id), std::make_shared<const Jwk>(std::move(key)));
  }
  fetches_.With({"ok"}).Increment();
  known_.Get().Set(static_cast<double>(keys.size()));
  const MutexLock lock(mutex_);
  keys_ = std::move(keys);
  return true;
}

}  // namespace komadai::rpc
