// The clock of a game as a value: (state, event, instant) -> state. The caller gives the instants.
//
// One rule decides every race. A deadline is the first instant at which the side has lost: a move
// received at t is in time if t < deadline, the flag has fallen if t >= deadline. So press and
// expiry can never both hold, and no flag falls before its deadline. In the same way a byo-yomi
// period is overrun when its whole length has passed.
//
// An instant before the start of the turn (a receive stamp taken a moment before the turn began)
// counts as the start: thinking time is never negative, and no millisecond is charged to both.
//
// Lag compensation: a player may say how long they thought; the rest of the time that the server
// measured is lag and is not charged, within the quotas of the control. The deadline lies behind
// the budget by what is left of them, and a move that needs it to be in time counts only if its
// lag, so limited, covers the overrun.
//
// A paused clock stands still: it can be read, resumed or stopped.
//
// Instants are within [0, kMaxInstant]; functions with a Result refuse others.
#pragma once

#include <optional>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/timecontrol/time_control.h"

namespace komadai::timecontrol {

// The year 2200. Leaves room for every sum of times in 53 bits (scores of indexes, JSON numbers).
inline constexpr TimePoint kMaxInstant{Millis(std::int64_t{7258118400000})};

inline constexpr Reason kTimeIsUp{Code::kFailedPrecondition, "TIME_IS_UP"};  // side, deadline_ms
inline constexpr Reason kClockStopped{Code::kFailedPrecondition, "CLOCK_STOPPED"};
inline constexpr Reason kClockPaused{Code::kFailedPrecondition, "CLOCK_PAUSED"};
inline constexpr Reason kClockNotPaused{Code::kFailedPrecondition, "CLOCK_NOT_PAUSED"};
inline constexpr Reason kOtherSideToMove{Code::kFailedPrecondition, "OTHER_SIDE_TO_MOVE"};
inline constexpr Reason kPlyNotReached{Code::kFailedPrecondition, "PLY_NOT_REACHED"};
inline constexpr Reason kNoClock{Code::kFailedPrecondition, "NO_CLOCK"};
inline constexpr Reason kTooMuchTime{Code::kInvalidArgument, "TOO_MUCH_TIME"};
inline constexpr Reason kInstantOutOfRange{Code::kInvalidArgument, "INSTANT_OUT_OF_RANGE"};

// One call adds at least and at most this, and no main time may grow beyond kMaxMainLeft by it.
inline constexpr Millis kMinAddedTime{1000};
inline constexpr Millis kMaxAddedTime{std::int64_t{3600} * 1000};
inline constexpr Millis kMaxMainLeft = 2 * kMaxMainTime;

// What one side has, without the move it may be thinking about.
struct SideState {
  Millis main_left{0};
  int periods_left = 0;
  Millis used{0};         // thinking time of all its completed moves, free delays included
  Millis compensated{0};  // lag of these moves that is not in `used`

  friend bool operator==(const SideState&, const SideState&) = default;
};

// How things stood when the side to move of a ply began to think: what a takeback returns to.
struct TurnStart {
  int ply = 0;  // plies played before it
  Side side = Side::kFirst;
  SideState first;
  SideState second;

  const SideState& of(Side s) const { return s == Side::kFirst ? first : second; }
  SideState& of(Side s) { return s == Side::kFirst ? first : second; }
  friend bool operator==(const TurnStart&, const TurnStart&) = default;
};

struct ClockState {
  TimeControl control;
  TurnStart turn;
  TimePoint turn_started;            // later by the length of a pause after it
  std::optional<TimePoint> paused;   // never before turn_started
  std::optional<TimePoint> stopped;  // for good

  friend bool operator==(const ClockState&, const ClockState&) = default;
};

// What the clock of one side shows.
struct SideReading {
  Millis main_left{0};
  int period_index = 0;   // 0: in main time (or no byo-yomi at all), 1: the first period, ...
  int periods_left = 0;   // not used up, the running one included
  Millis period_left{0};  // of the running period; a full one while main time is left
  Millis delay_left{0};   // of the running move's free delay; the whole delay when not running
  Millis used{0};         // in the whole game, the running move included
  Millis compensated{0};  // lag that was not charged, in the whole game

  friend bool operator==(const SideReading&, const SideReading&) = default;
};

struct Reading {
  SideReading first;
  SideReading second;
  std::optional<Side> running;  // not set: paused or stopped
  bool paused = false;
  TimePoint at;                       // when it was read; when it stopped, if it has
  std::optional<TimePoint> deadline;  // of the running side, if it has a clock
  int ply = 0;

  const SideReading& of(Side s) const { return s == Side::kFirst ? first : second; }
  friend bool operator==(const Reading&, const Reading&) = default;
};

struct Pressed {
  ClockState state;
  Millis used{0};  // thinking time of the move, its free delay included
  Millis compensated{0};
};

// A running clock at ply 0. Fails with a reason of Validate() or kInstantOutOfRange.
Result<ClockState> Start(const TimeControl& control, Side to_move, TimePoint at);

// Ends the move of `side` and starts the other side's turn. `thinking`: how long the player says
// they thought, true or not; nullopt: as long as the clock says. Fails with kClockStopped,
// kClockPaused, kOtherSideToMove, kTimeIsUp (metadata "side", "deadline_ms"), kInstantOutOfRange.
Result<Pressed> Press(const ClockState& state, Side side, TimePoint at,
                      std::optional<Millis> thinking = std::nullopt);

// What the clock shows. Past the deadline it shows the deadline: nothing left.
Reading Read(const ClockState& state, TimePoint at);

// What `reading` becomes when `side` begins or continues to think at `at`: the start of a turn,
// or the end of a pause.
Reading RunFrom(const TimeControl& control, Reading reading, Side side, TimePoint at);

// The control of a new game that continues with what `reading` shows. Increments, delays and the
// length of periods stay; a period that has begun is whole again.
TimeControl Remaining(const TimeControl& control, const Reading& reading);

// When the running side loses on time; nullopt: paused, stopped, or the side has no clock.
std::optional<TimePoint> DeadlineOf(const ClockState& state);

// Whether the running side has lost on time by `at`.
bool IsTimeUp(const ClockState& state, TimePoint at);

// Gives `side` main time. If it is thinking, it counts as if it had been there when the turn began,
// so the deadline moves by exactly `amount`. Fails with kClockStopped, kClockPaused, kTimeIsUp (too
// late for anybody), kNoClock, kTooMuchTime, kInstantOutOfRange.
Result<ClockState> AddTime(const ClockState& state, Side side, Millis amount, TimePoint at);

// Goes back, as the game has decided: both sides have what they had at `turn`, and its side thinks
// from `at`, also if the running turn has run out meanwhile. `turn` is of this clock and not ahead
// of it, else kPlyNotReached. Also fails with kClockStopped, kClockPaused, kInstantOutOfRange.
Result<ClockState> Rewind(const ClockState& state, const TurnStart& turn, TimePoint at);

// Stands still from `at` on. Fails with kClockStopped, kClockPaused (it does already), kTimeIsUp,
// kInstantOutOfRange.
Result<ClockState> Pause(const ClockState& state, TimePoint at);

// Runs on from `at`: the side to move has thought as long as when the clock was paused. Fails with
// kClockStopped, kClockNotPaused, kInstantOutOfRange.
Result<ClockState> Resume(const ClockState& state, TimePoint at);

// Stops the clock for good, the running move's time spent up to its deadline at most. A stopped
// clock stays as it is.
Result<ClockState> Stop(const ClockState& state, TimePoint at);

}  // namespace komadai::timecontrol
