// Pools: which kinds of games a seek may be found for.
#pragma once

#include <cstdint>
#include <string>

#include "komadai/matchmaking/v1/matchmaking.pb.h"

namespace komadai::matchmaking {

namespace pb = ::komadai::matchmaking::v1;
namespace common_pb = ::komadai::common::v1;

// Seeks meet if they share a pool: the same setup, rating and time control. A pool is the
// serialised terms of its games.
std::string PoolOf(const pb::GameTerms& terms, const common_pb::TimeControl& control);
// The kind of game: the same at any time control. Short enough for a name.
std::string KindOf(const pb::GameTerms& terms);
// A number for a pool. Equal pools have equal numbers. Different pools may have the same number,
// because terms can be made to collide: compare the pools where that matters.
std::uint64_t PoolNumber(const std::string& pool);

bool HasHandicap(const pb::GameTerms& terms);

}  // namespace komadai::matchmaking
