// Where a finished game goes, and who plays for the computer.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "services/game/domain/game.h"

namespace komadai::game {

// The archive. Idempotent by game id.
class ArchivePort {
 public:
  virtual ~ArchivePort() = default;
  virtual Task<Status> Store(rpc::Call call, std::shared_ptr<const Game> game) = 0;
};

// The ratings. Idempotent by game id.
class RatingPort {
 public:
  virtual ~RatingPort() = default;
  virtual Task<Status> Apply(rpc::Call call, std::shared_ptr<const Game> game) = 0;
};

struct ComputerMove {
  std::string move;
  bool resign = false;
};

// The computer opponent.
class EnginePort {
 public:
  virtual ~EnginePort() = default;
  virtual Task<Result<ComputerMove>> Choose(rpc::Call call, std::shared_ptr<const Game> game) = 0;
};

}  // namespace komadai::game
