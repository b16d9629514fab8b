// CallSlots: how many calls of one network address a server has in hand at once, so that no address
// can fill its memory: a call that was begun holds some kilobytes, and one whose request is on its
// way up to the longest message.
//
// A call takes a place when it begins and is refused if there is none. Its request is read when one
// of the address's few reading slots is free: until then HTTP/2's flow control keeps it at the
// client. Those who wait for a slot get it in the order in which they came.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "libs/base/mutex.h"

namespace komadai::rpc {

struct CallSlotSettings {
  int calls_per_address = 2000;  // calls and streams open at once; 0: any number
  int reads_per_address = 32;    // of them, requests that are being read; 0: any number
};

// Thread-safe. The empty address (in process, unix sockets) has no limits.
class CallSlots {
 public:
  // A call that wants to read. Lives until it was told to begin or was abandoned.
  class Reader {
   public:
    virtual ~Reader() = default;
    // It has a slot. Called once, without a lock.
    virtual void BeginReading() = 0;

   private:
    friend class CallSlots;
    Reader* previous_ = nullptr;
    Reader* next_ = nullptr;
    bool waits_ = false;
  };

  explicit CallSlots(const CallSlotSettings& settings) : settings_(settings) {}

  // False if the address has no place left. Every true needs a Leave().
  bool Enter(const std::string& address);
  void Leave(const std::string& address);
  // Calls BeginReading() now or when a slot is free. Then every reader needs an EndReading().
  void Read(const std::string& address, Reader& reader);
  void EndReading(const std::string& address);
  // True if the reader was waiting: it does not wait any more. False: it has, or had, its slot.
  bool Abandon(const std::string& address, Reader& reader);

 private:
  struct Address {
    int calls = 0;
    int reads = 0;
    Reader* first = nullptr;  // who waits
    Reader* last = nullptr;
  };
  struct Shard {
    Mutex mutex;
    std::unordered_map<std::string, Address> addresses KOMADAI_GUARDED_BY(mutex);
  };
  static constexpr std::size_t kShards = 16;

  Shard& ShardOf(const std::string& address);
  static void Unlink(Address& address, Reader& reader);

  const CallSlotSettings settings_;
  std::array<Shard, kShards> shards_;
};

}  // namespace komadai::rpc
