#include "libs/rules/setup.h"

#include <iterator>

#include "libs/base/check.h"

namespace komadai::rules {
namespace {

struct Row {
  SetupFault fault;
  std::string_view name;
  std::string_view explanation;
};

constexpr Row kRows[] = {
    {SetupFault::kUnknownPiece, "UNKNOWN_PIECE", "the game has no such piece or square"},
    {SetupFault::kTooManyPieces, "TOO_MANY_PIECES",
     "there are more pieces of a kind than in a full set"},
    {SetupFault::kTwoKings, "TWO_KINGS", "a side has two kings"},
    {SetupFault::kMissingKing, "MISSING_KING", "a side has no king"},
    {SetupFault::kHandNotAllowed, "HAND_NOT_ALLOWED", "a piece of this kind cannot be in hand"},
    {SetupFault::kNifu, "NIFU", "a side has two unpromoted pawns on one file"},
    {SetupFault::kDeadPiece, "DEAD_PIECE", "a piece stands where it can never move"},
    {SetupFault::kOutsidePalace, "OUTSIDE_PALACE",
     "a general or advisor stands on a point it can never reach"},
    {SetupFault::kElephantMisplaced, "ELEPHANT_MISPLACED",
     "an elephant stands on a point it can never reach"},
    {SetupFault::kSoldierMisplaced, "SOLDIER_MISPLACED",
     "a soldier stands on a point it can never reach"},
    {SetupFault::kGeneralsFacing, "GENERALS_FACING",
     "the generals face each other on an open file"},
    {SetupFault::kOpponentInCheck, "OPPONENT_IN_CHECK", "the side that is not to move is in check"},
    {SetupFault::kBadCounter, "BAD_COUNTER", "a move counter is out of range"},
};

constexpr bool InEnumerationOrder() {
  int expected = 0;
  for (const Row& row : kRows) {
    if (static_cast<int>(row.fault) != expected++) return false;
  }
  return true;
}
static_assert(InEnumerationOrder());

const Row& RowOf(SetupFault fault) {
  const auto i = static_cast<std::size_t>(fault);
  KOMADAI_CHECK(i < std::size(kRows));
  return kRows[i];
}

}  // namespace

Reason ReasonOf(SetupFault fault) { return {Code::kInvalidArgument, RowOf(fault).name}; }
std::string_view Explain(SetupFault fault) { return RowOf(fault).explanation; }

}  // namespace komadai::rules
