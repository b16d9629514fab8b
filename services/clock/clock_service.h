// ClockService: the gRPC face of Clocks and Expiries. Checks and converts, decides nothing.
#pragma once

#include <memory>

#include "komadai/clock/v1/clock.grpc.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/method.h"
#include "libs/rpc/server/stream.h"
#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"

namespace komadai::clock {

namespace v1 = ::komadai::clock::v1;

class ClockService final : public v1::ClockService::CallbackService {
 public:
  using ExpiryStream = rpc::EventStream<v1::WatchExpiriesResponse>;

  // Both must outlive the service.
  ClockService(rpc::Runtime& runtime, Clocks& clocks, Expiries& expiries);

  grpc::ServerUnaryReactor* StartClock(grpc::CallbackServerContext* context,
                                       const v1::StartClockRequest* request,
                                       v1::StartClockResponse* response) override;
  grpc::ServerUnaryReactor* PressClock(grpc::CallbackServerContext* context,
                                       const v1::PressClockRequest* request,
                                       v1::PressClockResponse* response) override;
  grpc::ServerUnaryReactor* PressClocks(grpc::CallbackServerContext* context,
                                        const v1::PressClocksRequest* request,
                                        v1::PressClocksResponse* response) override;
  grpc::ServerUnaryReactor* GetClock(grpc::CallbackServerContext* context,
                                     const v1::GetClockRequest* request,
                                     v1::GetClockResponse* response) override;
  grpc::ServerUnaryReactor* StopClock(grpc::CallbackServerContext* context,
                                      const v1::StopClockRequest* request,
                                      v1::StopClockResponse* response) override;
  grpc::ServerUnaryReactor* AdjustClock(grpc::CallbackServerContext* context,
                                        const v1::AdjustClockRequest* request,
                                        v1::AdjustClockResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchExpiriesResponse>* WatchExpiries(
      grpc::CallbackServerContext* context, const v1::WatchExpiriesRequest* request) override;

 private:
  Task<Result<v1::StartClockResponse>> DoStart(rpc::Call call,
                                               const v1::StartClockRequest& request);
  Task<Result<v1::PressClockResponse>> DoPress(rpc::Call call,
                                               const v1::PressClockRequest& request);
  Task<Result<v1::PressClocksResponse>> DoPressMany(rpc::Call call,
                                                    const v1::PressClocksRequest& request);
  // `request` must outlive the task.
  Task<Result<v1::PressClockResponse>> Press(const v1::PressClockRequest& request);
  Task<Result<v1::GetClockResponse>> DoGet(rpc::Call call, const v1::GetClockRequest& request);
  Task<Result<v1::StopClockResponse>> DoStop(rpc::Call call, const v1::StopClockRequest& request);
  Task<Result<v1::AdjustClockResponse>> DoAdjust(rpc::Call call,
                                                 const v1::AdjustClockRequest& request);
  Task<Result<rpc::AfterSetup>> DoWatch(rpc::Call call, v1::WatchExpiriesRequest request,
                                        std::shared_ptr<ExpiryStream> stream);

  Clocks& clocks_;
  Expiries& expiries_;
  rpc::MethodTable methods_;
  const rpc::Method& start_;
  const rpc::Method& press_;
  const rpc::Method& press_many_;
  const rpc::Method& get_;
  const rpc::Method& stop_;
  const rpc::Method& adjust_;
  const rpc::Method& watch_;
};

}  // namespace komadai::clock
