// Listener: accepts connections within limits and hands them on.
//
// It stands in for gRPC's own listener. That one takes any number of connections, and once the
// process had no descriptor left for one it never accepts again (gRPC 1.51).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/time.h"
#include "libs/base/token_buckets.h"
#include "libs/rpc/server/listening_sockets.h"
#include "libs/rpc/server/open_connections.h"
#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "libs/telemetry/repeats.h"

namespace komadai::rpc {

struct ListenerLimits {
  ConnectionLimits open;
  double per_address_and_second = 0;  // new connections in the long run; 0: any number
  int address_burst = 0;              // new connections at once
  Millis ban{0};                      // of an address one of whose connections was cut
};

class Listener {
 public:
  // Gets a connected, non-blocking socket and owns it from then on.
  using Take = std::function<void(int listening, int connection)>;

  // Binds the address: connections wait in the kernel until Start(). `time` and `metrics` must
  // outlive it.
  static Result<std::unique_ptr<Listener>> Open(const std::string& address,
                                                const ListenerLimits& limits,
                                                const TimeSource& time, telemetry::Metrics& metrics,
                                                telemetry::Logger log);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  // HOST:PORT with the port that was picked, or unix:PATH.
  const std::string& address() const { return sockets_.address(); }
  void Start(Take take);
  // Ends a connection that harms the server, by gRPC's name of its peer. Any thread; does not wait.
  void Cut(std::string peer);
  // Closes the address. `take` is not called any more. Connections that were taken stay open.
  void Stop();

 private:
  enum class Accepted { kOne, kNothing, kFailed };

  Listener(ListeningSockets sockets, const ListenerLimits& limits, const TimeSource& time,
           telemetry::Metrics& metrics, telemetry::Logger log);
  void Run();
  // Takes what waits at one socket; false if nothing can be accepted for now.
  bool AcceptAll(int listening);
  Accepted AcceptOne(int listening);
  // Why the connection must be refused, or null.
  const char* ReasonToRefuse(const std::string& address);
  void Refuse(int connection, const char* why, const std::string& address);
  void RefuseWithoutDescriptor(int listening);
  void CountOpen();
  void Wake();
  // False when the listener is to stop.
  bool CutConnections();

  ListeningSockets sockets_;
  const TimeSource& time_;
  telemetry::Gauges& open_gauge_;
  telemetry::Counters& refused_;
  telemetry::Counters& cut_;
  const telemetry::Logger log_;
  telemetry::Repeats repeats_;
  OpenConnections open_;
  TokenBuckets arrivals_;
  int reserve_;  // closed to accept and refuse one connection when there are no descriptors
  const int wake_event_;
  const Millis ban_;
  std::map<std::string, TimePoint> banned_until_;
  Mutex mutex_;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::vector<std::string> to_cut_ KOMADAI_GUARDED_BY(mutex_);
  Take take_;
  std::thread thread_;
};

}  // namespace komadai::rpc
