#include "libs/rpc/auth/identity.h"

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

constexpr std::chrono::hours kLifetime{1};
constexpr std::chrono::minutes kRenewAfter{30};

}  // namespace

ServiceIdentity::ServiceIdentity(const TokenMinter& minter, const TimeSource& time,
                                 std::string name)
    : minter_(minter), time_(time), name_(std::move(name)) {}

std::string ServiceIdentity::Authorization() {
  const TimePoint now = time_.Now();
  const MutexLock lock(mutex_);
  if (header_.empty() || now >= renew_at_) {
    const Caller self{CallerKind::kService, name_, name_};
    Result<std::string> token = minter_.Mint(self, now, now + kLifetime);
    KOMADAI_CHECK(token.has_value());  // plain constant claims: only a broken library fails
    header_ = "Bearer " + *token;
    renew_at_ = now + kRenewAfter;
  }
  return header_;
}

}  // namespace komadai::rpc
