// WaitingRoom: all who wait, as one replica knows them. A waiting seek does not change, so each
// look at the queue reads the list and then only the seeks that are new in it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

struct Waiter {
  SeekEntry entry;
  Seeker seeker;
  std::string kind;
  // Its version is outdated: it is to be read again.
  bool stale = false;
};

// One task at a time.
class WaitingRoom {
 public:
  explicit WaitingRoom(SeekStore& store) : store_(store) {}

  // All who wait at some moment during the call, the longest waiting first.
  Task<Result<std::vector<std::shared_ptr<Waiter>>>> Look();

 private:
  SeekStore& store_;
  std::unordered_map<std::string, std::shared_ptr<Waiter>> known_;
};

}  // namespace komadai::matchmaking
