#include "services/engine/domain/arbiter.h"

#include <utility>

#include "libs/notation/errors.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/illegal.h"

namespace komadai::engine {

Result<CheckedGame> CheckGame(rules::Variant variant, std::string_view position,
                              const std::vector<std::string>& moves) {
  if (moves.size() > kMaxGameMoves) {
    return Error{kTooManyMoves,
                 "a game so far has at most " + std::to_string(kMaxGameMoves) + " moves",
                 {{"moves", std::to_string(moves.size())}}};
  }
  Result<rules::Position> start = notation::ParsePosition(variant, position);
  if (!start) return start.error();

  CheckedGame checked{{}, *start};
  checked.game.variant = variant;
  checked.game.position = notation::FormatPosition(*start);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const Result<rules::Move> move = notation::ParsePlainMove(variant, moves[i]);
    if (!move) {
      const Error& error = move.error();
      return Error{notation::kInvalidMove,
                   "move " + number + ": " + error.message(),
                   {{"move_number", number}}};
    }
    if (const std::optional<rules::Illegal> illegal = checked.position.WhyIllegal(*move)) {
      return Error{rules::ReasonOf(*illegal),
                   "move " + number + ": " + std::string(rules::Explain(*illegal)),
                   {{"move_number", number}, {"move", moves[i]}}};
    }
    checked.position.PlayUnchecked(*move);
    checked.game.moves.push_back(notation::FormatPlainMove(variant, *move));
  }
  checked.game.side_to_move = checked.position.side_to_move();
  if (!checked.position.HasLegalMove()) {
    return Error{kNoLegalMove, "the side to move has no legal move: the game is over"};
  }
  return checked;
}

std::vector<std::string> LegalMovesOf(const rules::Position& position) {
  rules::MoveList list;
  position.LegalMoves(list);
  std::vector<std::string> moves;
  for (const rules::Move move : list) {
    moves.push_back(notation::FormatPlainMove(position.variant(), move));
  }
  return moves;
}

bool IsLegalMove(const rules::Position& position, std::string_view move) {
  const Result<rules::Move> parsed = notation::ParsePlainMove(position.variant(), move);
  return parsed && position.IsLegal(*parsed);
}

Line LegalPart(const rules::Position& position, Line line) {
  rules::Position current = position;
  std::size_t legal = 0;
  for (; legal < line.moves.size(); ++legal) {
    const Result<rules::Move> move =
        notation::ParsePlainMove(position.variant(), line.moves[legal]);
    if (!move || !current.IsLegal(*move)) break;
    current.PlayUnchecked(*move);
  }
  line.moves.resize(legal);
  return line;
}

std::vector<Line> LegalLines(const rules::Position& position, const LineBook& lines, int count) {
  std::vector<Line> legal;
  for (Line& line : lines.All()) {
    if (line.rank > count) break;
    line = LegalPart(position, std::move(line));
    if (!line.moves.empty()) legal.push_back(std::move(line));
  }
  return legal;
}

Decision Judge(const rules::Position& position, const SearchResult& result) {
  if (result.best.kind == BestMove::Kind::kResigns) return {Decision::Kind::kResigns, {}};
  if (result.best.kind != BestMove::Kind::kMove || !IsLegalMove(position, result.best.move)) {
    return {Decision::Kind::kRefused, {}};
  }
  return {Decision::Kind::kMove, LegalPart(position, result.lines.LineOf(result.best.move))};
}

Decision JudgeByLines(const rules::Position& position, const SearchResult& result) {
  for (Line& line : result.lines.All()) {
    line = LegalPart(position, std::move(line));
    if (!line.moves.empty()) return {Decision::Kind::kMove, std::move(line)};
  }
  return {Decision::Kind::kRefused, {}};
}

}  // namespace komadai::engine
