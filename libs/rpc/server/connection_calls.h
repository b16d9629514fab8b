// ConnectionCalls: finds connections with more calls in the server than HTTP/2 lets them have.
//
// A client that resets a stream may open the next one at once, while the server is still busy with
// the call (CVE-2023-44487). Clients that cancel calls now and then stay far below the limit; one
// that goes over it can only mean harm, and its connection is cut. Those of our own services never
// are: a server that is behind with its work must not lose them too.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libs/base/mutex.h"

namespace komadai::rpc {

// Thread-safe.
class ConnectionCalls {
 public:
  // `peer` as gRPC names it. Called once for a connection.
  using Cut = std::function<void(const std::string& peer)>;

  // A call in the server: from its first to its last reaction.
  class Place {
   public:
    Place(ConnectionCalls& calls, std::string peer);
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();
    // The call is a service's.
    void Trust();

   private:
    ConnectionCalls& calls_;
    const std::string peer_;
  };

  // 0: any number.
  explicit ConnectionCalls(int most, Cut cut = {}) : most_(most), cut_(std::move(cut)) {}
  // Before the first call.
  void SetCut(Cut cut) { cut_ = std::move(cut); }

 private:
  struct Connection {
    int calls = 0;
    bool cut = false;
    bool trusted = false;
  };
  struct Shard {
    Mutex mutex;
    std::unordered_map<std::string, Connection> connections KOMADAI_GUARDED_BY(mutex);
  };
  static constexpr std::size_t kShards = 16;

  bool Counts(std::string_view peer) const;
  Shard& ShardOf(const std::string& peer);
  void Enter(const std::string& peer);
  void Leave(const std::string& peer);
  void Trust(const std::string& peer);

  const int most_;
  Cut cut_;
  std::array<Shard, kShards> shards_;
};

}  // namespace komadai::rpc
