// Turns a Setup into a Board if it is a possible position.
#pragma once

#include <optional>

#include "libs/rules/setup.h"
#include "libs/rules/shogi/attacks.h"
#include "libs/rules/shogi/play.h"

namespace komadai::rules::shogi {

template <class G>
std::optional<SetupFault> PlacePieces(const Setup& setup, Board<G>& board) {
  for (int file = 0; file < Setup::kMaxFiles; ++file) {
    for (int rank = 0; rank < Setup::kMaxRanks; ++rank) {
      const Piece piece = setup.at(Square(file, rank));
      if (piece.empty()) continue;
      if (file >= G::kFiles || rank >= G::kRanks || piece.kind > kDragon) {
        return SetupFault::kUnknownPiece;
      }
      const int s = file * G::kRanks + rank;
      if (piece.kind == kKing) {
        if (board.king[Index(piece.side)] != kNoSquare) return SetupFault::kTwoKings;
        board.king[Index(piece.side)] = static_cast<std::int8_t>(s);
      }
      if (RanksAhead<G>(piece.side, rank) < RanksNeeded(piece.kind)) return SetupFault::kDeadPiece;
      board.squares[s] = Cell(piece.side, piece.kind);
      Toggle(board, piece.side, piece.kind, s);
      board.key ^= PieceKey<G>(piece.side, piece.kind, s);
    }
  }
  return std::nullopt;
}

template <class G>
std::optional<SetupFault> PlaceHands(const Setup& setup, Board<G>& board) {
  for (int side = 0; side < 2; ++side) {
    for (int kind = 0; kind < kKindLimit; ++kind) {
      const int held = setup.hand(static_cast<Side>(side), static_cast<Kind>(kind));
      if (held == 0) continue;
      if (kind == 0 || kind > Index(kGold)) return SetupFault::kHandNotAllowed;
      if (held > G::kSet[kind]) return SetupFault::kTooManyPieces;
      board.hands[side][kind] = static_cast<std::uint8_t>(held);
      for (int n = 1; n <= held; ++n) board.key ^= kKeys<G>.hand[side][kind][n];
    }
  }
  return std::nullopt;
}

// Counts both boards and hands against the set.
template <class G>
bool WithinSet(const Board<G>& board) {
  int count[9] = {};
  for (const std::uint8_t cell : board.squares) {
    if (cell != 0) ++count[Index(Unpromoted(KindIn(cell)))];
  }
  for (int kind = 1; kind <= Index(kKing); ++kind) {
    if (kind <= Index(kGold)) count[kind] += board.hands[0][kind] + board.hands[1][kind];
    if (count[kind] > G::kSet[kind]) return false;
  }
  return true;
}

template <class G>
bool HasNifu(const Board<G>& board) {
  for (const auto& own : board.of) {
    for (const auto& file : kTables<G>.file) {
      if (MoreThanOne(board.layer[kPawns] & own & file)) return true;
    }
  }
  return false;
}

// Whether the king of `side` is attacked, whichever side is to move.
template <class G>
bool KingAttacked(const Board<G>& board, Side side) {
  const int king = board.king[Index(side)];
  if (king == kNoSquare) return false;
  return side == Side::kFirst ? AttackersOf<G, Side::kSecond>(board, king, board.occupied()) != 0
                              : AttackersOf<G, Side::kFirst>(board, king, board.occupied()) != 0;
}

template <class G>
std::optional<SetupFault> BuildBoard(const Setup& setup, Kings kings, Board<G>& board) {
  board = {};
  board.king[0] = board.king[1] = kNoSquare;
  board.side_to_move = setup.side_to_move;
  if (setup.side_to_move == Side::kSecond) board.key = kKeys<G>.side;
  if (const auto fault = PlacePieces(setup, board)) return fault;
  if (const auto fault = PlaceHands(setup, board)) return fault;
  if (!WithinSet(board)) return SetupFault::kTooManyPieces;
  if (HasNifu(board)) return SetupFault::kNifu;
  if (kings == Kings::kBoth && (board.king[0] == kNoSquare || board.king[1] == kNoSquare)) {
    return SetupFault::kMissingKing;
  }
  if (KingAttacked(board, Opponent(setup.side_to_move))) return SetupFault::kOpponentInCheck;
  return std::nullopt;
}

}  // namespace komadai::rules::shogi
