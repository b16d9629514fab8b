// LiveClock: the clock of one game with what makes every command repeatable; and the commands.
//
// Pure: a command and the clock as it stands give the clock as it shall stand, or a refusal. The
// shell commits that on condition that the clock has not changed since, else it asks again.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/result.h"
#include "libs/timecontrol/clock.h"
#include "services/clock/errors.h"

namespace komadai::clock {

using timecontrol::ClockState;
using timecontrol::Reading;
using timecontrol::TurnStart;

// A press that was made: enough to answer its repeats and to take it back.
struct PressRecord {
  TurnStart before;
  TimePoint turn_started;
  TimePoint pressed;
  std::optional<Millis> thinking = {};  // as the player reported it

  friend bool operator==(const PressRecord&, const PressRecord&) = default;
};

// Adjustments older than this many are forgotten: a repeat of one would count again.
inline constexpr std::size_t kRememberedAdjustments = 16;

struct LiveClock {
  ClockState state;
  // The press that led to the current turn, unless a takeback or a restart did.
  std::optional<PressRecord> last_press;
  std::vector<std::string> adjustments;  // request ids, the oldest first
  // The running side has lost on time and everybody was told: no press of this turn counts any
  // more, whenever it was received. Undone by a takeback or a pause from before the deadline, which
  // the game had taken first, and by a restart of the turn.
  bool flag_fallen = false;
  // When moves were last taken back: a press received before belongs to a turn taken back, even
  // if its ply has come again.
  std::optional<TimePoint> rewound = {};

  friend bool operator==(const LiveClock&, const LiveClock&) = default;
};

struct PressCommand {
  int ply = 0;
  Side side = Side::kFirst;
  TimePoint at;
  std::optional<Millis> thinking = {};  // as the player reports it
};
struct StopCommand {
  TimePoint at;
};
struct AddTimeCommand {
  std::string request_id;
  Side side = Side::kFirst;
  Millis amount{0};
  TimePoint at;
};
struct RewindCommand {
  std::string request_id;
  int ply = 0;
  Side side_to_move = Side::kFirst;
  TimePoint at;
  bool restart = false;  // no moves were taken back: earlier presses of the ply still count
};
// The turn of `ply` stands still from `at` on, even if the clock has been pressed for it since: the
// game did not take that move.
struct PauseCommand {
  std::string request_id;
  int ply = 0;
  TimePoint at;
};
struct ResumeCommand {
  std::string request_id;
  int ply = 0;
  TimePoint at;
};
using Command = std::variant<PressCommand, StopCommand, AddTimeCommand, RewindCommand, PauseCommand,
                             ResumeCommand>;

struct Decision {
  LiveClock clock;
  bool changed = false;               // whether there is anything to commit
  std::optional<PressRecord> record;  // of a new press, to be kept
  Reading reading;                    // what the caller is told
  Millis used{0};                     // of a press
};

// The clock of a new game.
Result<LiveClock> StartClock(const timecontrol::TimeControl& control, Side to_move, TimePoint at);

// The ply of the earlier press that the command is about, if the clock alone does not know it: a
// repeat of an old press, a takeback of several plies, a pause that undoes a press. Decide() then
// needs its record.
std::optional<int> RecordNeeded(const LiveClock& clock, const Command& command);

// `record`: the latest of the ply that RecordNeeded() named; nullopt if the store has none.
// Refusals: kStalePly and those of libs/timecontrol.
Result<Decision> Decide(const LiveClock& clock, const Command& command,
                        const std::optional<PressRecord>& record);

// A deadline: the flag of `side` falls at `deadline` if `ply` is still open.
struct Expiry {
  std::string game_id;
  int ply = 0;
  Side side = Side::kFirst;
  TimePoint deadline;

  friend bool operator==(const Expiry&, const Expiry&) = default;
};

// nullopt: stopped, or nobody's time runs out.
std::optional<Expiry> ExpiryOf(const std::string& game_id, const LiveClock& clock);

}  // namespace komadai::clock
