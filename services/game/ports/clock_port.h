// What the game service asks the clock service. Every call is idempotent per (game, ply).
#pragma once

#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "services/game/domain/game.h"

namespace komadai::game {

struct PressedClock {
  timecontrol::Reading reading;
  Millis used{0};
};

class ClockPort {
 public:
  virtual ~ClockPort() = default;
  virtual Task<Result<timecontrol::Reading>> Start(rpc::Call call, std::string game_id,
                                                   timecontrol::TimeControl control, Side to_move,
                                                   TimePoint at) = 0;
  // `thinking`: as the player reports it. TIME_IS_UP when `at` is past the deadline;
  // CLOCK_NOT_FOUND when it was never started.
  virtual Task<Result<PressedClock>> Press(rpc::Call call, std::string game_id, int ply, Side side,
                                           TimePoint at, std::optional<Millis> thinking) = 0;
  virtual Task<Result<timecontrol::Reading>> Read(rpc::Call call, std::string game_id) = 0;
  virtual Task<Result<timecontrol::Reading>> Stop(rpc::Call call, std::string game_id,
                                                  TimePoint at) = 0;
  virtual Task<Result<timecontrol::Reading>> AddTime(rpc::Call call, std::string game_id,
                                                     std::string request_id, Side side, Millis add,
                                                     TimePoint at) = 0;
  // Back to the state before the move at `ply`; `to_move` runs from `at`. `restart`: no moves were
  // taken back, an earlier press of that ply still counts.
  virtual Task<Result<timecontrol::Reading>> Rewind(rpc::Call call, std::string game_id,
                                                    std::string request_id, int ply, Side to_move,
                                                    TimePoint at, bool restart) = 0;
  // The turn of `ply` stands still from `at` on, whatever was pressed for it since.
  virtual Task<Result<timecontrol::Reading>> Pause(rpc::Call call, std::string game_id,
                                                   std::string request_id, int ply,
                                                   TimePoint at) = 0;
  virtual Task<Result<timecontrol::Reading>> Resume(rpc::Call call, std::string game_id,
                                                    std::string request_id, int ply,
                                                    TimePoint at) = 0;
};

}  // namespace komadai::game
