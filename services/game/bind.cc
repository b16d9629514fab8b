#include "services/game/bind.h"

#include <memory>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/convert/variant.h"
#include "libs/rpc/client/subscription.h"
#include "libs/rpc/timer.h"
#include "services/game/app/game_app.h"
#include "services/game/app/presence.h"
#include "services/game/config.h"
#include "services/game/game_service.h"
#include "services/game/ports/linked_rules.h"
#include "services/game/ports/remote_clock.h"
#include "services/game/ports/remote_finish.h"
#include "services/game/ports/remote_rules.h"

namespace komadai::game {
namespace {

namespace clock_pb = ::komadai::clock::v1;
using Expiries = rpc::Subscription<clock_pb::WatchExpiriesRequest, clock_pb::WatchExpiriesResponse>;

constexpr Millis kHeartbeat{15000};

std::unique_ptr<RulesPort> MakeRules(const GameConfig& config, rpc::BindContext& context) {
  if (config.rules_adapter == "linked") return std::make_unique<LinkedRules>();
  return std::make_unique<RemoteRules>(context);
}

GameAppOptions OptionsOf(const GameConfig& config) {
  GameAppOptions options;
  options.cached_games = static_cast<std::size_t>(config.game_cache);
  options.limits = {config.first_move_time, config.max_live_games};
  return options;
}

class GameComponentImpl final : public rpc::Component {
 public:
  GameComponentImpl(const GameConfig& config, std::shared_ptr<livestore::LiveStore> live,
                    rpc::BindContext& context)
      : log_(context.log),
        sweep_interval_(config.sweep_interval),
        live_(std::move(live)),
        rules_(MakeRules(config, context)),
        clock_(context),
        archive_(context),
        rating_(context),
        engine_(context),
        metrics_(context.metrics, context.log),
        app_(*live_, {*rules_, clock_, archive_, rating_, engine_}, context.time, metrics_,
             OptionsOf(config)),
        presence_(*live_, context.time),
        service_(context, app_, presence_) {
    players_present_ = context.metrics.GaugeCallback(
        "komadai_game_players_present", "Players this process has a stream open for.",
        [this] { return static_cast<double>(presence_.size()); });
    context.AddReadinessCheck("live-store", [this] { return SyncWait(live_->Ping()); });
  }

  std::vector<rpc::Service*> Services() override { return {&service_}; }

  Status Start() override {
    sweep_ = std::make_unique<rpc::PeriodicTask>(sweep_interval_, log_,
                                                 [this] { return app_.chores.Sweep(); });
    renewal_ = std::make_unique<rpc::PeriodicTask>(Presence::kRenewal, log_,
                                                   [this] { return presence_.Renew(); });
    beat_ = std::make_unique<rpc::PeriodicTask>(kHeartbeat, log_, [this] { return Beat(); });
    expiries_ = std::make_unique<Expiries>(
        clock_.client(),
        Expiries::Hooks{
            .request = [] { return clock_pb::WatchExpiriesRequest(); },
            .on_message = [this](const auto& message) { OnExpiry(message); },
            .on_disconnect =
                [this](const Error& error) {
                  log_.Warning("no expiries from the clock service", {{"reason", error.reason()}});
                }});
    return {};
  }

  // Nothing of ours calls other services any more: in the all-in-one they are about to go, and gRPC
  // cannot start a call in this process once its server has shut down. What is left undone stands
  // in the "todo" index for another replica or the next start.
  void Drain() override {
    expiries_.reset();
    app_.Stop();  // a running sweep sees it and ends
    sweep_.reset();
    expiring_.Stop();
  }

  void Stop() override {
    Drain();
    beat_.reset();
    renewal_.reset();
    presence_.Stop();
  }

 private:
  Task<void> Beat() {
    service_.Beat();
    co_return;
  }

  void OnExpiry(const clock_pb::WatchExpiriesResponse& message) {
    const std::optional<Side> side = convert::SideFromProto(message.side());
    if (message.game_id().empty() || !side) return;  // a heartbeat
    Expiry expiry{message.game_id(), message.ply(), *side, FromUnixMillis(message.deadline_ms())};
    expiring_.Spawn(app_.flags.OnExpiry(std::move(expiry)));
  }

  telemetry::Logger log_;
  const Millis sweep_interval_;
  std::shared_ptr<livestore::LiveStore> live_;
  std::unique_ptr<RulesPort> rules_;
  RemoteClock clock_;
  RemoteArchive archive_;
  RemoteRating rating_;
  RemoteEngine engine_;
  GameMetrics metrics_;
  GameApp app_;
  Presence presence_;
  std::shared_ptr<void> players_present_;  // the gauge
  GameService service_;
  TaskGroup expiring_;
  std::unique_ptr<rpc::PeriodicTask> sweep_;
  std::unique_ptr<rpc::PeriodicTask> beat_;
  std::unique_ptr<rpc::PeriodicTask> renewal_;
  std::unique_ptr<Expiries> expiries_;
};

}  // namespace

rpc::ComponentSpec GameComponent() {
  auto config = std::make_shared<GameConfig>();
  return {.name = "game",
          .dependencies = {"rules", "clock", "kifu", "rating", "engine"},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<livestore::LiveStore>> live =
                stores::OpenLiveStore(config->store, context.time);
            if (!live) return std::move(live).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<GameComponentImpl>(*config, std::move(live).value(), context));
          }};
}

}  // namespace komadai::game
