#include <gtest/gtest.h>

#include "libs/rules/game.h"
#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

// From the middle of an empty half, or from where they stand in a game.
TEST(XiangqiPieceMoves, AreThoseOfEveryTextbook) {
  const std::pair<const char*, std::size_t> kMoves[] = {
      {"9/9/9/9/9/9/9/9/4K4/9 w", 4},  {"9/9/9/9/9/9/9/9/4A4/9 w", 4},
      {"9/9/9/9/9/9/9/4B4/9/9 w", 4},  {"9/9/9/9/4N4/9/9/9/9/9 w", 8},
      {"9/9/9/9/4R4/9/9/9/9/9 w", 17}, {"9/9/9/9/4C4/9/9/9/9/9 w", 17},
      {"9/9/9/9/9/4P4/9/9/9/9 w", 1},  {"9/9/9/9/4P4/9/9/9/9/9 w", 3},
      {"9/9/9/9/9/4p4/9/9/9/9 b", 3},  {"9/9/9/4p4/9/9/9/9/9/9 b", 1},
  };
  for (const auto& [fen, expected] : kMoves) {
    MoveList moves;
    Xiangqi(fen).LegalMoves(moves);
    EXPECT_EQ(moves.size(), expected) << fen;
  }
}

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
  // Black's cannon looks at the general over nothing: no piece may step in between.
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

// The squares of the pieces that the move newly chases, each followed by a blank.
std::string Chased(std::string_view fen, std::string_view text) {
  const Position before = Xiangqi(fen);
  const Move move = MoveOf(Variant::kXiangqi, text);
  EXPECT_TRUE(before.IsLegal(move)) << text;
  Position after = before;
  after.PlayUnchecked(move);
  const SquareSet chased = after.game().NewlyChased(before.state(), move, after.state());
  std::string squares;
  for (int i = 0; i < 90; ++i) {
    if (!chased.test(static_cast<std::size_t>(i))) continue;
    const Square square = SquareAt(Variant::kXiangqi, i);
    squares +=
        {static_cast<char>('a' + square.file()), static_cast<char>('0' + square.rank()), ' '};
  }
  return squares;
}

TEST(Chase, IsAThreatToTakeAnUnprotectedPiece) {
  EXPECT_EQ(Chased("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0"), "i9 ");
  // Protected by the chariot behind it.
  EXPECT_EQ(Chased("3k4r/9/8n/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0"), "");
}

TEST(Chase, APinnedPieceThreatensNothing) {
  // The horse attacks the cannon but shields its general from the chariot.
  EXPECT_EQ(Chased("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w - - 0 1", "g2f0"), "");
  EXPECT_EQ(Chased("4k4/9/9/9/9/9/9/4c1N2/9/3K5 w - - 0 1", "g2f0"), "e2 ");
}

TEST(Chase, APinnedProtectorProtectsNothing) {
  // The chariot protects the cannon, unless it has to shield its general.
  EXPECT_EQ(Chased("3k5/9/9/3r3c1/9/9/9/9/8R/4K4 w - - 0 1", "i1h1"), "");
  EXPECT_EQ(Chased("3k5/9/9/3r3c1/9/9/9/9/3R4R/4K4 w - - 0 1", "i1h1"), "h6 ");
}

TEST(Chase, ACaptureMayBeginOne) {
  EXPECT_EQ(Chased("n4k3/9/9/9/9/9/9/9/p8/R3K4 w - - 0 1", "a0a1"), "a9 ");
}

TEST(Chase, AnotherPieceMayBeUncovered) {
  // The horse steps off the file of its own chariot.
  EXPECT_EQ(Chased("3k4n/9/9/9/9/9/8N/9/9/4K3R w - - 0 1", "i3g4"), "i9 ");
}

TEST(Chase, KeepingAnAttackIsNoNewOne) {
  EXPECT_EQ(Chased("3k4n/9/9/9/9/9/9/9/9/4K3R w - - 0 1", "i0i1"), "");
}

// The horse on e5 may not take on f3 while it alone stands between the generals.
TEST(Chase, UnpinningAnAttackerIsANewThreat) {
  EXPECT_EQ(Chased("4k4/9/9/9/4n4/9/5C3/9/9/4K1N2 b - - 0 1", "e9f9"), "f3 ");
  EXPECT_EQ(Chased("5k3/9/9/9/4n4/9/5C3/9/9/4K1N2 b - - 0 1", "f9f8"), "") << "it was not pinned";
}

// A check does not make the threats that were there before it new ones.
TEST(Chase, AnsweringACheckIsNoNewThreat) {
  EXPECT_EQ(Chased("3k5/9/9/9/4n4/9/5C3/9/9/3R1K3 b - - 0 1", "d9e9"), "");
}

TEST(Chase, TheStrongerPieceIsChasedEvenIfProtected) {
  // A horse attacks a chariot that another chariot protects; a chariot attacking it would not do.
  EXPECT_EQ(Chased("r2k5/9/r8/9/9/3N5/9/9/9/4K4 w - - 0 1", "d4b5"), "a7 ");
  EXPECT_EQ(Chased("r2k5/9/c8/9/9/3N5/9/9/9/4K4 w - - 0 1", "d4b5"), "");
}

TEST(Chase, LikeAgainstLikeIsAnOfferToExchange) {
  EXPECT_EQ(Chased("3k4r/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0"), "");
}

TEST(Chase, IsNotMadeByGeneralsAndSoldiers) {
  EXPECT_EQ(Chased("5k3/9/9/9/9/9/9/4n4/9/3K5 w - - 0 1", "d0d1"), "");
  EXPECT_EQ(Chased("5k3/9/3n5/3P5/9/9/9/9/9/4K4 w - - 0 1", "d6c6"), "");
  EXPECT_EQ(Chased("5k3/9/9/n8/1P7/9/9/9/9/4K4 w - - 0 1", "b5b6"), "");
}

TEST(Chase, IsNotOfGeneralsAndOfSoldiersAtHome) {
  EXPECT_EQ(Chased("3k5/9/9/8p/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0"), "");
  EXPECT_EQ(Chased("3k5/9/9/9/9/8p/9/9/9/4K2R1 w - - 0 1", "h0i0"), "i4 ");
  EXPECT_EQ(Chased("3k5/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0h9"), "");
}

}  // namespace
}  // namespace komadai::rules
