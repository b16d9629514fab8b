#include "tests/simulation/clock_node.h"

#include <algorithm>
#include <string>

#include "tests/simulation/metrics.h"

namespace komadai::simulation {

ClockNode::ClockNode(Database& database, Process& process)
    : process_(process),
      connection_(database, process),
      store_(connection_),
      expiries_(store_, process.environment().scheduler,
                process.name() + "@" + std::to_string(process.environment().scheduler.steps()), {},
                SharedClockMetrics(), telemetry::Logger::Null()),
      clocks_(store_, 1024, process.environment().scheduler, SharedClockMetrics(),
              [this](const std::string& game_id, const clock::StoredClock& stored) {
                expiries_.ClockChanged(game_id, stored);
              }) {
  expiries_.OnWake([this] { TickAt(process_.environment().scheduler.Now()); });
  expiries_.Open();
  TickAt(process_.environment().scheduler.Now());
}

void ClockNode::Watch(const std::shared_ptr<Pipe<clock::Expiry>>& pipe) {
  pipe->ServedBy(process_);
  const int id = expiries_.Watch([pipe](const clock::Expiry* expiry) {
    const bool silent = pipe->environment().sabotage == Sabotage::kSilentClock;
    if (expiry != nullptr && !silent) pipe->Push(*expiry);
  });
  pipe->OnEnd([this, pulse = process_.pulse(), id] {
    if (*pulse) expiries_.Unwatch(id);
  });
}

void ClockNode::Tick() {
  next_tick_ = TimePoint::max();
  TickAt(expiries_.Tick());
}

void ClockNode::TickAt(TimePoint at) {
  if (next_tick_ <= at) return;
  next_tick_ = at;
  Environment& environment = process_.environment();
  // A thread wakes up a little late.
  const Millis delay =
      std::max(at - environment.scheduler.Now(), Millis(0)) + environment.dice.MillisBetween(0, 1);
  process_.After(delay, [this, mine = ++armed_] {
    if (mine == armed_) Tick();
  });
}

}  // namespace komadai::simulation
