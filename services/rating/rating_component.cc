#include "services/rating/rating_component.h"

#include <utility>

#include "libs/base/sync_wait.h"

namespace komadai::rating {
namespace {

// Guests are forgotten in small steps, so that no transaction is long.
constexpr Millis kForgetInterval{60'000};
constexpr Millis kForgetDeadline{10'000};
constexpr std::int64_t kForgottenAtOnce = 500;
constexpr Millis kCheckDeadline{1'000};

SessionPolicy PolicyOf(const RatingConfig& config) {
  SessionPolicy policy;
  policy.guest_lifetime = config.guest_session_lifetime;
  policy.guests_per_minute = config.guest_sessions_per_minute;
  policy.allow_test_players = config.allow_test_players;
  return policy;
}

}  // namespace

RatingComponentImpl::RatingComponentImpl(const RatingConfig& config,
                                         std::shared_ptr<sql::Database> database,
                                         rpc::BindContext& context)
    : time_(context.time),
      log_(context.log),
      guest_memory_(config.guest_memory),
      metrics_(context.metrics),
      store_(std::move(database), context.time, config.rated_games_per_pair),
      sessions_(PolicyOf(config), store_, context.tokens, context.time, context.random),
      service_(context.runtime, store_, sessions_, metrics_) {
  context.AddReadinessCheck(
      "database", [this] { return SyncWait(store_.Check(time_.Now() + kCheckDeadline)); });
  if (config.allow_test_players) {
    log_.Warning("test players are on: anybody may play rated games under any name");
  }
}

Status RatingComponentImpl::Start() {
  forget_ =
      std::make_unique<rpc::PeriodicTask>(kForgetInterval, log_, [this] { return ForgetGuests(); });
  return {};
}

Task<void> RatingComponentImpl::ForgetGuests() {
  const TimePoint now = time_.Now();
  const Result<std::int64_t> forgotten =
      co_await store_.ForgetGuests(now - guest_memory_, kForgottenAtOnce, now + kForgetDeadline);
  if (!forgotten) {
    log_.Warning("guests could not be forgotten", {{"error", forgotten.error().ToString()}});
  }
}

rpc::ComponentSpec RatingComponentOn(std::shared_ptr<sql::Database> database, RatingConfig config) {
  return {.name = "rating",
          .dependencies = {},
          .add_settings = {},
          .bind = [database,
                   config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(
                std::make_unique<RatingComponentImpl>(config, database, context));
          }};
}

}  // namespace komadai::rating
