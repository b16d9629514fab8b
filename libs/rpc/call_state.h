// CallState: what stands behind a Call; internal to the machinery.
#pragma once

#include <grpcpp/server_context.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/method.h"

namespace komadai::rpc {

// Thread-safe after Admit().
class CallState {
 public:
  CallState(const Method& method, const TimeSource& time);
  // Background work.
  CallState(std::string request_id, const TimeSource& time, Deadline deadline);

  // Reads metadata and deadline; authenticates and authorises. Before the request is read.
  Status AdmitCall(const grpc::CallbackServerContext& context);
  // The request is there: takes the receive time, and checks and counts its size.
  Status AdmitRequest(std::size_t bytes);

  std::string Address() const;

  void SetCancelled();
  void OnCancel(std::function<void()> fn);
  // Records metrics and the access log. Exactly once; `error` is null for OK.
  void Finished(const Error* error);
  // The error as the caller may see it: what it says of stores and other services is for the log
  // and for services.
  Error ForCaller(const Error& error) const;

  const Method* method = nullptr;
  const TimeSource* time = nullptr;
  TimePoint received_at{};
  std::chrono::steady_clock::time_point started;
  Deadline deadline = Deadline::max();
  std::shared_ptr<const Caller> caller;
  std::string request_id;
  std::string authorization;
  std::string peer;
  std::string forwarded;  // the x-forwarded-for header, if proxies are trusted
  telemetry::TraceContext trace;
  std::atomic<bool> cancelled = false;

 private:
  Status AdmitCaller();
  Status Count(double cost);
  void ReadMetadata(const grpc::CallbackServerContext& context);
  void WriteAccessLog(const Error* error, double seconds) const;

  Mutex mutex_;
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::function<void()> on_cancel_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rpc
