// Position: a possible position of one of the games, and what may be played in it.
//
// A value: cheap to copy (a few hundred bytes, no heap), compared by board, hands and side to move.
// Callers need not know which game it is. Thread-safe as any value is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "libs/base/result.h"
#include "libs/rules/illegal.h"
#include "libs/rules/setup.h"
#include "libs/rules/types.h"

namespace komadai::rules {

class Game;  // the law of one variant, libs/rules/game.h

// No position of any game has more: 7 kinds dropped on 81 squares and what 40 pieces can move.
// (The most ever constructed in shogi is 593.)
inline constexpr int kMaxMoves = 896;

class MoveList {
 public:
  MoveList() {}  // leaves the moves uninitialised: 3.5 KB that are about to be written
  void Add(Move move) { moves_[size_++].move = move; }
  void Clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Move& operator[](std::size_t i) const { return moves_[i].move; }
  const Move* begin() const { return &moves_[0].move; }
  const Move* end() const { return begin() + size_; }

 private:
  union Slot {
    Slot() {}
    Move move;
  };
  static_assert(sizeof(Slot) == sizeof(Move));
  std::size_t size_ = 0;
  std::array<Slot, kMaxMoves> moves_;
};

class Position {
 public:
  // Refuses impossible setups with the reason of the first SetupFault found.
  static Result<Position> From(const Setup& setup, Kings kings = Kings::kBoth);

  Variant variant() const;
  Side side_to_move() const;
  Piece at(Square square) const;
  int hand(Side side, Kind kind) const;
  std::optional<Square> king(Side side) const;
  // Plies since the last capture (xiangqi; counted but without meaning in the other games).
  int quiet_plies() const { return quiet_plies_; }
  int move_number() const { return move_number_; }
  Setup ToSetup() const;

  // Whether the side to move is in check.
  bool InCheck() const;
  // Replaces the contents of `moves` by every legal move.
  void LegalMoves(MoveList& moves) const;
  int CountLegalMoves() const;
  bool HasLegalMove() const;
  bool IsLegal(Move move) const;
  // Nothing for a legal move. The order in which reasons are tried is that of Illegal's groups:
  // piece, geometry, target, promotion, pawn drop, safety of the king.
  std::optional<Illegal> WhyIllegal(Move move) const;

  // For notation: whether the piece of the side to move on `from` could go to `to` if the safety of
  // its king did not matter (the federation's disambiguation rules look no further).
  bool CanReach(Square from, Square to) const;
  // Whether a move by the piece on `from` to `to` may promote (shogi, minishogi).
  bool CanPromote(Square from, Square to) const;

  // Plays a legal move; checked by KOMADAI_CHECK, so validate what comes from outside first.
  void Play(Move move);
  // Without the check: only for moves that LegalMoves or WhyIllegal has just approved. Returns the
  // kind captured, as it stood on the board.
  Kind PlayUnchecked(Move move);

  // Board, hands and side to move. Equal positions have equal keys, in every process and release.
  std::uint64_t key() const;
  friend bool operator==(const Position& a, const Position& b);

  // For the rest of libs/rules.
  static constexpr std::size_t kStateBytes = 640;
  const Game& game() const { return *game_; }
  const std::byte* state() const { return state_.data(); }
  std::byte* state() { return state_.data(); }

 private:
  friend class Game;
  friend class GameState;
  explicit Position(const Game& game) : game_(&game) {}

  const Game* game_;
  int quiet_plies_ = 0;
  int move_number_ = 1;
  alignas(16) std::array<std::byte, kStateBytes> state_;
};

}  // namespace komadai::rules
