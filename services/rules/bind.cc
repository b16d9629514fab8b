#include "services/rules/bind.h"

#include <memory>

#include "services/rules/rules_service.h"

namespace komadai::rules_service {
namespace {

// Stateless: nothing to start, to drain or to wait for.
class RulesComponentImpl final : public rpc::Component {
 public:
  explicit RulesComponentImpl(rpc::BindContext& context) : service_(context.runtime) {}
  std::vector<rpc::Service*> Services() override { return {&service_}; }

 private:
  RulesService service_;
};

}  // namespace

rpc::ComponentSpec RulesComponent() {
  return {.name = "rules",
          .bind = [](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(std::make_unique<RulesComponentImpl>(context));
          }};
}

}  // namespace komadai::rules_service
