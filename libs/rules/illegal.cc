#include "libs/rules/illegal.h"

#include <iterator>

#include "libs/base/check.h"

namespace komadai::rules {
namespace {

struct Row {
  Illegal illegal;
  std::string_view name;
  std::string_view explanation;
};

constexpr Row kRows[] = {
    {Illegal::kOffBoard, "OFF_BOARD", "the move names a square that the board does not have"},
    {Illegal::kNoSuchPiece, "NO_SUCH_PIECE", "there is no piece on the origin"},
    {Illegal::kWrongSide, "WRONG_SIDE", "the piece on the origin belongs to the opponent"},
    {Illegal::kBadGeometry, "BAD_GEOMETRY", "the piece does not move like that"},
    {Illegal::kBlocked, "BLOCKED", "another piece stands in the way"},
    {Illegal::kLeavesKingInCheck, "LEAVES_KING_IN_CHECK", "the own king would be in check"},
    {Illegal::kOccupied, "OCCUPIED", "the target is occupied"},
    {Illegal::kCannotPromote, "CANNOT_PROMOTE", "the piece cannot promote with this move"},
    {Illegal::kMustPromote, "MUST_PROMOTE", "the piece could never move again and must promote"},
    {Illegal::kNotInHand, "NOT_IN_HAND", "the player does not hold such a piece"},
    {Illegal::kDeadPieceDrop, "DEAD_PIECE_DROP", "the dropped piece could never move"},
    {Illegal::kNifu, "NIFU", "the player already has an unpromoted pawn on this file"},
    {Illegal::kUchifuzume, "UCHIFUZUME", "a pawn drop may not give mate"},
    {Illegal::kOwnPiece, "OWN_PIECE", "an own piece stands on the target"},
    {Illegal::kHorseLeg, "HORSE_LEG", "the horse's leg is blocked"},
    {Illegal::kElephantEye, "ELEPHANT_EYE", "the elephant's eye is blocked"},
    {Illegal::kElephantRiver, "ELEPHANT_RIVER", "an elephant may not cross the river"},
    {Illegal::kPalace, "PALACE", "general and advisors may not leave the palace"},
    {Illegal::kFlyingGeneral, "FLYING_GENERAL", "the generals would face each other"},
    {Illegal::kCannonScreen, "CANNON_SCREEN", "a cannon captures over exactly one piece"},
    {Illegal::kPawnBackward, "PAWN_BACKWARD", "a soldier never moves back"},
    {Illegal::kPawnSidewaysBeforeRiver, "PAWN_SIDEWAYS_BEFORE_RIVER",
     "a soldier moves sideways only after crossing the river"},
};

constexpr bool InEnumerationOrder() {
  int expected = 0;
  for (const Row& row : kRows) {
    if (static_cast<int>(row.illegal) != expected++) return false;
  }
  return true;
}
static_assert(InEnumerationOrder());

const Row& RowOf(Illegal illegal) {
  const auto i = static_cast<std::size_t>(illegal);
  KOMADAI_CHECK(i < std::size(kRows));
  return kRows[i];
}

}  // namespace

std::string_view NameOf(Illegal illegal) { return RowOf(illegal).name; }
Reason ReasonOf(Illegal illegal) { return {Code::kInvalidArgument, RowOf(illegal).name}; }
std::string_view Explain(Illegal illegal) { return RowOf(illegal).explanation; }

}  // namespace komadai::rules
