// SlowClients: cancels calls that wait for their clients for too long: for the rest of a request,
// or for the reading of an answer.
//
// HTTP/2 lets a client hold back the end of a request, and forbid the server to send. gRPC would
// keep what it has of each such call until the connection ends.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <thread>

#include "libs/base/mutex.h"
#include "libs/base/time.h"
#include "libs/telemetry/metrics.h"

namespace grpc {
class CallbackServerContext;
}

namespace komadai::rpc {

// Thread-safe.
class SlowClients {
 public:
  // What a call that may wait has for it. Lives until Remove().
  class Waiting {
   public:
    explicit Waiting(grpc::CallbackServerContext& context) : context_(context) {}
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    friend class SlowClients;
    grpc::CallbackServerContext& context_;
    std::chrono::steady_clock::time_point since_;
    Waiting* older_ = nullptr;
    Waiting* newer_ = nullptr;
    bool waits_ = false;
  };

  // Calls may wait for `limit`. `metrics` must outlive it.
  SlowClients(Millis limit, telemetry::Metrics& metrics);
  SlowClients(const SlowClients&) = delete;
  SlowClients& operator=(const SlowClients&) = delete;
  ~SlowClients();

  // The call waits from now on, whether or not it did.
  void Add(Waiting& call);
  // It waits no more, if it did: what it waited for has come, or the call has ended.
  void Remove(Waiting& call);
  std::size_t size() const;

 private:
  // One list for all would be a lock that all calls of the process share.
  struct alignas(64) Shard {
    mutable Mutex mutex;
    Waiting* oldest KOMADAI_GUARDED_BY(mutex) = nullptr;
    Waiting* newest KOMADAI_GUARDED_BY(mutex) = nullptr;
    std::size_t size KOMADAI_GUARDED_BY(mutex) = 0;
  };
  static constexpr std::size_t kShards = 16;

  Shard& ShardOf(const Waiting& call);
  static void Unlink(Shard& shard, Waiting& call) KOMADAI_REQUIRES(shard.mutex);
  void Loop();
  void CancelOld();

  const Millis limit_;
  telemetry::Counters& cancelled_;
  std::array<Shard, kShards> shards_;
  Mutex mutex_;
  CondVar wake_;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace komadai::rpc
