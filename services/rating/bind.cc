#include "services/rating/bind.h"

#include <memory>
#include <utility>

#include "libs/stores/stores.h"
#include "services/rating/config.h"
#include "services/rating/rating_component.h"

namespace komadai::rating {

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

}  // namespace komadai::rating
