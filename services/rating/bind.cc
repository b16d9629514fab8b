#include "services/rating/bind.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/rpc/timer.h"
#include "libs/stores/stores.h"
#include "services/rating/app/recompute.h"
#include "services/rating/app/sessions.h"
#include "services/rating/config.h"
#include "services/rating/metrics.h"
#include "services/rating/rating_service.h"
#include "services/rating/store/rating_store.h"

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

class RatingComponentImpl final : public rpc::Component {
 public:
  RatingComponentImpl(const RatingConfig& config, std::shared_ptr<sql::Database> database,
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

  std::vector<rpc::Service*> Services() override { return {&service_}; }

  Status Start() override {
    forget_ = std::make_unique<rpc::PeriodicTask>(kForgetInterval, log_,
                                                  [this] { return ForgetGuests(); });
    return {};
  }

  void Stop() override { forget_.reset(); }

 private:
  Task<void> ForgetGuests() {
    const TimePoint now = time_.Now();
    const Result<std::int64_t> forgotten =
        co_await store_.ForgetGuests(now - guest_memory_, kForgottenAtOnce, now + kForgetDeadline);
    if (!forgotten) {
      log_.Warning("old guests could not be deleted", {{"error", forgotten.error().ToString()}});
    }
  }

  const TimeSource& time_;
  telemetry::Logger log_;
  const Millis guest_memory_;
  RatingMetrics metrics_;
  RatingStore store_;
  Sessions sessions_;
  RatingService service_;
  std::unique_ptr<rpc::PeriodicTask> forget_;
};

}  // namespace

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

rpc::ComponentSpec RatingComponent() {
  auto config = std::make_shared<RatingConfig>();
  return {.name = "rating",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<sql::Database>> database =
                stores::OpenDatabase(config->store, context.time);
            if (!database) return std::move(database).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<RatingComponentImpl>(*config, *std::move(database), context));
          }};
}

namespace {

constexpr int kExitFindings = 1;
constexpr int kExitBadSettings = 2;
constexpr int kExitNoAnswer = 3;

int Fail(const Error& error, int status) {
  std::fprintf(stderr, "komadai rating recompute: %s\n", error.ToString().c_str());
  return status;
}

}  // namespace

int RunRecompute(const std::vector<std::string>& arguments) {
  stores::SqlSettings store;
  std::string data = "komadai-data";
  bool repair = false;
  config::Settings settings("komadai rating recompute",
                            "Recomputes every rating from the game records and from the history, "
                            "and compares both with what is stored.");
  settings.Add("data", &data, "data directory of `komadai serve`, used when no store is set");
  store.AddTo(settings);
  settings.Add("repair", &repair,
               "where the stored rating differs from a sound history, store the recomputed one");
  std::vector<const char*> argv{"komadai rating recompute"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  settings.ParseOrExit(static_cast<int>(argv.size()), argv.data());
  if (store.postgres_url.empty() && store.sqlite_path.empty()) {
    store.sqlite_path = (std::filesystem::path(data) / "komadai.db").string();
  }
  if (!store.sqlite_path.empty() && !std::filesystem::exists(store.sqlite_path)) {
    return Fail(Error(kInvalidArgument, "there is no file " + store.sqlite_path), kExitBadSettings);
  }
  const SystemTimeSource time;
  Result<std::shared_ptr<sql::Database>> database = stores::OpenDatabase(store, time);
  if (!database) return Fail(database.error(), kExitBadSettings);
  RatingStore ratings(*std::move(database), time);
  const auto report = [](const std::string& finding) { std::printf("%s\n", finding.c_str()); };
  const Result<Recomputed> sum = SyncWait(Recompute(ratings, time, repair, report));
  if (!sum) return Fail(sum.error(), kExitNoAnswer);
  std::printf("rating: %lld games, %lld changes, %lld ratings: %lld findings, %lld repaired\n",
              static_cast<long long>(sum->games), static_cast<long long>(sum->changes),
              static_cast<long long>(sum->standings), static_cast<long long>(sum->findings),
              static_cast<long long>(sum->repaired));
  return sum->findings == 0 ? 0 : kExitFindings;
}

}  // namespace komadai::rating
