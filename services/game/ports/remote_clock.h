// The clock service over its contract. Presses go in batches: they are the hot call.
#pragma once

#include <string>
#include <vector>

#include "komadai/clock/v1/clock.pb.h"
#include "libs/rpc/client/batcher.h"
#include "libs/rpc/client/client.h"
#include "services/game/ports/clock_port.h"

namespace komadai::game {

class RemoteClock final : public ClockPort {
 public:
  explicit RemoteClock(rpc::BindContext& context);

  Task<Result<timecontrol::Reading>> Start(rpc::Call call, std::string game_id,
                                           timecontrol::TimeControl control, Side to_move,
                                           TimePoint at) override;
  Task<Result<PressedClock>> Press(rpc::Call call, std::string game_id, int ply, Side side,
                                   TimePoint at, std::optional<Millis> thinking) override;
  Task<Result<timecontrol::Reading>> Read(rpc::Call call, std::string game_id) override;
  Task<Result<timecontrol::Reading>> Stop(rpc::Call call, std::string game_id,
                                          TimePoint at) override;
  Task<Result<timecontrol::Reading>> AddTime(rpc::Call call, std::string game_id,
                                             std::string request_id, Side side, Millis add,
                                             TimePoint at) override;
  Task<Result<timecontrol::Reading>> Rewind(rpc::Call call, std::string game_id,
                                            std::string request_id, int ply, Side to_move,
                                            TimePoint at, bool restart) override;
  Task<Result<timecontrol::Reading>> Pause(rpc::Call call, std::string game_id,
                                           std::string request_id, int ply, TimePoint at) override;
  Task<Result<timecontrol::Reading>> Resume(rpc::Call call, std::string game_id,
                                            std::string request_id, int ply, TimePoint at) override;

  rpc::Client& client() { return clock_; }

 private:
  struct WaitingPress {
    clock::v1::PressClockRequest request;
    std::string request_id;  // of the call that made it
  };
  using Presses = rpc::Batcher<WaitingPress, PressedClock>;

  Task<Presses::Outcomes> PressAll(std::vector<WaitingPress> presses, rpc::Deadline latest);
  Task<Result<timecontrol::Reading>> Adjust(rpc::Call call, clock::v1::AdjustClockRequest request);

  const TimeSource& time_;
  rpc::Client clock_;
  Presses presses_;
};

}  // namespace komadai::game
