// What several answers of the service have in common.
#pragma once

#include <string>

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"
#include "libs/rules/game_state.h"
#include "services/rules/errors.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;
namespace common_pb = ::komadai::common::v1;

// Longer games can be neither played nor judged.
inline constexpr int kMaxMoves = rules::GameState::kMaxPlies;

pb::GameState StateToProto(const rules::GameState& state);

// The same error with the path of the request's field that is to blame.
Error InField(const Error& error, std::string field);

}  // namespace komadai::rules_service
