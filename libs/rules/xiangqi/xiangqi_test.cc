#include <gtest/gtest.h>

#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

TEST(FlyingGeneral, KeepsABlockerOnTheFile) {
  const Position position = Xiangqi("4k4/9/9/9/9/9/9/4C4/9/4K4 w - - 0 1");
  EXPECT_EQ(Why(position, "e2d2"), Illegal::kFlyingGeneral);
  EXPECT_EQ(Why(position, "e2e5"), std::nullopt);
}

TEST(FlyingGeneral, KeepsTheGeneralOffAnOpenFile) {
  const Position position = Xiangqi("3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1");
  EXPECT_EQ(Why(position, "d9e9"), Illegal::kFlyingGeneral);
  EXPECT_EQ(Why(position, "d9d8"), std::nullopt);
}

TEST(HorseLeg, BlocksBothTargetsBehindIt) {
  const Position position = StartPosition(Variant::kXiangqi);
  EXPECT_EQ(Why(position, "b0c2"), std::nullopt);
  EXPECT_EQ(Why(position, "b0d1"), Illegal::kHorseLeg);
}

TEST(Elephant, NeedsItsEyeAndStaysAtHome) {
  EXPECT_EQ(Why(Xiangqi("3k5/9/9/9/9/9/9/9/3N5/2B1K4 w - - 0 1"), "c0e2"), Illegal::kElephantEye);
  EXPECT_EQ(Why(Xiangqi("3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1"), "c4e6"), Illegal::kElephantRiver);
}

TEST(Palace, HoldsGeneralAndAdvisors) {
  EXPECT_EQ(Why(Xiangqi("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1"), "f0g0"), Illegal::kPalace);
  EXPECT_EQ(Why(Xiangqi("3k5/9/9/9/9/9/9/5A3/9/4K4 w - - 0 1"), "f2g3"), Illegal::kPalace);
}

TEST(Cannon, CapturesOverExactlyOnePiece) {
  const Position position = StartPosition(Variant::kXiangqi);
  EXPECT_EQ(Why(position, "b2b9"), std::nullopt);
  EXPECT_EQ(Why(position, "b2b7"), Illegal::kCannonScreen);
  EXPECT_EQ(Why(position, "b2b8"), Illegal::kBlocked);
}

TEST(Cannon, MayNotBeGivenItsScreen) {
  // Black's cannon looks at the general over nothing: nobody may step in between.
  const Position position = Xiangqi("3kc4/9/9/9/9/9/9/9/3N5/4K4 w - - 0 1");
  EXPECT_EQ(Why(position, "d1e3"), Illegal::kLeavesKingInCheck);
  EXPECT_EQ(Why(position, "d1c3"), std::nullopt);
}

TEST(Soldier, NeverGoesBackAndSidewaysOnlyAcrossTheRiver) {
  const Position home = Xiangqi("3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1");
  EXPECT_EQ(Why(home, "a3b3"), Illegal::kPawnSidewaysBeforeRiver);
  EXPECT_EQ(Why(home, "a3a2"), Illegal::kPawnBackward);
  const Position across = Xiangqi("3k5/9/9/9/P8/9/9/9/9/4K4 w - - 0 1");
  EXPECT_EQ(Why(across, "a5b5"), std::nullopt);
  EXPECT_EQ(Why(across, "a5a4"), Illegal::kPawnBackward);
}

TEST(XiangqiSetups, ImpossiblePlacementsAreRefused) {
  const auto fault = [](std::string_view fen) { return FaultOf(Variant::kXiangqi, fen); };
  EXPECT_EQ(fault("3k5/9/9/9/9/9/9/9/3A5/4K4 w - - 0 1"), "OUTSIDE_PALACE");
  EXPECT_EQ(fault("3k5/9/9/9/9/9/9/9/9/6K2 w - - 0 1"), "OUTSIDE_PALACE");
  EXPECT_EQ(fault("3k5/9/9/2B6/9/9/9/9/9/4K4 w - - 0 1"), "ELEPHANT_MISPLACED");
  EXPECT_EQ(fault("3k5/9/9/9/9/9/1P7/9/9/4K4 w - - 0 1"), "SOLDIER_MISPLACED");
  EXPECT_EQ(fault("3k5/9/9/9/9/9/9/P8/9/4K4 w - - 0 1"), "SOLDIER_MISPLACED");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), "GENERALS_FACING");
  EXPECT_EQ(fault("3k5/9/9/9/9/9/9/9/9/3KK4 w - - 0 1"), "TWO_KINGS");
  EXPECT_EQ(fault("RRR1k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1"), "TOO_MANY_PIECES");
  EXPECT_EQ(fault("R3k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"), "OPPONENT_IN_CHECK");
  EXPECT_EQ(fault("9/9/9/9/9/9/9/9/9/3K5 w - - 0 1"), "MISSING_KING");
}

TEST(Chase, APinnedPieceThreatensNothing) {
  // The horse attacks the cannon but is pinned by the chariot: the shuffle is a plain repetition.
  GameState state = StartFrom(Xiangqi("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w - - 0 1"));
  EXPECT_EQ(Why(state.position(), "g2f0"), std::nullopt);
  PlayAll(state, "g2f0");
  EXPECT_EQ(Why(Xiangqi("4k4/9/9/9/9/9/9/4c4/9/3K1N2r w - - 0 1"), "f0e2"),
            Illegal::kLeavesKingInCheck);
}

}  // namespace
}  // namespace komadai::rules
