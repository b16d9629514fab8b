// A game ends once, for a reason that the ledger, the rules or the clock confirm.
#include <algorithm>
#include <utility>

#include "libs/convert/time_control.h"
#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {
namespace {

bool Sent(const GameEvidence& evidence, PlayerCall::Kind kind, Side by, bool accepts = false) {
  return std::any_of(evidence.calls.begin(), evidence.calls.end(), [&](const PlayerCall& call) {
    return call.kind == kind && call.by == by && call.accepts == accepts;
  });
}

bool DrawWasAgreed(const GameEvidence& evidence) {
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (Sent(evidence, PlayerCall::Kind::kOfferDraw, side) &&
        Sent(evidence, PlayerCall::Kind::kAnswerDraw, Opponent(side), true)) {
      return true;
    }
  }
  return false;
}

const common_pb::ClockReading* ReadingOf(const game_pb::GameEvent& event) {
  switch (event.event_case()) {
    case game_pb::GameEvent::kMovePlayed:
      return event.move_played().has_clock() ? &event.move_played().clock() : nullptr;
    case game_pb::GameEvent::kTakenBack:
      return event.taken_back().has_clock() ? &event.taken_back().clock() : nullptr;
    case game_pb::GameEvent::kTimeAdded:
      return event.time_added().has_clock() ? &event.time_added().clock() : nullptr;
    case game_pb::GameEvent::kTurnRestarted:
      return &event.turn_restarted().clock();
    default:
      return nullptr;
  }
}

// The deadline that the players knew of: of the last reading, or of a clock that was never pressed.
std::optional<TimePoint> LastDeadline(const GameEvidence& evidence) {
  const game_pb::Game& game = *evidence.game;
  for (auto event = evidence.journal.rbegin(); event != evidence.journal.rend(); ++event) {
    const common_pb::ClockReading* reading = ReadingOf(*event);
    if (reading != nullptr) return FromUnixMillis(reading->deadline_ms());
  }
  const Result<timecontrol::TimeControl> control =
      convert::TimeControlFromProto(game.time_control());
  if (!control) return std::nullopt;
  const Result<timecontrol::ClockState> clock =
      timecontrol::Start(*control, FirstToMove(game), FromUnixMillis(game.created_at_ms()));
  if (!clock) return std::nullopt;
  return timecontrol::DeadlineOf(*clock);
}

// Whether the game ended no sooner than the side to move had let its time for a first move pass.
bool FirstMoveIsOverdue(const GameEvidence& evidence) {
  const game_pb::Game& game = *evidence.game;
  const std::optional<TimePoint> flag = LastDeadline(evidence);
  const TimePoint ended = FromUnixMillis(game.ended_at_ms());
  if (flag && ended >= *flag) return true;
  const Millis limit(game.options().first_move_ms());
  const TimePoint since = FromUnixMillis(
      game.moves_size() == 0 ? game.created_at_ms() : game.moves(game.moves_size() - 1).at_ms());
  return limit > Millis(0) && ended >= since + limit;
}

// Whether somebody or something made this result; the rules' verdict is compared elsewhere.
bool HasCause(const GameEvidence& evidence) {
  const game_pb::Game& game = *evidence.game;
  const common_pb::GameResult& result = game.result();
  switch (result.ending()) {
    case common_pb::ENDING_RESIGNATION:
      for (const Side side : {Side::kFirst, Side::kSecond}) {
        if (result.outcome() == WinFor(Opponent(side))) {
          return IsComputer(game, side) || Sent(evidence, PlayerCall::Kind::kResign, side);
        }
      }
      return false;
    case common_pb::ENDING_AGREED_DRAW:
      return result.outcome() == common_pb::OUTCOME_DRAW && DrawWasAgreed(evidence);
    case common_pb::ENDING_TIME_OUT:
      return game.has_time_control() &&
             result.outcome() == WinFor(Opponent(MoverAt(game, game.ply())));
    case common_pb::ENDING_ABORTED:
      // By the server, because a side did not make its first move in time.
      return result.outcome() == common_pb::OUTCOME_NO_RESULT && game.ply() < 2 &&
             FirstMoveIsOverdue(evidence);
    default:
      return false;  // nobody in these games declares or leaves
  }
}

void CheckResult(const GameEvidence& evidence, Findings& findings) {
  const common_pb::GameResult& result = evidence.game->result();
  const Replay replay = ReplayOf(*evidence.game);
  if (!replay.problem.empty()) return;  // reported with the moves
  const bool by_rules = replay.verdict.ending() != common_pb::ENDING_UNSPECIFIED;
  if (by_rules && !Same(replay.verdict, result)) {
    findings.Violate(Promise::kEnds, evidence.game_id,
                     TextOf(result) + ", by the rules " + TextOf(replay.verdict));
  }
  if (!by_rules && !HasCause(evidence)) {
    findings.Violate(Promise::kEnds, evidence.game_id, TextOf(result) + ", and nothing caused it");
  }
  if (result.plies() != evidence.game->ply()) {
    findings.Violate(Promise::kEnds, evidence.game_id,
                     TextOf(result) + ", with " + std::to_string(evidence.game->ply()) + " moves");
  }
}

// What the answers said of the result is the result.
void CheckToldResults(const GameEvidence& evidence, Findings& findings) {
  for (const PlayerCall& call : evidence.calls) {
    for (const Answer& answer : call.answers) {
      const bool ends = call.kind == PlayerCall::Kind::kResign ||
                        (call.kind == PlayerCall::Kind::kAnswerDraw && call.accepts);
      if (ends && !answer.result) {
        findings.Violate(Promise::kEnds, evidence.game_id,
                         "a resignation or an accepted draw was acknowledged without a result");
      }
      if (answer.result && !Same(*answer.result, evidence.game->result())) {
        findings.Violate(Promise::kEnds, evidence.game_id,
                         "a player was told " + TextOf(*answer.result) + ", it is " +
                             TextOf(evidence.game->result()));
      }
    }
  }
}

}  // namespace

void CheckEnd(const GameEvidence& evidence, Findings& findings) {
  const game_pb::Game& game = *evidence.game;
  if (game.phase() != game_pb::GAME_PHASE_ENDED || !game.has_result()) {
    findings.Violate(Promise::kEnds, evidence.game_id, "the game has not ended");
    return;
  }
  ++findings.endings[common_pb::Ending_Name(game.result().ending()).substr(7)];
  int ends = 0;
  for (const game_pb::GameEvent& event : evidence.journal) ends += event.has_ended() ? 1 : 0;
  if (ends != 1 || !evidence.journal.back().has_ended()) {
    findings.Violate(Promise::kEnds, evidence.game_id,
                     std::to_string(ends) + " ends in the journal, or events behind the end");
  } else if (!Same(evidence.journal.back().ended().result(), game.result())) {
    findings.Violate(Promise::kEnds, evidence.game_id,
                     "the journal says " + TextOf(evidence.journal.back().ended().result()) +
                         ", the game " + TextOf(game.result()));
  }
  CheckResult(evidence, findings);
  CheckToldResults(evidence, findings);
}

void CheckFlag(const GameEvidence& evidence, Findings& findings) {
  const game_pb::Game& game = *evidence.game;
  if (game.result().ending() != common_pb::ENDING_TIME_OUT) return;
  ++findings.flags;
  const std::optional<TimePoint> deadline = LastDeadline(evidence);
  if (!deadline) {
    findings.Violate(Promise::kFlags, evidence.game_id, "flagged without a deadline");
    return;
  }
  const Millis margin = FromUnixMillis(game.ended_at_ms()) - *deadline;
  if (!findings.least_flag_margin || margin < *findings.least_flag_margin) {
    findings.least_flag_margin = margin;
  }
  if (!findings.greatest_flag_margin || margin > *findings.greatest_flag_margin) {
    findings.greatest_flag_margin = margin;
  }
  if (margin < Millis(0)) {
    findings.Violate(Promise::kFlags, evidence.game_id,
                     "flagged " + std::to_string(-margin.count()) + " ms before the deadline");
  }
  // Nor did anybody hear of it before: that needs no server's word.
  for (const WatchList& watcher : evidence.watchers) {
    for (const Seen& seen : watcher.seen) {
      if (seen.end && seen.at < *deadline) {
        findings.Violate(Promise::kFlags, evidence.game_id,
                         "a watcher saw the flag before the deadline");
      }
    }
  }
}

}  // namespace komadai::chaos::audit
