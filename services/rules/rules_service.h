// RulesService of the contract. Every answer is computed on the spot from the request alone: a few
// microseconds for a move, milliseconds for a whole game or a record file.
#pragma once

#include "libs/rpc/server/service.h"

namespace komadai::rules_service {

class RulesService final : public rpc::Service {
 public:
  explicit RulesService(rpc::Runtime& runtime);
};

}  // namespace komadai::rules_service
