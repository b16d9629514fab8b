// People: who plays in chaos and load runs.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "komadai/common/v1/player.pb.h"
#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/result.h"
#include "libs/rpc/caller.h"
#include "tests/play/replicas.h"

namespace komadai::play {

struct Person {
  common::v1::Player player;
  std::string authorization;  // "Bearer ..."
};

// `count` people named PREFIX-0, PREFIX-1, ...: test players, who count as verified, or guests on a
// server that has none.
Result<std::vector<Person>> SignIn(Replicas<rating::v1::RatingService>& rating,
                                   const std::string& prefix, int count, Random& random);

// A token signed here with the servers' secret; valid for a day.
Result<std::string> Bearer(const std::string& secret, rpc::CallerKind kind, const std::string& id);

}  // namespace komadai::play
