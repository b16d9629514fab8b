// Call: what a handler knows about the call it serves. A cheap handle that is safe to keep after
// the call ended (for work that continues in the background).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "libs/base/time.h"
#include "libs/rpc/caller.h"
#include "libs/telemetry/trace.h"

namespace komadai::rpc {

using Deadline = std::chrono::system_clock::time_point;

class CallState;

class Call {
 public:
  explicit Call(std::shared_ptr<CallState> state) : state_(std::move(state)) {}

  // A call that no client made: a sweep, a timer, a consumer of a stream. Acts as the service
  // itself. What is not plain in the id becomes "_".
  static Call Background(std::string request_id, const TimeSource& time, Millis timeout);
  static Call Background(std::string request_id, const TimeSource& time, Deadline deadline);

  // When the server took the request in hand: the instant that counts against clocks, before
  // authentication and any queue.
  TimePoint received_at() const;
  const Caller& caller() const;
  // The earlier of the client's deadline and the method's limit.
  Deadline deadline() const;
  // Never negative.
  Millis Remaining() const;
  // The client's x-request-id if it sent a well-formed one, else made by the server. For logs and
  // outgoing calls.
  const std::string& request_id() const;
  const telemetry::TraceContext& trace() const;
  std::string_view method() const;  // "komadai.game.v1.GameService/PlayMove"
  // The caller's own "Bearer ..." header, for calls on the caller's behalf; empty if anonymous.
  const std::string& authorization() const;
  // The network address of the other end of the connection, as gRPC writes it
  // ("ipv4:192.0.2.1:5000"); behind a proxy the proxy's. Empty for background work. For limits
  // only, never for identity.
  const std::string& peer() const;
  // By what limits count this call: the address without the port, IPv6 by its /64; behind trusted
  // proxies the client's. Empty where there is none (in process, unix sockets).
  std::string address() const;

  // Whether the client went away or the deadline passed while the call was open.
  bool IsCancelled() const;
  // Runs `fn` once when that happens (at once if it has). Dropped when the call ends. One per call.
  void OnCancel(std::function<void()> fn) const;

 private:
  std::shared_ptr<CallState> state_;
};

}  // namespace komadai::rpc
