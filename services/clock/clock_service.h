// ClockService: the gRPC face of Clocks and Expiries. Checks and converts, decides nothing.
#pragma once

#include <memory>

#include "komadai/clock/v1/clock.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/service.h"
#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"

namespace komadai::clock {

namespace pb = ::komadai::clock::v1;

class ClockService final : public rpc::Service {
 public:
  using ExpiryStream = rpc::EventStream<pb::WatchExpiriesResponse>;

  // Both must outlive the service.
  ClockService(rpc::Runtime& runtime, Clocks& clocks, Expiries& expiries);

 private:
  Task<Result<pb::StartClockResponse>> StartClock(rpc::Call call,
                                                  const pb::StartClockRequest& request);
  Task<Result<pb::PressClockResponse>> PressClock(rpc::Call call,
                                                  const pb::PressClockRequest& request);
  Task<Result<pb::PressClocksResponse>> PressClocks(rpc::Call call,
                                                    const pb::PressClocksRequest& request);
  // `request` must outlive the task.
  Task<Result<pb::PressClockResponse>> Press(const pb::PressClockRequest& request);
  Task<Result<pb::GetClockResponse>> GetClock(rpc::Call call, const pb::GetClockRequest& request);
  Task<Result<pb::StopClockResponse>> StopClock(rpc::Call call,
                                                const pb::StopClockRequest& request);
  Task<Result<pb::AdjustClockResponse>> AdjustClock(rpc::Call call,
                                                    const pb::AdjustClockRequest& request);
  Task<Result<rpc::AfterSetup>> WatchExpiries(rpc::Call call, pb::WatchExpiriesRequest request,
                                              std::shared_ptr<ExpiryStream> stream);

  Clocks& clocks_;
  Expiries& expiries_;
};

}  // namespace komadai::clock
