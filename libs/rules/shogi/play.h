// Playing a move on a Board, and taking one back.
#pragma once

#include "libs/rules/shogi/board.h"

namespace komadai::rules::shogi {

// Perft has no use for keys and skips them.
enum class KeepKey : bool { kNo, kYes };

// Puts (or takes, the operation is the same) a piece on the bitboards.
template <class G>
void Toggle(Board<G>& board, Side side, Kind kind, int square) {
  const auto bit = BitOf<G>(square);
  board.of[Index(side)] ^= bit;
  board.layer[LayerOf(kind)] ^= bit;
  if (kind >= kHorse) board.layer[kCrowned] ^= bit;
}

template <class G>
std::uint64_t PieceKey(Side side, Kind kind, int square) {
  return kKeys<G>.piece[Cell(side, kind)][square];
}

// Plays a legal move; returns the kind captured.
template <class G, Side kUs, KeepKey kKeep>
Kind PlayMove(Board<G>& board, PackedMove move) {
  constexpr int kMe = Index(kUs);
  constexpr Side kThem = Opponent(kUs);
  const int to = TargetOf(move);
  std::uint64_t key = kKeys<G>.side;
  Kind captured = Kind::kNone;
  if ((move & kDrops) != 0) {
    const Kind kind = DroppedBy(move);
    const int held = board.hands[kMe][Index(kind)]--;
    Toggle(board, kUs, kind, to);
    board.squares[to] = Cell(kUs, kind);
    if constexpr (kKeep == KeepKey::kYes) {
      key ^= kKeys<G>.hand[kMe][Index(kind)][held] ^ PieceKey<G>(kUs, kind, to);
    }
  } else {
    const int from = OriginOf(move);
    const Kind kind = KindIn(board.squares[from]);
    const Kind arrives = (move & kPromotes) != 0 ? Promoted(kind) : kind;
    captured = KindIn(board.squares[to]);
    if (captured != Kind::kNone) {
      const Kind in_hand = Unpromoted(captured);
      Toggle(board, kThem, captured, to);
      const int held = ++board.hands[kMe][Index(in_hand)];
      if constexpr (kKeep == KeepKey::kYes) {
        key ^= PieceKey<G>(kThem, captured, to) ^ kKeys<G>.hand[kMe][Index(in_hand)][held];
      }
    }
    Toggle(board, kUs, kind, from);
    Toggle(board, kUs, arrives, to);
    board.squares[from] = 0;
    board.squares[to] = Cell(kUs, arrives);
    if (kind == kKing) board.king[kMe] = static_cast<std::int8_t>(to);
    if constexpr (kKeep == KeepKey::kYes) {
      key ^= PieceKey<G>(kUs, kind, from) ^ PieceKey<G>(kUs, arrives, to);
    }
  }
  board.side_to_move = kThem;
  if constexpr (kKeep == KeepKey::kYes) board.key ^= key;
  return captured;
}

template <class G>
Kind PlayMove(Board<G>& board, PackedMove move) {
  return board.side_to_move == Side::kFirst
             ? PlayMove<G, Side::kFirst, KeepKey::kYes>(board, move)
             : PlayMove<G, Side::kSecond, KeepKey::kYes>(board, move);
}

// Takes back a move of any origin: false if the board cannot have come from it.
template <class G>
bool UndoMove(Board<G>& board, PackedMove move, Kind captured) {
  const Side us = Opponent(board.side_to_move);
  const Side them = board.side_to_move;
  const int to = TargetOf(move);
  if (to >= kSquares<G>) return false;
  const std::uint8_t cell = board.squares[to];
  const Kind kind = KindIn(cell);
  if (cell == 0 || SideIn(cell) != us) return false;
  auto& hand = board.hands[Index(us)];
  std::uint64_t key = kKeys<G>.side ^ PieceKey<G>(us, kind, to);
  if ((move & kDrops) != 0) {
    if (DroppedBy(move) != kind || captured != Kind::kNone || kind > kGold) return false;
    if (hand[Index(kind)] >= G::kSet[Index(kind)]) return false;
    Toggle(board, us, kind, to);
    board.squares[to] = 0;
    key ^= kKeys<G>.hand[Index(us)][Index(kind)][++hand[Index(kind)]];
    board.key ^= key;
    board.side_to_move = us;
    return true;
  }
  const int from = OriginOf(move);
  const bool promoted = (move & kPromotes) != 0;
  if (from >= kSquares<G> || from == to || board.squares[from] != 0) return false;
  if (promoted && !IsPromoted(kind)) return false;
  const Kind before = promoted ? Unpromoted(kind) : kind;
  if (captured != Kind::kNone) {
    const Kind in_hand = Unpromoted(captured);
    if (captured > kDragon || captured == kKing || hand[Index(in_hand)] == 0) return false;
    key ^= kKeys<G>.hand[Index(us)][Index(in_hand)][hand[Index(in_hand)]--] ^
           PieceKey<G>(them, captured, to);
  }
  Toggle(board, us, kind, to);
  Toggle(board, us, before, from);
  board.squares[from] = Cell(us, before);
  board.squares[to] = 0;
  if (captured != Kind::kNone) {
    Toggle(board, them, captured, to);
    board.squares[to] = Cell(them, captured);
  }
  if (kind == kKing) board.king[Index(us)] = static_cast<std::int8_t>(from);
  board.key ^= key ^ PieceKey<G>(us, before, from);
  board.side_to_move = us;
  return true;
}

}  // namespace komadai::rules::shogi
