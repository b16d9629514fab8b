#include "libs/remotejudge/predecessor.h"

#include <cstddef>

#include "libs/rules/setup.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::remotejudge {
namespace {

using rules::Kind;
using rules::Move;
using rules::Piece;
using rules::Position;
using rules::Setup;
using rules::Side;
using rules::Square;
namespace shogi = rules::shogi;

// The move, if it is legal in `before` and leads to `after`.
std::optional<Predecessor> Leading(const Setup& before, Move move, const Position& after) {
  const auto position = Position::From(before, rules::Kings::kOptional);
  if (!position || !position->IsLegal(move)) return std::nullopt;
  Position next = *position;
  next.PlayUnchecked(move);
  if (!(next == after)) return std::nullopt;
  return Predecessor{*position, move};
}

}  // namespace

std::optional<Predecessor> FindPredecessor(const Position& position, Square to) {
  const Side mover = Opponent(position.side_to_move());
  const Piece piece = position.at(to);
  if (piece.empty() || piece.side != mover) return std::nullopt;
  Setup before = position.ToSetup();
  before.side_to_move = mover;
  before.Put(to, Piece{});

  for (int file = 0; file < rules::FileCount(position.variant()); ++file) {
    for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
      const Square from(file, rank);
      if (from == to || !position.at(from).empty()) continue;
      for (const bool promotes : {false, true}) {
        if (promotes && !shogi::IsPromoted(piece.kind)) continue;
        const Kind kind = promotes ? shogi::Unpromoted(piece.kind) : piece.kind;
        Setup moved = before;
        moved.Put(from, Piece{kind, mover});
        if (auto found = Leading(moved, Move::Board(from, to, promotes), position)) return found;
      }
    }
  }
  if (shogi::IsPromoted(piece.kind) || piece.kind == shogi::kKing) return std::nullopt;
  ++before.hands[static_cast<std::size_t>(rules::Index(mover))]
                [static_cast<std::size_t>(Index(piece.kind))];
  return Leading(before, Move::Drop(piece.kind, to), position);
}

}  // namespace komadai::remotejudge
