#include "libs/notation/shogi/shogi_moves.h"

#include <optional>

#include "libs/notation/errors.h"
#include "libs/rules/illegal.h"
#include "libs/rules/setup.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {

using rules::Kind;
using rules::Move;
using rules::Piece;
using rules::Position;
using rules::Square;

Kind MovedKind(const Position& position, Move move) {
  return move.is_drop() ? move.dropped : position.at(move.from).kind;
}

std::vector<Square> Reaching(const Position& position, Kind kind, Square to) {
  std::vector<Square> squares;
  const Piece wanted{kind, position.side_to_move()};
  for (int file = 0; file < rules::FileCount(position.variant()); ++file) {
    for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
      const Square from(file, rank);
      if (position.at(from) == wanted && position.CanReach(from, to)) squares.push_back(from);
    }
  }
  return squares;
}

namespace {

bool CanBeDropped(Kind kind) {
  return kind != Kind::kNone && kind != rules::shogi::kKing && !rules::shogi::IsPromoted(kind);
}

// Every move, legal or not, that the text could mean.
std::vector<Move> Meanings(const Position& position, const SaidMove& said) {
  if (said.from.valid()) return {Move::Board(said.from, said.to, said.promotes)};
  std::vector<Move> moves;
  if (!said.drop) {
    for (const Square from : Reaching(position, said.kind, said.to)) {
      moves.push_back(Move::Board(from, said.to, said.promotes));
    }
  }
  if (!said.promotes && CanBeDropped(said.kind)) moves.push_back(Move::Drop(said.kind, said.to));
  return moves;
}

Error RuleError(rules::Illegal illegal, std::string_view text) {
  return TextError(rules::ReasonOf(illegal), rules::Explain(illegal), text);
}

}  // namespace

std::vector<Move> LegalMatches(const Position& position, const SaidMove& said) {
  std::vector<Move> legal;
  for (const Move move : Meanings(position, said)) {
    if (MovedKind(position, move) == said.kind && position.IsLegal(move)) legal.push_back(move);
  }
  return legal;
}

Error WhyNoMatch(const Position& position, const SaidMove& said, std::string_view text) {
  for (const Move move : Meanings(position, said)) {
    if (!move.is_drop() && !position.at(move.from).empty() &&
        position.at(move.from).kind != said.kind) {
      return TextError(kInvalidMove, "the piece on the origin is another one", text);
    }
    const std::optional<rules::Illegal> illegal = position.WhyIllegal(move);
    // Without "drop" in the text, a drop of a piece that is not in hand was not meant.
    const bool meant = said.drop || illegal != rules::Illegal::kNotInHand;
    if (illegal && meant) return RuleError(*illegal, text);
  }
  return TextError(kInvalidMove, "no such piece can make this move", text);
}

Result<Move> Legal(const Position& position, Move move, std::string_view text) {
  const std::optional<rules::Illegal> illegal = position.WhyIllegal(move);
  if (illegal) return RuleError(*illegal, text);
  return move;
}

}  // namespace komadai::notation
