// The clock service over its contract.
#pragma once

#include "komadai/clock/v1/clock.grpc.pb.h"
#include "libs/rpc/client.h"
#include "services/game/ports/clock_port.h"

namespace komadai::game {

class RemoteClock final : public ClockPort {
 public:
  explicit RemoteClock(rpc::BindContext& context) : clock_(context, "clock") {}

  Task<Result<timecontrol::Reading>> Start(rpc::Call call, std::string game_id,
                                           timecontrol::TimeControl control, Side to_move,
                                           TimePoint at) override;
  Task<Result<PressedClock>> Press(rpc::Call call, std::string game_id, int ply, Side side,
                                   TimePoint at) override;
  Task<Result<timecontrol::Reading>> Read(rpc::Call call, std::string game_id) override;
  Task<Result<timecontrol::Reading>> Stop(rpc::Call call, std::string game_id,
                                          TimePoint at) override;
  Task<Result<timecontrol::Reading>> AddTime(rpc::Call call, std::string game_id,
                                             std::string request_id, Side side, Millis add,
                                             TimePoint at) override;
  Task<Result<timecontrol::Reading>> Rewind(rpc::Call call, std::string game_id,
                                            std::string request_id, int ply, Side to_move,
                                            TimePoint at) override;

  rpc::Client<clock::v1::ClockService>& client() { return clock_; }

 private:
  rpc::Client<clock::v1::ClockService> clock_;
};

}  // namespace komadai::game
