// RequestReactor: gRPC's side of a call until its request is there. Internal to the machinery.
//
// The call is looked at before its request is read: who it is from, whether it may be made, how
// many the caller makes. So a stranger cannot make the server hold requests that it would refuse.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <memory>
#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/rpc/call_state.h"
#include "libs/rpc/server/call_slots.h"
#include "libs/rpc/server/connection_calls.h"
#include "libs/rpc/server/slow_clients.h"

namespace komadai::rpc {

class RequestReactor : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                       private CallSlots::Reader {
 public:
  RequestReactor(std::shared_ptr<CallState> state, grpc::CallbackServerContext& context);
  ~RequestReactor() override = default;

  // Admits the call and reads its request. OnRequest() follows, exactly once, maybe inside this.
  void Receive();

 protected:
  // The request is there, or why the call ends here.
  virtual void OnRequest(std::optional<Error> error) = 0;
  virtual void OnClientGone() = 0;
  virtual void OnEnd() = 0;  // the last reaction

  const std::shared_ptr<CallState>& state() const { return state_; }
  grpc::CallbackServerContext& context() { return context_; }
  const grpc::ByteBuffer& request() const { return request_; }
  // From now on the client is expected to read.
  void AwaitReader() { slow_clients_.Add(waiting_); }

 private:
  void BeginReading() final;
  void OnReadDone(bool ok) final;
  void OnCancel() final;
  void OnDone() final;

  const std::shared_ptr<CallState> state_;
  grpc::CallbackServerContext& context_;
  ConnectionCalls::Place place_;
  SlowClients& slow_clients_;
  SlowClients::Waiting waiting_;
  CallSlots& slots_;
  std::string slot_of_;  // the address whose place the call has; empty: none
  bool entered_ = false;
  grpc::ByteBuffer request_;
};

}  // namespace komadai::rpc
