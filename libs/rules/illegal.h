// Illegal: the one precise reason why a move is refused.
#pragma once

#include <cstdint>
#include <string_view>

#include "libs/base/result.h"

namespace komadai::rules {

enum class Illegal : std::uint8_t {
  // All games
  kOffBoard,     // a square the board does not have, or a malformed move
  kNoSuchPiece,  // the origin is empty
  kWrongSide,    // the piece is the opponent's
  kBadGeometry,  // the piece never moves like that
  kBlocked,      // it could, but something stands in between
  kLeavesKingInCheck,
  // Shogi and minishogi
  kOccupied,  // an own piece on the target; any piece for a drop
  kCannotPromote,
  kMustPromote,
  kNotInHand,
  kDeadPieceDrop,
  kNifu,
  kUchifuzume,
  // Xiangqi
  kOwnPiece,  // an own piece on the target
  kHorseLeg,
  kElephantEye,
  kElephantRiver,
  kPalace,
  kFlyingGeneral,  // the generals would face each other
  kCannonScreen,   // a capture over none or over several pieces
  kPawnBackward,
  kPawnSidewaysBeforeRiver,
};

// "NIFU", "UCHIFUZUME", "LEAVES_KING_IN_CHECK", ...
std::string_view NameOf(Illegal illegal);
// INVALID_ARGUMENT with NameOf as the reason's name.
Reason ReasonOf(Illegal illegal);
std::string_view Explain(Illegal illegal);  // one English sentence

}  // namespace komadai::rules
