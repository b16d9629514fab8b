// Wiring of the rules service.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::rules_service {

rpc::ComponentSpec RulesComponent();

}  // namespace komadai::rules_service
