// Setup: any arrangement of pieces, possible or not. Position::From decides whether it can be
// played.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::rules {

int FileCount(Variant variant);
int RankCount(Variant variant);
bool OnBoard(Variant variant, Square square);

struct Setup {
  static constexpr int kMaxFiles = 9;
  static constexpr int kMaxRanks = 10;

  Variant variant = Variant::kShogi;
  Side side_to_move = Side::kFirst;
  // Plies since the last capture; only xiangqi looks at it.
  int quiet_plies = 0;
  // Number of the next ply, from 1, as SFEN counts. Carried along for notation; no rule reads it.
  int move_number = 1;
  std::array<Piece, kMaxFiles * kMaxRanks> board{};
  // Pieces in hand, by side and unpromoted kind.
  std::array<std::array<std::uint8_t, kKindLimit>, 2> hands{};

  Piece at(Square square) const { return board[Cell(square)]; }
  void Put(Square square, Piece piece) { board[Cell(square)] = piece; }
  int hand(Side side, Kind kind) const {
    return hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(kind)];
  }

 private:
  static constexpr std::size_t Cell(Square square) {
    return static_cast<std::size_t>(square.file() * kMaxRanks + square.rank());
  }
};

// Why a Setup cannot be a position of its game.
enum class SetupFault : std::uint8_t {
  kUnknownPiece,       // a kind the game does not have, or one that cannot be where it is
  kTooManyPieces,      // more of a kind than a set holds (two kings included)
  kTwoKings,           // a side has two kings or generals
  kMissingKing,        // a side has none, and Kings::kBoth was asked for
  kHandNotAllowed,     // the game has no hands, or the piece cannot be in one
  kNifu,               // two unpromoted pawns of a side on one file
  kDeadPiece,          // a piece that can never move again
  kOutsidePalace,      // general or advisor on a point it can never reach
  kElephantMisplaced,  // elephant on a point it can never reach
  kSoldierMisplaced,   // soldier on a point it can never reach
  kGeneralsFacing,     // the generals face each other on an open file
  kOpponentInCheck,    // the side NOT to move is in check
  kBadCounter,         // quiet_plies below 0, move_number below 1, or absurdly large
};
// INVALID_ARGUMENT reasons; their names are the enumerators in UPPER_SNAKE_CASE.
Reason ReasonOf(SetupFault fault);
std::string_view Explain(SetupFault fault);  // one English sentence

// kBoth: a game. kOptional: tsume problems, where a side may have no king (never two).
enum class Kings : std::uint8_t { kBoth, kOptional };

}  // namespace komadai::rules
