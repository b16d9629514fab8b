// Every acknowledged move is there once, in order, and nothing else is.
#include <map>
#include <utility>

#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {
namespace {

std::string At(int ply, const std::string& move) {
  return "move " + move + " at ply " + std::to_string(ply);
}

// Consecutive numbers, plies in order, and the same moves as the snapshot's.
void CheckJournal(const GameEvidence& evidence, Findings& findings) {
  const game_pb::Game& game = *evidence.game;
  std::int64_t sequence = 1;  // of GameStarted
  int ply = 0;
  for (const game_pb::GameEvent& event : evidence.journal) {
    if (event.sequence() != ++sequence) {
      findings.Violate(Promise::kMoves, evidence.game_id,
                       "event " + std::to_string(event.sequence()) + " of the journal stands at " +
                           std::to_string(sequence));
      return;
    }
    if (!event.has_move_played()) continue;
    const game_pb::PlayedMove& move = event.move_played().move();
    if (move.ply() != ++ply) {
      findings.Violate(
          Promise::kMoves, evidence.game_id,
          At(move.ply(), move.move()) + " stands in the journal as move " + std::to_string(ply));
      return;
    }
    const bool same = ply <= game.moves_size() && game.moves(ply - 1).ply() == ply &&
                      game.moves(ply - 1).move() == move.move() &&
                      game.moves(ply - 1).used_ms() == move.used_ms();
    if (!same) {
      findings.Violate(Promise::kMoves, evidence.game_id,
                       At(ply, move.move()) + " of the journal is not the game's");
    }
  }
  if (ply != game.moves_size() || game.ply() != ply || game.sequence() != sequence) {
    findings.Violate(Promise::kMoves, evidence.game_id,
                     "the game has " + std::to_string(game.moves_size()) + " moves, its journal " +
                         std::to_string(ply));
  }
}

void CheckLaw(const GameEvidence& evidence, Findings& findings) {
  const Replay replay = ReplayOf(*evidence.game);
  if (!replay.problem.empty()) {
    findings.Violate(Promise::kMoves, evidence.game_id, "against the rules: " + replay.problem);
    return;
  }
  for (const game_pb::GameEvent& event : evidence.journal) {
    if (!event.has_move_played()) continue;
    const game_pb::PlayedMove& move = event.move_played().move();
    const auto ply = static_cast<std::size_t>(move.ply());
    if (ply >= replay.positions.size() || replay.positions[ply] != event.move_played().position()) {
      findings.Violate(Promise::kMoves, evidence.game_id,
                       "a wrong position after " + At(move.ply(), move.move()));
    }
  }
}

void CheckAcknowledged(const GameEvidence& evidence, Findings& findings) {
  std::map<std::int64_t, const game_pb::MovePlayed*> moves;  // by sequence
  for (const game_pb::GameEvent& event : evidence.journal) {
    if (event.has_move_played()) moves[event.sequence()] = &event.move_played();
  }
  for (const PlayerCall& call : evidence.calls) {
    if (call.kind != PlayerCall::Kind::kMove || !call.acknowledged()) continue;
    ++findings.moves_acknowledged;
    bool found = true;
    for (const Answer& answer : call.answers) {
      const auto event = moves.find(answer.sequence);
      const bool there = event != moves.end() && event->second->move().ply() == call.ply + 1 &&
                         event->second->move().move() == call.move;
      const bool as_told = there && answer.ply == call.ply + 1 && answer.move == call.move &&
                           answer.position == event->second->position();
      if (as_told) continue;
      found = false;
      findings.Violate(Promise::kMoves, evidence.game_id,
                       At(call.ply, call.move) + " was acknowledged as event " +
                           std::to_string(answer.sequence) + " and is " +
                           (there ? "not what the answer said" : "not there"));
    }
    if (found) ++findings.moves_found;
  }
}

// Each move of the game was sent by the player whose turn it was; the computer's are not sent.
void CheckOrigin(const GameEvidence& evidence, Findings& findings) {
  std::map<int, std::vector<const PlayerCall*>> sent;  // by ply
  for (const PlayerCall& call : evidence.calls) {
    if (call.kind == PlayerCall::Kind::kMove) sent[call.ply].push_back(&call);
  }
  for (const game_pb::PlayedMove& move : evidence.game->moves()) {
    const int ply = move.ply() - 1;
    if (IsComputer(*evidence.game, MoverAt(*evidence.game, ply))) continue;
    bool known = false;
    bool acknowledged = false;
    for (const PlayerCall* call : sent[ply]) {
      const bool this_one = call->move == move.move() && call->by == MoverAt(*evidence.game, ply);
      known = known || this_one;
      acknowledged = acknowledged || (this_one && call->acknowledged());
    }
    if (!known) {
      findings.Violate(Promise::kMoves, evidence.game_id,
                       At(ply, move.move()) + " was sent by nobody");
    } else if (!acknowledged) {
      ++findings.moves_unacknowledged;
    }
  }
}

}  // namespace

void CheckMoves(const GameEvidence& evidence, Findings& findings) {
  CheckJournal(evidence, findings);
  CheckLaw(evidence, findings);
  CheckAcknowledged(evidence, findings);
  CheckOrigin(evidence, findings);
}

}  // namespace komadai::chaos::audit
