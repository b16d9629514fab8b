// ClockNode: a replica of the clock service: its own code, without gRPC and without threads.
#pragma once

#include <cstdint>
#include <memory>

#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"
#include "services/clock/store/clock_store.h"
#include "tests/simulation/database.h"
#include "tests/simulation/pipe.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

class ClockNode {
 public:
  ClockNode(Database& database, Process& process);

  Process& process() { return process_; }
  clock::Clocks& clocks() { return clocks_; }
  // Sends every passed deadline into the pipe, as WatchExpiries does.
  void Watch(const std::shared_ptr<Pipe<clock::Expiry>>& pipe);

 private:
  // What services/clock/app/ticker.h does with a thread.
  void Tick();
  void TickAt(TimePoint at);

  Process& process_;
  Connection connection_;
  clock::ClockStore store_;
  clock::Expiries expiries_;
  clock::Clocks clocks_;
  TimePoint next_tick_ = TimePoint::max();
  std::uint64_t armed_ = 0;  // timers set so far; only the last one counts
};

}  // namespace komadai::simulation
