// What kind of game is wanted: validation and the names of the pools it may be found in.
#pragma once

#include <string>
#include <vector>

#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "libs/base/result.h"

namespace komadai::matchmaking {

namespace pb = ::komadai::matchmaking::v1;
namespace common_pb = ::komadai::common::v1;

// `terms` in normal form, every default spelled out. Free positions are for challenges only; a game
// without a clock is casual. INVALID_TERMS, the reasons of the rules and of time controls.
Result<pb::GameTerms> NormaliseTerms(const pb::GameTerms& terms, bool challenge);
Result<common_pb::TimeControl> NormaliseControl(const common_pb::TimeControl& control);

// Seeks meet if they share a pool: the same setup, rating and time control.
std::string PoolOf(const pb::GameTerms& terms, const common_pb::TimeControl& control);

}  // namespace komadai::matchmaking
