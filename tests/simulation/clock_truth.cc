#include "tests/simulation/clock_truth.h"

#include <algorithm>

namespace komadai::simulation {
namespace {

using timecontrol::ClockState;
using timecontrol::SideState;
using timecontrol::TurnStart;

std::string Show(const TurnStart& turn) {
  return "ply " + std::to_string(turn.ply) + ", main " +
         std::to_string(turn.first.main_left.count()) + "/" +
         std::to_string(turn.second.main_left.count()) + ", used " +
         std::to_string(turn.first.used.count()) + "/" + std::to_string(turn.second.used.count());
}

bool Negative(const SideState& side) {
  return side.main_left < Millis(0) || side.periods_left < 0 || side.used < Millis(0);
}

Millis UsedByBoth(const TurnStart& turn) { return turn.first.used + turn.second.used; }

std::optional<TimePoint> LastDeadline(ClockState state) {
  state.stopped.reset();
  return timecontrol::DeadlineOf(state);
}

}  // namespace

Complaint ClockTruth::Change(const clock::LiveClock& next,
                             const std::optional<clock::PressRecord>& press, TimePoint now) {
  const ClockState& state = next.state;
  if (Negative(state.turn.first) || Negative(state.turn.second)) {
    return "a clock shows negative time: " + Show(state.turn);
  }
  Complaint complaint;
  if (!clock_) {
    if (state.turn.ply != 0 || press) complaint = "a new clock is not at its start";
  } else if (clock_->state.stopped) {
    complaint = "a stopped clock was changed";
  } else {
    complaint = press ? CheckPress(next, *press) : CheckRest(next);
  }
  if (complaint) return complaint;
  if (press) presses_[press->before.ply] = *press;
  if (next.flag_fallen) fallen_.insert(state.turn.ply);
  if (!clock_ || LastDeadline(clock_->state) != LastDeadline(state)) changed_at_ = now;
  clock_ = next;
  turns_[state.turn.ply] = state.turn;
  if (const auto deadline = LastDeadline(state)) {
    deadlines_.push_back({state.turn.ply, state.turn.side, *deadline});
  }
  return {};
}

Complaint ClockTruth::CheckPress(const clock::LiveClock& next,
                                 const clock::PressRecord& press) const {
  const ClockState& before = clock_->state;
  const ClockState& after = next.state;
  if (clock_->flag_fallen) return "a press was accepted after the flag had fallen";
  if (press.before != before.turn || press.turn_started != before.turn_started) {
    return "a press was recorded of a turn that was not the running one";
  }
  if (const auto deadline = LastDeadline(before); deadline && press.pressed >= *deadline) {
    return "a press at or after the deadline was accepted";
  }
  if (after.turn.ply != before.turn.ply + 1 || after.turn.side == before.turn.side) {
    return "a press did not lead to the next ply";
  }
  if (after.turn_started != std::max(before.turn_started, press.pressed)) {
    return "the next turn does not start with the press";
  }
  // No millisecond is charged to both sides or to nobody.
  if (UsedByBoth(after.turn) - UsedByBoth(before.turn) !=
      after.turn_started - before.turn_started) {
    return "the time used does not sum up to the time that passed: " + Show(before.turn) + " -> " +
           Show(after.turn);
  }
  const Side waiting = Opponent(before.turn.side);
  if (after.turn.of(waiting) != before.turn.of(waiting)) {
    return "a press changed the time of the side that was not thinking";
  }
  return {};
}

// Stopped, given time or set back.
Complaint ClockTruth::CheckRest(const clock::LiveClock& next) const {
  const ClockState& before = clock_->state;
  const ClockState& after = next.state;
  if (after.stopped) {
    if (after.turn != before.turn) return "stopping a clock changed what it shows";
    return {};
  }
  if (next.flag_fallen && !clock_->flag_fallen && after == before) return {};
  if (next.adjustments == clock_->adjustments) return "a clock changed without a press or request";
  if (after.turn_started < before.turn_started) return "a turn starts before the one it follows";
  const bool same_turn =
      after.turn.ply == before.turn.ply && after.turn_started == before.turn_started;
  if (same_turn && UsedByBoth(after.turn) == UsedByBoth(before.turn)) return {};  // a gift
  const auto turn = turns_.find(after.turn.ply);
  if (after.turn.ply > before.turn.ply || turn == turns_.end()) {
    return "a clock was set back to a ply it had not reached";
  }
  if (after.turn.first.used != turn->second.first.used ||
      after.turn.second.used != turn->second.second.used) {
    return "a clock was set back to something it never showed: " + Show(turn->second) + " -> " +
           Show(after.turn);
  }
  return {};
}

const clock::PressRecord* ClockTruth::PressAt(int ply) const {
  const auto press = presses_.find(ply);
  return press == presses_.end() ? nullptr : &press->second;
}

std::optional<TimePoint> ClockTruth::Deadline() const { return LastDeadline(clock_->state); }

std::optional<TimePoint> ClockTruth::FallsFrom() const {
  const std::optional<TimePoint> deadline = Deadline();
  return deadline ? std::optional(std::max(*deadline, changed_at_)) : std::nullopt;
}

bool ClockTruth::EverLate(int ply, Side side, TimePoint at) const {
  return std::any_of(deadlines_.begin(), deadlines_.end(), [&](const Turn& turn) {
    return turn.ply == ply && turn.side == side && turn.deadline <= at;
  });
}

}  // namespace komadai::simulation
