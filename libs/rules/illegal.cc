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
    {Illegal::kBadGeometry, "BAD_GEOMETRY", "the piece cannot move that way"},
    {Illegal::kBlocked, "BLOCKED", "another piece blocks the way"},
    {Illegal::kLeavesKingInCheck, "LEAVES_KING_IN_CHECK", "the move leaves your own king in check"},
    {Illegal::kOccupied, "OCCUPIED", "the target square is occupied"},
    {Illegal::kCannotPromote, "CANNOT_PROMOTE", "the piece cannot promote with this move"},
    {Illegal::kMustPromote, "MUST_PROMOTE", "the piece could never move again and must promote"},
    {Illegal::kNotInHand, "NOT_IN_HAND", "the player has no such piece in hand"},
    {Illegal::kDeadPieceDrop, "DEAD_PIECE_DROP", "the dropped piece could never move"},
    {Illegal::kNifu, "NIFU", "the player already has an unpromoted pawn on this file"},
    {Illegal::kUchifuzume, "UCHIFUZUME", "a pawn drop may not give mate"},
    {Illegal::kOwnPiece, "OWN_PIECE", "a piece of your own stands on the target square"},
    {Illegal::kHorseLeg, "HORSE_LEG", "the horse's leg is blocked"},
    {Illegal::kElephantEye, "ELEPHANT_EYE", "the elephant's eye is blocked"},
    {Illegal::kElephantRiver, "ELEPHANT_RIVER", "an elephant may not cross the river"},
    {Illegal::kPalace, "PALACE", "the general and the advisors may not leave the palace"},
    {Illegal::kFlyingGeneral, "FLYING_GENERAL", "the move leaves the generals facing each other"},
    {Illegal::kCannonScreen, "CANNON_SCREEN",
     "a cannon captures by jumping over exactly one piece"},
    {Illegal::kPawnBackward, "PAWN_BACKWARD", "a soldier may not move backwards"},
    {Illegal::kPawnSidewaysBeforeRiver, "PAWN_SIDEWAYS_BEFORE_RIVER",
     "a soldier may move sideways only after crossing the river"},
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
