// Wiring of the kifu service.
#pragma once

#include <memory>

#include "libs/rpc/component.h"
#include "libs/sql/database.h"

namespace komadai::kifu {

rpc::ComponentSpec KifuComponent();
// The component on that database, for tests.
rpc::ComponentSpec KifuComponentOn(std::shared_ptr<sql::Database> database);

}  // namespace komadai::kifu
