// Recompute: proves promise P6 on a whole database. It rates every rated game again from its row,
// folds every history again from its first row, and compares both with what is stored.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

struct Recomputed {
  std::int64_t games = 0;
  std::int64_t changes = 0;
  std::int64_t standings = 0;
  std::int64_t findings = 0;
  std::int64_t repaired = 0;  // standings
};

// Calls `report` for everything found, e.g. "game g1: has 1 changes instead of one a player". Games
// and histories are evidence and never changed; `repair` stores the folded standing where another
// one is stored and the history itself is sound. Safe beside running services: each page and each
// repair is a transaction.
Task<Result<Recomputed>> Recompute(RatingStore& store, const TimeSource& time, bool repair,
                                   std::function<void(const std::string&)> report);

}  // namespace komadai::rating
