#include "services/kifu/bind.h"

#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/stores/stores.h"
#include "services/kifu/config.h"
#include "services/kifu/kifu_service.h"
#include "services/kifu/metrics.h"

namespace komadai::kifu {
namespace {

constexpr Millis kCheckDeadline{1000};

class KifuComponentImpl final : public rpc::Component {
 public:
  KifuComponentImpl(std::shared_ptr<sql::Database> database, rpc::BindContext& context)
      : time_(context.time),
        metrics_(context.metrics),
        store_(std::move(database), context.time),
        service_(context.runtime, store_, context.time, metrics_) {
    context.AddReadinessCheck(
        "database", [this] { return SyncWait(store_.Check(time_.Now() + kCheckDeadline)); });
  }

  std::vector<rpc::Service*> Services() override { return {&service_}; }

 private:
  const TimeSource& time_;
  KifuMetrics metrics_;
  KifuStore store_;
  KifuService service_;
};

}  // namespace

rpc::ComponentSpec KifuComponentOn(std::shared_ptr<sql::Database> database) {
  return {.name = "kifu",
          .dependencies = {},
          .add_settings = {},
          .bind = [database](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(
                std::make_unique<KifuComponentImpl>(database, context));
          }};
}

rpc::ComponentSpec KifuComponent() {
  auto config = std::make_shared<KifuConfig>();
  return {.name = "kifu",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<sql::Database>> database =
                stores::OpenDatabase(config->store, context.time);
            if (!database) return std::move(database).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<KifuComponentImpl>(*std::move(database), context));
          }};
}

}  // namespace komadai::kifu
