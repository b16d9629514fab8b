#include "services/matchmaking/bind.h"

#include <memory>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/rpc/timer.h"
#include "libs/stores/stores.h"
#include "services/matchmaking/matchmaking_service.h"
#include "services/matchmaking/ports/remote.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kTouchInterval{SeekDesk::kGrace / 3};
constexpr Millis kLobbyInterval{1000};

struct Config {
  stores::LiveSettings store;
  Millis sweep_interval{1000};
};

class MatchmakingComponentImpl final : public rpc::Component {
 public:
  MatchmakingComponentImpl(const Config& config, std::shared_ptr<livestore::LiveStore> live,
                           rpc::BindContext& context)
      : log_(context.log),
        sweep_interval_(config.sweep_interval),
        live_(std::move(live)),
        store_(*live_),
        games_(context),
        ratings_(context),
        seeks_(store_, games_, ratings_, context.random, context.time),
        challenges_(store_, games_, context.random, context.time),
        service_(context, seeks_, challenges_, store_) {
    context.AddReadinessCheck("live-store", [this] { return SyncWait(live_->Ping()); });
  }

  std::vector<grpc::Service*> Services() override { return {&service_}; }

  Status Start() override {
    sweep_ = std::make_unique<rpc::PeriodicTask>(sweep_interval_, log_, [this] { return Sweep(); });
    touch_ = std::make_unique<rpc::PeriodicTask>(kTouchInterval, log_,
                                                 [this] { return service_.TouchWatched(); });
    lobby_ = std::make_unique<rpc::PeriodicTask>(kLobbyInterval, log_,
                                                 [this] { return service_.SendLobby(); });
    return {};
  }

  // The sweep calls the game service: it must have ended before the server of an all-in-one goes.
  void Drain() override { sweep_.reset(); }

  void Stop() override {
    sweep_.reset();
    touch_.reset();
    lobby_.reset();
  }

 private:
  Task<void> Sweep() {
    co_await seeks_.Sweep();
    co_await challenges_.Sweep();
  }

  telemetry::Logger log_;
  const Millis sweep_interval_;
  std::shared_ptr<livestore::LiveStore> live_;
  MatchStore store_;
  RemoteGame games_;
  RemoteRating ratings_;
  SeekDesk seeks_;
  ChallengeDesk challenges_;
  MatchmakingService service_;
  std::unique_ptr<rpc::PeriodicTask> sweep_;
  std::unique_ptr<rpc::PeriodicTask> touch_;
  std::unique_ptr<rpc::PeriodicTask> lobby_;
};

}  // namespace

rpc::ComponentSpec MatchmakingComponent() {
  auto config = std::make_shared<Config>();
  return {.name = "matchmaking",
          .dependencies = {"game", "rating"},
          .add_settings =
              [config](config::Settings& settings) {
                config->store.AddTo(settings);
                settings.Add("matchmaking-sweep-interval", &config->sweep_interval,
                             "pause between two looks for seeks to pair, finish or expire",
                             config::Range(Millis(50), Millis(60000)));
              },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<livestore::LiveStore>> live =
                stores::OpenLiveStore(config->store, context.time);
            if (!live) return std::move(live).error();
            return std::unique_ptr<rpc::Component>(std::make_unique<MatchmakingComponentImpl>(
                *config, std::move(live).value(), context));
          }};
}

}  // namespace komadai::matchmaking
