#include "libs/conformance/library_judge.h"

#include <algorithm>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/game_state.h"
#include "libs/rules/position.h"

namespace komadai::conformance {
namespace {

using rules::GameState;
using rules::Illegal;
using rules::Move;
using rules::MoveList;
using rules::Position;

Result<Position> PositionOf(const Board& board) {
  return notation::ParsePosition(board.variant, board.position, rules::Kings::kOptional);
}

// A move that is legal, or what is wrong with it.
Result<Move> ReadLegal(const Position& position, const std::string& text) {
  return notation::ParseMove(position, text, notation::NotationsOf(position.variant()).front());
}

Error Inconsistent(std::string what) { return Error(kInconsistent, std::move(what)); }

Status ExpectTakenBack(GameState state, const Position& start) {
  if (Status taken = state.TakeBack(state.ply()); !taken) return taken;
  if (state.position() == start && state.position().key() == start.key()) return {};
  return Inconsistent("taking everything back does not lead to the start position");
}

// Plays until the game is over.
Status PlayAll(const std::vector<std::string>& moves, GameState& state) {
  for (const std::string& text : moves) {
    if (state.verdict().over()) return {};
    const Result<Move> move = notation::ParsePlainMove(state.position().variant(), text);
    Status played = move ? state.Play(*move) : Status(move.error());
    if (!played && state.verdict().over()) return {};  // an illegal move that loses
    if (!played) return AtPly(played.error(), static_cast<std::size_t>(state.ply()), text);
    Result<GameState> resumed =
        GameState::Resume(state.ruleset(), state.position(), state.history());
    if (!resumed) return resumed.error();
    state = *std::move(resumed);
  }
  return {};
}

}  // namespace

Result<Survey> LibraryJudge::Look(const Board& board) {
  const Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  MoveList moves;
  position->LegalMoves(moves);
  for (const Move& move : moves) {
    if (!position->IsLegal(move)) {
      return Inconsistent("the listed move " + notation::FormatPlainMove(board.variant, move) +
                          " is not legal");
    }
  }
  const int counted = position->CountLegalMoves();
  if (counted != static_cast<int>(moves.size())) {
    return Inconsistent(std::to_string(counted) + " legal moves are counted and " +
                        std::to_string(moves.size()) + " listed");
  }
  return Survey{counted, position->InCheck()};
}

Result<std::optional<Illegal>> LibraryJudge::WhyIllegal(const Board& board,
                                                        const std::string& move) {
  const Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  const Result<Move> parsed = notation::ParsePlainMove(board.variant, move);
  if (!parsed) return std::optional(Illegal::kOffBoard);
  return position->WhyIllegal(*parsed);
}

Result<Listing> LibraryJudge::List(const Board& board, const std::string& move) {
  const Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  const Result<Move> parsed = notation::ParsePlainMove(board.variant, move);
  MoveList moves;
  position->LegalMoves(moves);
  const bool holds = parsed && std::find(moves.begin(), moves.end(), *parsed) != moves.end();
  return Listing{static_cast<int>(moves.size()), holds};
}

Result<std::string> LibraryJudge::Play(const Board& board, const std::string& move) {
  Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  const Result<Move> legal = ReadLegal(*position, move);
  if (!legal) return legal.error();
  position->Play(*legal);
  const Result<Position> afresh = Position::From(position->ToSetup(), rules::Kings::kOptional);
  if (!afresh) return afresh.error();
  if (!(*afresh == *position) || afresh->key() != position->key()) {
    return Inconsistent("the position or its key has drifted");
  }
  return notation::FormatPosition(*position);
}

Result<GameAnswer> LibraryJudge::JudgeGame(const GameQuestion& game) {
  const Result<Position> start = PositionOf(game.start);
  if (!start) return start.error();
  Result<GameState> state = GameState::Start(game.ruleset, *start, game.plies_before);
  if (!state) return state.error();
  if (Status played = PlayAll(game.moves, *state); !played) return played.error();
  if (Status back = ExpectTakenBack(*state, *start); !back) return back.error();

  GameAnswer answer;
  if (game.claim) {
    const rules::Side by = game.claim->by.value_or(state->position().side_to_move());
    const bool announced = state->Impasse(game.claim->ask, by).accepted();
    const Status claimed = state->DeclareImpasse(game.claim->ask, by);
    if (!claimed && !claimed.error().Is(rules::kImpasseRefused)) return claimed.error();
    if (claimed.has_value() != announced) {
      return Inconsistent("the declaration does not end as it was announced");
    }
    answer.claim_refused = !claimed;
  }
  answer.verdict = state->verdict();
  answer.plies = state->ply();
  answer.position = notation::FormatPosition(state->position());
  return answer;
}

Result<std::string> LibraryJudge::Write(const Board& board, const std::string& legal_move,
                                        const Spelling& spelling) {
  const Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  const Result<Move> move = ReadLegal(*position, legal_move);
  if (!move) return move.error();
  if (spelling.notation == notation::Notation::kWestern &&
      notation::Has(board.variant, spelling.notation)) {
    return notation::FormatWestern(*position, *move, spelling.squares);
  }
  return notation::FormatMove(*position, *move, spelling.notation, spelling.context);
}

Result<std::string> LibraryJudge::Read(const Board& board, const std::string& text,
                                       const Spelling& spelling) {
  const Result<Position> position = PositionOf(board);
  if (!position) return position.error();
  const Result<Move> move =
      notation::ParseMove(*position, text, spelling.notation, spelling.context);
  if (!move) return move.error();
  return notation::FormatPlainMove(board.variant, *move);
}

}  // namespace komadai::conformance
