#include "services/game/app/move_maker.h"

#include <algorithm>
#include <utility>

#include "libs/convert/time_control.h"
#include "libs/timecontrol/clock.h"
#include "services/game/app/chores.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

// A move that is on record only so long after it was made was held up by a crash or an outage,
// which is not the opponent's fault: their turn begins with the record.
constexpr Millis kHeldUp{1000};

Result<Side> SideOfMover(const Game& game, const MoveCommand& command) {
  if (!command.by_computer) return SideOf(game, command.player_id);
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (game.player(side).kind == PlayerKind::kComputer) return side;
  }
  return Error{kNotAPlayer, "the computer does not play in this game", {{"game", game.id}}};
}

// Thinking time in a game without a clock: since the move before.
Millis Unclocked(const Game& game, TimePoint at) {
  const TimePoint since = game.moves.empty() ? game.created_at : game.moves.back().at;
  return std::max(Millis(0), at - since);
}

// Whether the rules ended the game with the last move, rather than a player or the clock after it.
bool EndedByItsLastMove(const Game& game) {
  if (!game.over() || game.moves.empty() || game.sequence != game.moves.back().sequence + 1) {
    return false;
  }
  switch (game.result->ending) {
    case Ending::kCheckmate:
    case Ending::kNoLegalMove:
    case Ending::kRepetition:
    case Ending::kPerpetualCheck:
    case Ending::kPerpetualChase:
    case Ending::kPlyLimit:
    case Ending::kNoCapture:
    case Ending::kInsufficientMaterial:
      return true;
    default:
      return false;
  }
}

// The clock has heard of an end or a pause that came after the game was read: the game as it is now
// knows what to say.
bool ClockIsAhead(const Error& error) {
  return error.Is(timecontrol::kClockStopped) || error.Is(timecontrol::kClockPaused);
}

// The clock after a press at `pressed`, when its move is on record at `now`.
std::optional<timecontrol::Reading> TurnAfterDelay(const Game& game,
                                                   const timecontrol::Reading& pressed,
                                                   TimePoint now) {
  const bool lost = pressed.deadline && now >= *pressed.deadline;  // before it was even on record
  if ((now < pressed.at + kHeldUp && !lost) || !pressed.running) return std::nullopt;
  return timecontrol::RunFrom(*game.time_control, pressed, *pressed.running, now);
}

MoveOutcome OutcomeOf(const Game& after, const MovePlayed& played, std::int64_t sequence) {
  return {after.ply(), played.move, played.board, played.clock, after.result, sequence};
}

}  // namespace

Task<Result<MoveOutcome>> MoveMaker::Play(rpc::Call call, MoveCommand command) {
  const std::string game_id = command.game_id;
  return UntilCommitted(game_id, [this, call, command = std::move(command)](int number) {
    return TryPlay(call, command, number);
  });
}

Task<MoveMaker::Attempt> MoveMaker::TryPlay(rpc::Call call, MoveCommand command, int number) {
  Result<StoredGame> stored = co_await store_.Fetch(command.game_id, number == 0);
  if (!stored) co_return std::move(stored).error();
  Attempt outcome = co_await TryPlayOn(call, *stored, std::move(command));
  if (!outcome.failed()) co_return outcome;
  const bool last = number + 1 == Committer::kMaxAttempts;
  // A refusal decided on an old version is decided again on the present one.
  const bool old = !stored->fresh || (!last && ClockIsAhead(outcome.error()));
  if (old) co_return livestore::LostRace{};
  co_return outcome;
}

Task<MoveMaker::Attempt> MoveMaker::TryPlayOn(rpc::Call call, StoredGame stored,
                                              MoveCommand command) {
  const Game& game = *stored.game;
  Result<Side> side = SideOfMover(game, command);
  if (!side) co_return std::move(side).error();
  if (command.thought_at && *command.thought_at != game.sequence) {
    co_return Error(kStalePly, "the game has changed since the computer looked at it");
  }
  Result<MoveDecision> decision = DecideMove(game, *side, command.expected_ply, command.move);
  if (!decision) co_return std::move(decision).error();
  if (*decision == MoveDecision::kRepeat) {
    Result<MoveOutcome> repeat = co_await Repeat(stored, command.expected_ply);
    if (!repeat) co_return std::move(repeat).error();
    co_return std::move(repeat).value();
  }
  if (*decision == MoveDecision::kRepeatIllegal) {
    co_return MoveOutcome{game.ply(), "", game.board, game.clock, game.result, game.sequence};
  }
  // A cached version is not enough where the clock has to be told something, which it may have been
  // told long ago, nor where moves are taken back: its ply may be one of a line that was undone.
  const bool telling = game.time_control && (ClockIsBehind(stored) || game.allow_takeback);
  if (telling && !stored.fresh) co_return livestore::LostRace{};
  Status valid = CheckNotUndone(game, call.received_at());
  if (!valid) co_return std::move(valid).error();
  Result<AppliedMove> applied =
      co_await rules_.Apply(call, game.setup, game.board.position, game.history, command.move);
  if (!applied) co_return std::move(applied).error();
  MovePlayed played;
  if (game.time_control) {
    Result<PressedClock> pressed = co_await clock_.Press(call, stored, *side, command.thinking);
    // After the deadline it is the clock that lets the flag fall, and only for good: another press
    // of this ply, or a gift of time, may have been earlier.
    if (!pressed) co_return std::move(pressed).error();
    played.used = pressed->used;
    played.clock = pressed->reading;
    if (ClockIsBehind(stored)) stored.progress.clock_told = game.sequence;
  } else {
    played.used = Unclocked(game, call.received_at());
  }
  Events events;
  if (!applied->illegal) {
    played.move = applied->move;
    played.board = applied->board;
    played.history_entry = applied->history_entry;
    events.push_back(played);
  }
  if (applied->result) {
    Ended ended{*applied->result, played.clock};
    if (applied->illegal) ended.illegal_move = command.move;
    events.push_back(std::move(ended));
  } else if (played.clock) {
    const auto restarted = TurnAfterDelay(game, *played.clock, time_.Now());
    if (restarted) events.push_back(TurnRestarted{*restarted});
  }
  GameAttempt committed = co_await committer_.Commit(stored, std::move(events), call.received_at());
  if (!committed.committed()) co_return std::move(committed).With(MoveOutcome());
  if (applied->illegal) played.board = committed->game->board;
  co_return OutcomeOf(*committed->game, played, game.sequence + 1);
}

Task<Result<MoveOutcome>> MoveMaker::Repeat(StoredGame stored, int ply) {
  const Game& game = *stored.game;
  const PlayedMove& move = game.moves[static_cast<std::size_t>(ply)];
  Result<pb::GameEvent> event = co_await store_.ReadEvent(game.id, move.sequence);
  if (!event) co_return std::move(event).error();
  const pb::MovePlayed& played = event->move_played();
  MoveOutcome outcome;
  outcome.ply = ply + 1;
  outcome.move = move.move;
  outcome.board = {played.position(), game.MoverOf(ply + 1), played.check(), played.occurrences()};
  if (played.has_clock()) outcome.clock = convert::ReadingFromProto(played.clock());
  if (EndedByItsLastMove(game) && game.ply() == ply + 1) outcome.result = game.result;
  outcome.sequence = move.sequence;
  co_return outcome;
}

}  // namespace komadai::game
