#include <gtest/gtest.h>

#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

TEST(Uchifuzume, IsRefusedWithAndWithoutAnOwnKing) {
  EXPECT_EQ(Why(Shogi("8k/9/7+R1/9/9/9/9/9/9 b P 1"), "P*1b"), Illegal::kUchifuzume);
  EXPECT_EQ(Why(Shogi("8k/9/7+R1/9/9/9/9/9/K8 b P 1"), "P*1b"), Illegal::kUchifuzume);
}

TEST(Uchifuzume, IsNoneIfThePawnShutsItsOwnBishopOut) {
  EXPECT_EQ(Why(Shogi("6nk1/6p1p/9/5B3/9/9/9/9/K8 b P 1"), "P*2b"), std::nullopt);
}

TEST(Uchifuzume, IsNoneIfThePawnCanBeTaken) {
  EXPECT_EQ(
      Why(Shogi("1s1gk1s1l/4p4/K1pp1pgp1/GN+r1s3p/9/P3L3P/1P2P4/1S7/LN6+b w BGNL3Prn5p 1"), "P*9b"),
      std::nullopt);
}

TEST(Uchifuzume, EndsARealGame) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state,
          "2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 8e8f 8g8f P*8g P*2c 8g8h+ 2c2b+ 8h7i 2b3a 7i6i 5i6i "
          "8b8f 3a4a 5a4a 2d8d 8f8d 6i7h 8d2d 7g7f 7c7d 7f7e 7d7e G*7i 7e7f 7h8h 7f7g+ 8h7g 2d7d "
          "7g8h G*8f 9i9h 7d2d S*9i R*2h P*7h");
  const auto refused = state.Play(MoveOf(Variant::kShogi, "P*8g"));
  EXPECT_EQ(refused.error().reason(), "UCHIFUZUME");
}

TEST(PawnMoves, MayMate) {
  EXPECT_EQ(Why(Shogi("8k/9/7+RP/9/9/9/9/9/9 b - 1"), "1c1b"), std::nullopt);
}

TEST(Nifu, CountsUnpromotedPawnsOnly) {
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/9/9/4P4/9/4K4 b P 1"), "P*5e"), Illegal::kNifu);
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1"), "P*5e"), std::nullopt);
  EXPECT_EQ(Why(Shogi("4k4/9/4p4/9/9/9/9/9/4K4 b P 1"), "P*5e"), std::nullopt);
}

TEST(Drops, NeedThePieceInTheOwnHand) {
  const Position position = Shogi("4k4/9/9/9/9/9/9/9/4K4 b p 1");
  EXPECT_EQ(Why(position, "P*5e"), Illegal::kNotInHand);
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/9/9/9/9/4K4 b P 1"), "P*5i"), Illegal::kOccupied);
}

TEST(Drops, NeverWhereThePieceCouldNotMove) {
  const Position position = Shogi("4k4/9/9/9/9/9/9/9/4K4 b NLP 1");
  EXPECT_EQ(Why(position, "P*1a"), Illegal::kDeadPieceDrop);
  EXPECT_EQ(Why(position, "L*1a"), Illegal::kDeadPieceDrop);
  EXPECT_EQ(Why(position, "N*1b"), Illegal::kDeadPieceDrop);
  EXPECT_EQ(Why(position, "N*3c"), std::nullopt);
}

TEST(Promotion, IsForcedWhereThePieceCouldNotMove) {
  const Position position = Shogi("4k4/P8/9/9/9/9/9/9/4K4 b - 1");
  EXPECT_EQ(Why(position, "9b9a"), Illegal::kMustPromote);
  EXPECT_EQ(Why(position, "9b9a+"), std::nullopt);
}

TEST(Promotion, NeedsTheZoneAndAPieceThatPromotes) {
  const Position position = Shogi("4k4/9/9/S8/9/9/9/9/4KG3 b - 1");
  EXPECT_EQ(Why(position, "9d9c+"), std::nullopt);
  EXPECT_EQ(Why(position, "9d8e+"), Illegal::kCannotPromote);
  EXPECT_EQ(Why(position, "4i4h+"), Illegal::kCannotPromote);
}

TEST(Checks, MustBeAnswered) {
  const Position position = Shogi("4r3k/9/9/9/9/9/9/9/4K4 b G 1");
  EXPECT_EQ(Why(position, "5i5h"), Illegal::kLeavesKingInCheck);
  EXPECT_EQ(Why(position, "G*1b"), Illegal::kLeavesKingInCheck);
  EXPECT_EQ(Why(position, "G*5e"), std::nullopt);
  EXPECT_EQ(Why(position, "5i4h"), std::nullopt);
}

TEST(MinishogiZone, IsTheLastRankOnly) {
  const Position position = Minishogi("4k/1P3/S4/5/4K b P 1");
  EXPECT_EQ(Why(position, "4b4a"), Illegal::kMustPromote);
  EXPECT_EQ(Why(position, "4b4a+"), std::nullopt);
  EXPECT_EQ(Why(position, "5c5b+"), Illegal::kCannotPromote);
  EXPECT_EQ(Why(position, "P*3a"), Illegal::kDeadPieceDrop);
  EXPECT_EQ(Why(position, "P*3b"), std::nullopt);
  EXPECT_EQ(Why(position, "P*4c"), Illegal::kNifu);
}

TEST(MinishogiZone, OtherPiecesMayEnterUnpromotedAndPromoteOnLeaving) {
  const Position position = Minishogi("S3k/1S3/5/5/4K b - 1");
  EXPECT_EQ(Why(position, "4b4a"), std::nullopt);
  EXPECT_EQ(Why(position, "4b4a+"), std::nullopt);
  EXPECT_EQ(Why(position, "5a4a"), Illegal::kBadGeometry);
  EXPECT_EQ(Why(Minishogi("S3k/5/5/5/4K b - 1"), "5a4b+"), std::nullopt);
}

}  // namespace
}  // namespace komadai::rules
