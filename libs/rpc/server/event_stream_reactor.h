// gRPC's side of an EventStream. Internal to the machinery.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <utility>

#include "libs/base/time.h"
#include "libs/rpc/server/event_stream.h"

namespace komadai::rpc {

class EventStreamBase::Reactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  Reactor(EventStreamBase& stream, grpc::CallbackServerContext& context);

  // Valid until OnDone.
  grpc::CallbackServerContext& context() { return context_; }
  // One write at a time; gRPC keeps a reference to the bytes until it is done.
  void Write(const google::protobuf::MessageLite& message);
  // Runs `fn` after `delay`, unless the alarm is destroyed before.
  void After(Millis delay, std::function<void()> fn);
  std::unique_ptr<grpc::Alarm> TakeAlarm() { return std::move(alarm_); }

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  EventStreamBase& stream_;
  grpc::CallbackServerContext& context_;
  grpc::ByteBuffer bytes_;
  std::unique_ptr<grpc::Alarm> alarm_;
};

}  // namespace komadai::rpc
