// The law's own view of a game.
#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/result.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/game_state.h"
#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {

Replay ReplayOf(const game_pb::Game& game) {
  Replay replay;
  Result<convert::GameStart> start = convert::StartFromProto(game.setup());
  if (!start) {
    replay.problem = "its setup: " + start.error().ToString();
    return replay;
  }
  Result<rules::GameState> state = rules::GameState::Start(start->ruleset, start->position);
  if (!state) {
    replay.problem = "its start: " + state.error().ToString();
    return replay;
  }
  replay.positions.push_back(notation::FormatPosition(state->position()));
  for (const game_pb::PlayedMove& played : game.moves()) {
    const std::string where = "ply " + std::to_string(played.ply()) + ", " + played.move() + ": ";
    const Result<rules::Move> move = notation::ParsePlainMove(start->variant(), played.move());
    if (!move) {
      replay.problem = where + move.error().ToString();
      return replay;
    }
    if (const Status done = state->Play(*move); !done) {
      replay.problem = where + done.error().ToString();
      return replay;
    }
    replay.positions.push_back(notation::FormatPosition(state->position()));
  }
  replay.verdict = convert::ToProto(state->verdict(), state->ruleset(), state->ply());
  return replay;
}

std::string TextOf(const common_pb::GameResult& result) {
  return common_pb::Outcome_Name(result.outcome()).substr(8) + "/" +
         common_pb::Ending_Name(result.ending()).substr(7) + " after " +
         std::to_string(result.plies()) + " plies";
}

bool Same(const common_pb::GameResult& a, const common_pb::GameResult& b) {
  return a.outcome() == b.outcome() && a.ending() == b.ending() && a.plies() == b.plies();
}

common_pb::Outcome WinFor(Side side) {
  return side == Side::kFirst ? common_pb::OUTCOME_FIRST_WINS : common_pb::OUTCOME_SECOND_WINS;
}

Side FirstToMove(const game_pb::Game& game) {
  // As the snapshot says whose move it is after `ply` plies.
  const Side now = game.side_to_move() == common_pb::SIDE_SECOND ? Side::kSecond : Side::kFirst;
  return game.ply() % 2 == 0 ? now : Opponent(now);
}

Side MoverAt(const game_pb::Game& game, int ply) {
  return ply % 2 == 0 ? FirstToMove(game) : Opponent(FirstToMove(game));
}

bool IsComputer(const game_pb::Game& game, Side side) {
  const common_pb::Player& player = side == Side::kFirst ? game.first() : game.second();
  return player.kind() == common_pb::PLAYER_KIND_COMPUTER;
}

}  // namespace komadai::chaos::audit
