// ClockTruth: one clock as its commits tell it, with every change checked.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/clock/domain/live_clock.h"

namespace komadai::simulation {

// What is wrong, or nothing.
using Complaint = std::optional<std::string>;

class ClockTruth {
 public:
  // A commit made it `next` at `now`; `press`: what it appended to the journal.
  Complaint Change(const clock::LiveClock& next, const std::optional<clock::PressRecord>& press,
                   TimePoint now);

  bool exists() const { return clock_.has_value(); }
  // Of an existing clock.
  const timecontrol::ClockState& state() const { return clock_->state; }
  // The latest press of a ply; null if there was none.
  const clock::PressRecord* PressAt(int ply) const;
  // The deadline of the running turn, also after the clock was stopped.
  std::optional<TimePoint> Deadline() const;
  // From when on a flag could fall: the deadline, or when the clock was set to it, which is later
  // if a turn was set back.
  std::optional<TimePoint> FallsFrom() const;
  // Whether a turn of this ply and side ever had a deadline at or before `at`.
  bool EverLate(int ply, Side side, TimePoint at) const;
  // Whether the flag of this ply has ever fallen.
  bool EverFell(int ply) const { return fallen_.contains(ply); }

 private:
  struct Turn {
    int ply = 0;
    Side side = Side::kFirst;
    TimePoint deadline;
  };

  Complaint CheckPress(const clock::LiveClock& next, const clock::PressRecord& press) const;
  Complaint CheckRest(const clock::LiveClock& next) const;

  std::optional<clock::LiveClock> clock_;
  std::map<int, clock::PressRecord> presses_;
  std::map<int, timecontrol::TurnStart> turns_;  // the latest of each ply
  std::vector<Turn> deadlines_;                  // all there ever were
  std::set<int> fallen_;                         // plies
  TimePoint changed_at_;
};

}  // namespace komadai::simulation
