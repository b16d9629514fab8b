// Observer: what a client tells about itself, for metrics and logs. Called on the loop thread,
// except where noted; must be quick and thread-safe, and must outlive the client.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace komadai::redis {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnConnected() {}
  virtual void OnDisconnected(const std::string& /*why*/) {}
  // From the call to the reply. `reason` is empty after a success, else the error's reason (one of
  // the few constants of this library: fit for a label).
  virtual void OnCommand(std::chrono::nanoseconds /*latency*/, std::string_view /*reason*/) {}
  // A command was refused because too many were pending. On the caller's thread.
  virtual void OnRefused() {}
};

}  // namespace komadai::redis
