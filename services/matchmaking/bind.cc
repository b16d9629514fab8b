#include "services/matchmaking/bind.h"

#include <memory>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/rpc/timer.h"
#include "libs/stores/stores.h"
#include "services/matchmaking/app/lobby_board.h"
#include "services/matchmaking/app/matchmaker.h"
#include "services/matchmaking/matchmaking_service.h"
#include "services/matchmaking/ports/remote.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kTouchInterval{SeekDesk::kGrace / 3};
constexpr Millis kLobbyInterval{1000};
constexpr Millis kStandingInterval{2000};
constexpr Millis kAttendanceInterval{5000};

class MatchmakingComponentImpl final : public rpc::Component {
 public:
  MatchmakingComponentImpl(const MatchmakingConfig& config,
                           std::shared_ptr<livestore::LiveStore> live, rpc::BindContext& context)
      : log_(context.log),
        config_(config),
        time_(context.time),
        live_(std::move(live)),
        metrics_(context.metrics),
        seek_store_(*live_),
        challenge_store_(*live_),
        attendance_store_(*live_),
        games_(context),
        ratings_(context),
        finisher_(seek_store_, games_, context.time, metrics_),
        matchmaker_(seek_store_, finisher_, ratings_, context.random, context.time, metrics_),
        seeks_(seek_store_, finisher_, games_, ratings_, context.time, metrics_),
        challenges_(challenge_store_, games_, ratings_, context.random, context.time),
        board_(seek_store_, challenge_store_, attendance_store_, games_, context.time),
        service_(context, seeks_, challenges_, seek_store_, board_),
        replica_(RandomId(context.random)) {
    context.AddReadinessCheck("live-store", [this] { return SyncWait(live_->Ping()); });
  }

  std::vector<rpc::Service*> Services() override { return {&service_}; }

  Status Start() override {
    Every(config_.wave_interval, waves_, [this] { return matchmaker_.Wave(); });
    Every(config_.sweep_interval, sweep_, [this] { return Sweep(); });
    Every(kTouchInterval, touch_, [this] { return service_.seek_watchers().Touch(); });
    Every(kStandingInterval, standings_, [this] { return service_.seek_watchers().Tell(); });
    Every(kLobbyInterval, lobby_, [this] { return service_.lobby_watchers().Tell(); });
    Every(kAttendanceInterval, attendance_, [this] { return Report(); });
    return {};
  }

  // Waves and sweeps call other services: they must end before the server of an all-in-one stops.
  void Drain() override {
    if (waves_ != nullptr) {
      waves_.reset();
      sweep_.reset();
      SyncWait(matchmaker_.HandOver());
    }
    lobby_.reset();
    finisher_.Stop();
  }

  void Stop() override {
    Drain();
    touch_.reset();
    standings_.reset();
    attendance_.reset();
  }

 private:
  void Every(Millis interval, std::unique_ptr<rpc::PeriodicTask>& task,
             std::function<Task<void>()> work) {
    task = std::make_unique<rpc::PeriodicTask>(interval, log_, std::move(work));
  }

  Task<void> Sweep() {
    co_await matchmaker_.Sweep();
    co_await challenges_.Sweep();
  }

  Task<void> Report() {
    const TimePoint until = time_.Now() + 2 * kAttendanceInterval;
    const auto players = static_cast<int>(service_.attendance().size());
    (void)co_await attendance_store_.Report(replica_, players, until);
  }

  telemetry::Logger log_;
  const MatchmakingConfig config_;
  const TimeSource& time_;
  std::shared_ptr<livestore::LiveStore> live_;
  MatchMetrics metrics_;
  SeekStore seek_store_;
  ChallengeStore challenge_store_;
  AttendanceStore attendance_store_;
  RemoteGame games_;
  RemoteRating ratings_;
  PairFinisher finisher_;
  Matchmaker matchmaker_;
  SeekDesk seeks_;
  ChallengeDesk challenges_;
  LobbyBoard board_;
  MatchmakingService service_;
  const std::string replica_;
  std::unique_ptr<rpc::PeriodicTask> waves_;
  std::unique_ptr<rpc::PeriodicTask> sweep_;
  std::unique_ptr<rpc::PeriodicTask> touch_;
  std::unique_ptr<rpc::PeriodicTask> standings_;
  std::unique_ptr<rpc::PeriodicTask> lobby_;
  std::unique_ptr<rpc::PeriodicTask> attendance_;
};

}  // namespace

rpc::ComponentSpec MatchmakingComponentOn(std::shared_ptr<livestore::LiveStore> store,
                                          const MatchmakingConfig& config) {
  return {.name = "matchmaking",
          .dependencies = {"game", "rating"},
          .add_settings = {},
          .bind = [store,
                   config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(
                std::make_unique<MatchmakingComponentImpl>(config, store, context));
          }};
}

rpc::ComponentSpec MatchmakingComponent() {
  auto config = std::make_shared<MatchmakingConfig>();
  return {.name = "matchmaking",
          .dependencies = {"game", "rating"},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<livestore::LiveStore>> store =
                stores::OpenLiveStore(config->store, context.time);
            if (!store) return std::move(store).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<MatchmakingComponentImpl>(*config, *std::move(store), context));
          }};
}

}  // namespace komadai::matchmaking
