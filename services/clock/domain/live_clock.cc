#include "services/clock/domain/live_clock.h"

#include <algorithm>
#include <map>
#include <utility>

namespace komadai::clock {
namespace {

Error StalePly(int ply, const LiveClock& clock) {
  const int current = clock.state.turn.ply;
  return Error(kStalePly, "the clock is not at this ply",
               {{"ply", std::to_string(ply)}, {"current", std::to_string(current)}});
}

Error FlagHasFallen(const LiveClock& clock) {
  std::map<std::string, std::string> metadata{{"side", SideName(clock.state.turn.side)}};
  if (const auto deadline = timecontrol::DeadlineOf(clock.state)) {
    metadata["deadline_ms"] = std::to_string(ToUnixMillis(*deadline));
  }
  return Error(timecontrol::kTimeIsUp, "the flag of the side to move has fallen",
               std::move(metadata));
}

Decision Unchanged(const LiveClock& clock, TimePoint read_at) {
  Decision decision;
  decision.clock = clock;
  decision.reading = timecontrol::Read(clock.state, read_at);
  return decision;
}

Decision Changed(LiveClock clock, TimePoint read_at) {
  Decision decision = Unchanged(clock, read_at);
  decision.changed = true;
  return decision;
}

bool IsKnown(const LiveClock& clock, const std::string& request_id) {
  return std::find(clock.adjustments.begin(), clock.adjustments.end(), request_id) !=
         clock.adjustments.end();
}

void Remember(LiveClock& clock, const std::string& request_id) {
  if (clock.adjustments.size() >= kRememberedAdjustments) {
    clock.adjustments.erase(clock.adjustments.begin());
  }
  clock.adjustments.push_back(request_id);
}

bool LastPressWas(const LiveClock& clock, int ply) {
  return clock.last_press && clock.last_press->before.ply == ply;
}

// Presses again what was pressed then, on the clock of then: the same answer.
Result<Decision> RepeatPress(const LiveClock& clock, const PressCommand& command,
                             const std::optional<PressRecord>& record) {
  if (!record || record->before.ply != command.ply) return StalePly(command.ply, clock);
  ClockState then;
  then.control = clock.state.control;
  then.turn = record->before;
  then.turn_started = record->turn_started;
  Result<timecontrol::Pressed> pressed =
      timecontrol::Press(then, command.side, record->pressed, record->thinking);
  if (!pressed) return std::move(pressed).error();
  Decision decision;
  decision.clock = clock;
  decision.reading = timecontrol::Read(pressed->state, record->pressed);
  decision.used = pressed->used;
  return decision;
}

Result<Decision> DecidePress(const LiveClock& clock, const PressCommand& command,
                             const std::optional<PressRecord>& record) {
  const int current = clock.state.turn.ply;
  if (command.ply < current) {
    const bool known = LastPressWas(clock, command.ply);
    return RepeatPress(clock, command, known ? clock.last_press : record);
  }
  const bool undone = clock.rewound && command.at < *clock.rewound;
  if (command.ply > current || undone) return StalePly(command.ply, clock);
  if (clock.flag_fallen) return FlagHasFallen(clock);
  Result<timecontrol::Pressed> pressed =
      timecontrol::Press(clock.state, command.side, command.at, command.thinking);
  if (!pressed) return std::move(pressed).error();
  LiveClock after = clock;
  after.state = pressed->state;
  after.last_press = PressRecord{.before = clock.state.turn,
                                 .turn_started = clock.state.turn_started,
                                 .pressed = command.at,
                                 .thinking = command.thinking};
  Decision decision = Changed(std::move(after), command.at);
  decision.record = decision.clock.last_press;
  decision.used = pressed->used;
  return decision;
}

Result<Decision> DecideStop(const LiveClock& clock, const StopCommand& command) {
  if (clock.state.stopped) return Unchanged(clock, command.at);
  Result<ClockState> stopped = timecontrol::Stop(clock.state, command.at);
  if (!stopped) return std::move(stopped).error();
  LiveClock after = clock;
  after.state = *std::move(stopped);
  return Changed(std::move(after), command.at);
}

Result<Decision> DecideAddTime(const LiveClock& clock, const AddTimeCommand& command) {
  if (IsKnown(clock, command.request_id)) return Unchanged(clock, command.at);
  if (clock.flag_fallen) return FlagHasFallen(clock);
  Result<ClockState> added =
      timecontrol::AddTime(clock.state, command.side, command.amount, command.at);
  if (!added) return std::move(added).error();
  LiveClock after = clock;
  after.state = *std::move(added);
  Remember(after, command.request_id);
  return Changed(std::move(after), command.at);
}

// How things stood when the turn of `ply` began.
std::optional<TurnStart> TurnAt(const LiveClock& clock, int ply,
                                const std::optional<PressRecord>& record) {
  if (ply == clock.state.turn.ply) return clock.state.turn;
  if (LastPressWas(clock, ply)) return clock.last_press->before;
  if (record && record->before.ply == ply) return record->before;
  return std::nullopt;
}

Result<Decision> DecideRewind(const LiveClock& clock, const RewindCommand& command,
                              const std::optional<PressRecord>& record) {
  if (IsKnown(clock, command.request_id)) return Unchanged(clock, command.at);
  const std::optional<TurnStart> turn = TurnAt(clock, command.ply, record);
  if (!turn) return StalePly(command.ply, clock);
  if (turn->side != command.side_to_move) {
    return Error(timecontrol::kOtherSideToMove, "the other side moves at this ply",
                 {{"side", SideName(turn->side)}});
  }
  Result<ClockState> rewound = timecontrol::Rewind(clock.state, *turn, command.at);
  if (!rewound) return std::move(rewound).error();
  LiveClock after = clock;
  after.state = *std::move(rewound);
  // The record of the press before this turn is still in the journal.
  after.last_press.reset();
  after.flag_fallen = false;
  if (!command.restart) after.rewound = command.at;
  Remember(after, command.request_id);
  return Changed(std::move(after), command.at);
}

// The clock before it was pressed at `ply`, if it has been.
Result<LiveClock> AtOpenPly(const LiveClock& clock, int ply,
                            const std::optional<PressRecord>& record) {
  if (ply == clock.state.turn.ply) return clock;
  const std::optional<PressRecord>& press = LastPressWas(clock, ply) ? clock.last_press : record;
  if (!press || press->before.ply != ply) return StalePly(ply, clock);
  LiveClock before = clock;
  before.state.turn = press->before;
  before.state.turn_started = press->turn_started;
  before.last_press.reset();
  return before;
}

Result<Decision> DecidePause(const LiveClock& clock, const PauseCommand& command,
                             const std::optional<PressRecord>& record) {
  if (IsKnown(clock, command.request_id)) return Unchanged(clock, command.at);
  Result<LiveClock> after = AtOpenPly(clock, command.ply, record);
  if (!after) return std::move(after).error();
  Result<ClockState> paused = timecontrol::Pause(after->state, command.at);
  if (!paused) return std::move(paused).error();
  after->state = *std::move(paused);
  after->flag_fallen = false;
  Remember(*after, command.request_id);
  return Changed(*std::move(after), command.at);
}

Result<Decision> DecideResume(const LiveClock& clock, const ResumeCommand& command) {
  if (IsKnown(clock, command.request_id)) return Unchanged(clock, command.at);
  if (command.ply != clock.state.turn.ply) return StalePly(command.ply, clock);
  Result<ClockState> resumed = timecontrol::Resume(clock.state, command.at);
  if (!resumed) return std::move(resumed).error();
  LiveClock after = clock;
  after.state = *std::move(resumed);
  Remember(after, command.request_id);
  return Changed(std::move(after), command.at);
}

// The earlier ply that an adjustment is about; nullopt: none, or it was made before.
std::optional<int> PlyOfAdjustment(const LiveClock& clock, const Command& command) {
  if (const auto* rewind = std::get_if<RewindCommand>(&command)) {
    if (!IsKnown(clock, rewind->request_id)) return rewind->ply;
  } else if (const auto* pause = std::get_if<PauseCommand>(&command)) {
    if (!IsKnown(clock, pause->request_id)) return pause->ply;
  }
  return std::nullopt;
}

}  // namespace

Result<LiveClock> StartClock(const timecontrol::TimeControl& control, Side to_move, TimePoint at) {
  Result<ClockState> state = timecontrol::Start(control, to_move, at);
  if (!state) return std::move(state).error();
  LiveClock clock;
  clock.state = *std::move(state);
  return clock;
}

std::optional<int> RecordNeeded(const LiveClock& clock, const Command& command) {
  const auto* press = std::get_if<PressCommand>(&command);
  const std::optional<int> ply = press ? press->ply : PlyOfAdjustment(clock, command);
  const bool earlier = ply && *ply >= 0 && *ply < clock.state.turn.ply;
  if (!earlier || LastPressWas(clock, *ply)) return std::nullopt;
  return ply;
}

Result<Decision> Decide(const LiveClock& clock, const Command& command,
                        const std::optional<PressRecord>& record) {
  if (const auto* press = std::get_if<PressCommand>(&command)) {
    return DecidePress(clock, *press, record);
  }
  if (const auto* stop = std::get_if<StopCommand>(&command)) return DecideStop(clock, *stop);
  if (const auto* add = std::get_if<AddTimeCommand>(&command)) return DecideAddTime(clock, *add);
  if (const auto* pause = std::get_if<PauseCommand>(&command)) {
    return DecidePause(clock, *pause, record);
  }
  if (const auto* resume = std::get_if<ResumeCommand>(&command)) {
    return DecideResume(clock, *resume);
  }
  return DecideRewind(clock, std::get<RewindCommand>(command), record);
}

std::optional<Expiry> ExpiryOf(const std::string& game_id, const LiveClock& clock) {
  const std::optional<TimePoint> deadline = timecontrol::DeadlineOf(clock.state);
  if (!deadline) return std::nullopt;
  return Expiry{.game_id = game_id,
                .ply = clock.state.turn.ply,
                .side = clock.state.turn.side,
                .deadline = *deadline};
}

}  // namespace komadai::clock
