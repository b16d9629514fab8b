#include "libs/timecontrol/clock.h"

#include <algorithm>
#include <string>

namespace komadai::timecontrol {
namespace {

constexpr Millis kNone{0};

SideState InitialState(const SideTime& time) {
  return {.main_left = InitialMainTime(time), .periods_left = Periods(time), .used = kNone};
}

// How long the side may think about a move that starts now.
Millis Budget(const SideTime& time, const SideState& state) {
  return time.delay + state.main_left + time.byoyomi * state.periods_left;
}

// The same of a side that may be thinking.
Millis TimeLeft(const SideTime& time, const SideReading& reading) {
  const Millis periods = reading.periods_left > 0
                             ? reading.period_left + time.byoyomi * (reading.periods_left - 1)
                             : kNone;
  return reading.delay_left + reading.main_left + periods;
}

// How much of a move's lag the side need not pay for.
Millis Allowance(const LagCompensation& lag, Millis compensated) {
  return std::clamp(lag.per_game - compensated, kNone, lag.per_move);
}

Millis AllowanceOf(const ClockState& state) {
  const Side side = state.turn.side;
  if (!HasClock(state.control.of(side))) return kNone;
  return Allowance(state.control.lag, state.turn.of(side).compensated);
}

// Since the turn began, pauses left out.
Millis Elapsed(const ClockState& state, TimePoint at) {
  const TimePoint until = state.paused ? std::min(at, *state.paused) : at;
  return std::max(until - state.turn_started, kNone);
}

// Time the running side has thought by `at`, never more than it has.
Millis ThinkingTime(const ClockState& state, TimePoint at) {
  const SideTime& time = state.control.of(state.turn.side);
  const Millis elapsed = Elapsed(state, at);
  if (!HasClock(time)) return elapsed;
  return std::min(elapsed, Budget(time, state.turn.of(state.turn.side)));
}

struct Charged {
  SideState state;
  Millis into_period{0};  // time spent in the running byo-yomi period
  Millis delay_left{0};
};

// `thinking` is at most the budget; when it is all of it, nothing is left.
Charged Charge(const SideTime& time, SideState state, Millis thinking) {
  state.used += thinking;
  Millis rest = thinking;
  const Millis free = std::min(rest, time.delay);
  rest -= free;
  Charged charged{.state = state, .into_period = kNone, .delay_left = time.delay - free};
  if (!HasClock(time)) return charged;
  const Millis from_main = std::min(rest, state.main_left);
  charged.state.main_left -= from_main;
  rest -= from_main;
  if (time.byoyomi > kNone) {
    charged.state.periods_left -= static_cast<int>(rest / time.byoyomi);
    charged.into_period = rest % time.byoyomi;
  }
  return charged;
}

SideReading ReadSide(const SideTime& time, const Charged& charged) {
  SideReading reading;
  reading.main_left = charged.state.main_left;
  reading.periods_left = charged.state.periods_left;
  reading.used = charged.state.used;
  reading.compensated = charged.state.compensated;
  reading.delay_left = charged.delay_left;
  const int periods = Periods(time);
  if (periods == 0) return reading;
  if (reading.periods_left > 0) reading.period_left = time.byoyomi - charged.into_period;
  if (reading.main_left == kNone) {
    reading.period_index = std::min(periods - reading.periods_left + 1, periods);
  }
  return reading;
}

Status CheckInstant(TimePoint at) {
  if (at >= TimePoint() && at <= kMaxInstant) return {};
  return Error(kInstantOutOfRange, "the instant is not between 1970 and 2200",
               {{"at_ms", std::to_string(ToUnixMillis(at))}});
}

Error TimeIsUp(const ClockState& state, TimePoint deadline) {
  return Error(kTimeIsUp, "the time of the side to move is up",
               {{"side", SideName(state.turn.side)},
                {"deadline_ms", std::to_string(ToUnixMillis(deadline))}});
}

// Neither stopped nor paused; the time of the side to move may be up.
Status CheckGoing(const ClockState& state, TimePoint at) {
  Status instant = CheckInstant(at);
  if (!instant) return instant;
  if (state.stopped) return Error(kClockStopped, "the clock is stopped");
  if (state.paused) return Error(kClockPaused, "the clock is paused");
  return {};
}

// What every change by a player needs.
Status CheckRunning(const ClockState& state, TimePoint at) {
  Status going = CheckGoing(state, at);
  if (!going) return going;
  if (IsTimeUp(state, at)) return TimeIsUp(state, *DeadlineOf(state));
  return {};
}

}  // namespace

Result<ClockState> Start(const TimeControl& control, Side to_move, TimePoint at) {
  Status valid = Validate(control);
  if (!valid) return std::move(valid).error();
  Status instant = CheckInstant(at);
  if (!instant) return std::move(instant).error();
  ClockState state;
  state.control = control;
  state.turn = {.ply = 0,
                .side = to_move,
                .first = InitialState(control.first),
                .second = InitialState(control.second)};
  state.turn_started = at;
  return state;
}

Result<Pressed> Press(const ClockState& state, Side side, TimePoint at,
                      std::optional<Millis> thinking) {
  Status running = CheckRunning(state, at);
  if (!running) return std::move(running).error();
  if (side != state.turn.side) {
    return Error(kOtherSideToMove, "the other side's clock is running",
                 {{"side", SideName(state.turn.side)}});
  }
  const SideTime& time = state.control.of(side);
  const Millis elapsed = Elapsed(state, at);
  const Millis lag = thinking ? elapsed - std::clamp(*thinking, kNone, elapsed) : kNone;
  Pressed pressed{.state = state, .compensated = std::min(lag, AllowanceOf(state))};
  pressed.used = elapsed - pressed.compensated;
  SideState& mover = pressed.state.turn.of(side);
  const Millis budget = Budget(time, mover);
  if (HasClock(time) && pressed.used >= budget) {
    return TimeIsUp(state, state.turn_started + budget + pressed.compensated);
  }
  mover = Charge(time, mover, pressed.used).state;
  mover.main_left += time.increment;
  mover.compensated += pressed.compensated;
  pressed.state.turn.ply += 1;
  pressed.state.turn.side = Opponent(side);
  pressed.state.turn_started = std::max(state.turn_started, at);
  return pressed;
}

Reading Read(const ClockState& state, TimePoint at) {
  const TimePoint shown = state.stopped ? *state.stopped : at;
  const auto read = [&](Side side) {
    const SideTime& time = state.control.of(side);
    const Millis thinking = side == state.turn.side ? ThinkingTime(state, shown) : kNone;
    return ReadSide(time, Charge(time, state.turn.of(side), thinking));
  };
  Reading reading;
  reading.first = read(Side::kFirst);
  reading.second = read(Side::kSecond);
  if (!state.stopped && !state.paused) reading.running = state.turn.side;
  reading.paused = state.paused && !state.stopped;
  reading.at = shown;
  reading.deadline = DeadlineOf(state);
  reading.ply = state.turn.ply;
  return reading;
}

Reading RunFrom(const TimeControl& control, Reading reading, Side side, TimePoint at) {
  const SideTime& time = control.of(side);
  const SideReading& own = reading.of(side);
  reading.running = side;
  reading.paused = false;
  reading.at = at;
  reading.deadline.reset();
  if (HasClock(time)) {
    reading.deadline = at + TimeLeft(time, own) + Allowance(control.lag, own.compensated);
  }
  return reading;
}

TimeControl Remaining(const TimeControl& control, const Reading& reading) {
  const auto remaining = [](SideTime time, const SideReading& left) {
    time.main = std::min(left.main_left, kMaxMainTime);  // more only by gifts
    if (time.byoyomi > kNone) time.byoyomi_periods = std::max(left.periods_left, 1);
    return time;
  };
  TimeControl rest = control;
  rest.first = remaining(control.first, reading.first);
  rest.second = remaining(control.second, reading.second);
  return rest;
}

std::optional<TimePoint> DeadlineOf(const ClockState& state) {
  const Side side = state.turn.side;
  const SideTime& time = state.control.of(side);
  if (state.stopped || state.paused || !HasClock(time)) return std::nullopt;
  return state.turn_started + Budget(time, state.turn.of(side)) + AllowanceOf(state);
}

bool IsTimeUp(const ClockState& state, TimePoint at) {
  const std::optional<TimePoint> deadline = DeadlineOf(state);
  return deadline && at >= *deadline;
}

Result<ClockState> AddTime(const ClockState& state, Side side, Millis amount, TimePoint at) {
  Status running = CheckRunning(state, at);
  if (!running) return std::move(running).error();
  if (!HasClock(state.control.of(side))) {
    return Error(kNoClock, "this side has no clock", {{"side", SideName(side)}});
  }
  ClockState added = state;
  Millis& main_left = added.turn.of(side).main_left;
  if (amount < kMinAddedTime || amount > kMaxAddedTime || main_left > kMaxMainLeft - amount) {
    return Error(kTooMuchTime, "the amount of time is out of range",
                 {{"add_ms", std::to_string(amount.count())},
                  {"min", std::to_string(kMinAddedTime.count())},
                  {"max", std::to_string(kMaxAddedTime.count())}});
  }
  main_left += amount;
  return added;
}

Result<ClockState> Rewind(const ClockState& state, const TurnStart& turn, TimePoint at) {
  if (Status going = CheckGoing(state, at); !going) return std::move(going).error();
  if (turn.ply < 0 || turn.ply > state.turn.ply) {
    return Error(kPlyNotReached, "the clock has not reached this ply",
                 {{"ply", std::to_string(turn.ply)}, {"current", std::to_string(state.turn.ply)}});
  }
  ClockState rewound = state;
  rewound.turn = turn;
  rewound.turn_started = std::max(state.turn_started, at);
  return rewound;
}

Result<ClockState> Pause(const ClockState& state, TimePoint at) {
  Status running = CheckRunning(state, at);
  if (!running) return std::move(running).error();
  ClockState paused = state;
  paused.paused = std::max(state.turn_started, at);
  return paused;
}

Result<ClockState> Resume(const ClockState& state, TimePoint at) {
  if (Status instant = CheckInstant(at); !instant) return std::move(instant).error();
  if (state.stopped) return Error(kClockStopped, "the clock is stopped");
  if (!state.paused) return Error(kClockNotPaused, "the clock is not paused");
  ClockState resumed = state;
  resumed.turn_started += std::max(at - *state.paused, kNone);
  resumed.paused.reset();
  return resumed;
}

Result<ClockState> Stop(const ClockState& state, TimePoint at) {
  if (state.stopped) return state;
  Status instant = CheckInstant(at);
  if (!instant) return std::move(instant).error();
  ClockState stopped = state;
  stopped.stopped = std::max(state.turn_started, at);
  return stopped;
}

}  // namespace komadai::timecontrol
