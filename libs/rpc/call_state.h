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
  // Takes the receive time: construct it first of all.
  CallState(const Method& method, const TimeSource& time);
  // Background work.
  CallState(std::string request_id, const TimeSource& time, Deadline deadline);

  // Reads metadata and deadline; authenticates, authorises and checks the size.
  Status Admit(const grpc::CallbackServerContext& context, std::size_t request_bytes);

  std::string Address() const;

  void SetCancelled();
  void OnCancel(std::function<void()> fn);
  // Records metrics and the access log. Exactly once.
  void Finished(Code code, const std::string* reason);

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
  void ReadMetadata(const grpc::CallbackServerContext& context);
  void WriteAccessLog(Code code, const std::string* reason, double seconds) const;

  Mutex mutex_;
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::function<void()> on_cancel_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rpc
