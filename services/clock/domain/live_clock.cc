#include "services/clock/domain/live_clock.h"

#include <algorithm>
#include <utility>

namespace komadai::clock {
namespace {

Error StalePly(int ply, const LiveClock& clock) {
  const int current = clock.state.turn.ply;
  return Error(kStalePly, "the clock is at another ply",
               {{"ply", std::to_string(ply)}, {"current", std::to_string(current)}});
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
  Result<timecontrol::Pressed> pressed = timecontrol::Press(then, command.side, record->pressed);
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
  if (command.ply > current) return StalePly(command.ply, clock);
  Result<timecontrol::Pressed> pressed = timecontrol::Press(clock.state, command.side, command.at);
  if (!pressed) return std::move(pressed).error();
  LiveClock after = clock;
  after.state = pressed->state;
  after.last_press = {
      .before = clock.state.turn, .turn_started = clock.state.turn_started, .pressed = command.at};
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
  Remember(after, command.request_id);
  return Changed(std::move(after), command.at);
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
  int ply = 0;
  if (const auto* press = std::get_if<PressCommand>(&command)) {
    ply = press->ply;
  } else if (const auto* rewind = std::get_if<RewindCommand>(&command)) {
    if (IsKnown(clock, rewind->request_id)) return std::nullopt;
    ply = rewind->ply;
  } else {
    return std::nullopt;
  }
  const bool earlier = ply >= 0 && ply < clock.state.turn.ply;
  if (!earlier || LastPressWas(clock, ply)) return std::nullopt;
  return ply;
}

Result<Decision> Decide(const LiveClock& clock, const Command& command,
                        const std::optional<PressRecord>& record) {
  if (const auto* press = std::get_if<PressCommand>(&command)) {
    return DecidePress(clock, *press, record);
  }
  if (const auto* stop = std::get_if<StopCommand>(&command)) return DecideStop(clock, *stop);
  if (const auto* add = std::get_if<AddTimeCommand>(&command)) return DecideAddTime(clock, *add);
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
