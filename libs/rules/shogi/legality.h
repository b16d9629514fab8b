// Why a single move is refused, step by step and without the generator, so that each checks the
// other.
#pragma once

#include <optional>

#include "libs/rules/illegal.h"
#include "libs/rules/shogi/pawn_drop.h"
#include "libs/rules/shogi/play.h"
#include "libs/rules/shogi/setup_check.h"

namespace komadai::rules::shogi {

template <class G>
bool LeavesKingInCheck(const Board<G>& board, PackedMove move) {
  Board<G> after = board;
  PlayMove(after, move);
  return KingAttacked(after, board.side_to_move);
}

template <class G>
std::optional<Illegal> WhyDropIllegal(const Board<G>& board, Kind kind, int to) {
  const Side us = board.side_to_move;
  if (kind > kGold) return Illegal::kNotInHand;  // king and promoted pieces never are
  if (board.hands[Index(us)][Index(kind)] == 0) return Illegal::kNotInHand;
  if (board.squares[to] != 0) return Illegal::kOccupied;
  if (RanksAhead<G>(us, to % G::kRanks) < RanksNeeded(kind)) return Illegal::kDeadPieceDrop;
  if (kind == kPawn) {
    const auto own_pawns = board.layer[kPawns] & board.of[Index(us)];
    if ((own_pawns & kTables<G>.file[to / G::kRanks]) != 0) return Illegal::kNifu;
  }
  if (LeavesKingInCheck(board, PackDrop(kind, to))) return Illegal::kLeavesKingInCheck;
  if (kind == kPawn) {
    const bool mates = us == Side::kFirst
                           ? (PawnCheckSquare<G, Side::kFirst>(board) & BitOf<G>(to)) != 0 &&
                                 PawnDropMates<G, Side::kFirst>(board, to)
                           : (PawnCheckSquare<G, Side::kSecond>(board) & BitOf<G>(to)) != 0 &&
                                 PawnDropMates<G, Side::kSecond>(board, to);
    if (mates) return Illegal::kUchifuzume;
  }
  return std::nullopt;
}

template <class G>
bool MayPromote(Side side, Kind kind, int from, int to) {
  return CanPromote(kind) && (InZone<G>(side, from) || InZone<G>(side, to));
}

template <class G>
std::optional<Illegal> WhyBoardMoveIllegal(const Board<G>& board, int from, int to, bool promotes) {
  const Side us = board.side_to_move;
  const std::uint8_t cell = board.squares[from];
  if (cell == 0) return Illegal::kNoSuchPiece;
  if (SideIn(cell) != us) return Illegal::kWrongSide;
  const Kind kind = KindIn(cell);
  const auto target = BitOf<G>(to);
  if ((kTables<G>.reach[Index(us)][Index(kind)][from] & target) == 0) return Illegal::kBadGeometry;
  if ((AttacksOf<G>(us, kind, from, board.occupied()) & target) == 0) return Illegal::kBlocked;
  if ((board.of[Index(us)] & target) != 0) return Illegal::kOccupied;
  if (promotes && !MayPromote<G>(us, kind, from, to)) return Illegal::kCannotPromote;
  if (!promotes && RanksAhead<G>(us, to % G::kRanks) < RanksNeeded(kind)) {
    return Illegal::kMustPromote;
  }
  if (LeavesKingInCheck(board, PackBoard(from, to, promotes))) return Illegal::kLeavesKingInCheck;
  return std::nullopt;
}

}  // namespace komadai::rules::shogi
