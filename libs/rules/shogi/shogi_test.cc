#include <gtest/gtest.h>

#include <algorithm>

#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::rules {
namespace {

// From the middle of an empty board. Promoting is no other target.
TEST(PieceMoves, AreThoseOfEveryTextbook) {
  const std::pair<Kind, int> kTargets[] = {
      {shogi::kPawn, 1},          {shogi::kLance, 4},          {shogi::kKnight, 2},
      {shogi::kSilver, 5},        {shogi::kGold, 6},           {shogi::kBishop, 16},
      {shogi::kRook, 16},         {shogi::kKing, 8},           {shogi::kTokin, 6},
      {shogi::kPromotedLance, 6}, {shogi::kPromotedKnight, 6}, {shogi::kPromotedSilver, 6},
      {shogi::kHorse, 16 + 4},    {shogi::kDragon, 16 + 4},
  };
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (const auto& [kind, expected] : kTargets) {
      rules::Setup setup;
      setup.side_to_move = side;
      setup.Put(Square(4, 4), {kind, side});
      const Position position = *Position::From(setup, Kings::kOptional);
      int targets = 0;
      for (int file = 0; file < 9; ++file) {
        for (int rank = 0; rank < 9; ++rank) {
          const Move move = Move::Board(Square(4, 4), Square(file, rank));
          targets += position.IsLegal(move) || position.IsLegal({move.from, move.to, {}, true});
        }
      }
      EXPECT_EQ(targets, expected) << Index(kind);
    }
  }
}

TEST(PieceMoves, OfKnightAndSilverFollowTheSide) {
  EXPECT_EQ(Why(Shogi("9/9/9/9/4N4/9/9/9/9 b - 1"), "5e4c"), std::nullopt);
  EXPECT_EQ(Why(Shogi("9/9/9/9/4N4/9/9/9/9 b - 1"), "5e4g"), Illegal::kBadGeometry);
  EXPECT_EQ(Why(Shogi("9/9/9/9/4n4/9/9/9/9 w - 1"), "5e4g"), std::nullopt);
  EXPECT_EQ(Why(Shogi("9/9/9/9/4s4/9/9/9/9 w - 1"), "5e5f"), std::nullopt);
  EXPECT_EQ(Why(Shogi("9/9/9/9/4s4/9/9/9/9 w - 1"), "5e5d"), Illegal::kBadGeometry);
}

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

TEST(Uchifuzume, IsMissingFromTheListOfMoves) {
  const Position position = Shogi("8k/9/7+R1/9/9/9/9/9/9 b P 1");
  MoveList moves;
  position.LegalMoves(moves);
  EXPECT_EQ(std::count(moves.begin(), moves.end(), MoveOf(Variant::kShogi, "P*1b")), 0);
  EXPECT_EQ(std::count(moves.begin(), moves.end(), MoveOf(Variant::kShogi, "P*1c")), 1);
}

TEST(Uchifuzume, IsNeitherACheckNorAStalemateNorAnotherPiecesMate) {
  EXPECT_EQ(Why(Shogi("8k/9/9/9/9/9/9/9/8K b P 1"), "P*1b"), std::nullopt);
  EXPECT_EQ(Why(Shogi("8k/9/7+R1/9/9/9/9/9/9 b L 1"), "L*1b"), std::nullopt);
  // Gote keeps no move, but is not in check: Sente wins at once.
  GameState state = StartFrom(Shogi("8k/6G2/9/9/9/9/9/9/K8 b P 1"));
  PlayAll(state, "P*1c");
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kNoLegalMove, Side::kFirst}));
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
  EXPECT_EQ(Why(Shogi("4k4/9/L8/9/9/9/9/9/4K4 b - 1"), "9c9a"), Illegal::kMustPromote);
  EXPECT_EQ(Why(Shogi("4k4/9/L8/9/9/9/9/9/4K4 b - 1"), "9c9b"), std::nullopt);
  EXPECT_EQ(Why(Shogi("4k4/9/9/N8/9/9/9/9/4K4 b - 1"), "9d8b"), Illegal::kMustPromote);
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/N8/9/9/9/4K4 b - 1"), "9e8c"), std::nullopt);
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/9/9/9/p8/4K4 w - 1"), "9h9i"), Illegal::kMustPromote);
  EXPECT_EQ(Why(Shogi("4k4/9/9/9/9/n8/9/9/4K4 w - 1"), "9f8h"), Illegal::kMustPromote);
}

TEST(Promotion, IsAChoiceAlsoWhenLeavingTheZone) {
  const Position position = Shogi("4k4/9/S8/9/9/9/9/9/4K4 b - 1");
  EXPECT_EQ(Why(position, "9c8d+"), std::nullopt);
  EXPECT_EQ(Why(position, "9c8d"), std::nullopt);
}

TEST(Promotion, IsLostInTheCapturersHand) {
  GameState state = StartFrom(Shogi("4k4/9/9/4+r4/4G4/9/9/9/4K4 b - 1"));
  PlayAll(state, "5e5d");
  EXPECT_EQ(state.position().hand(Side::kFirst, shogi::kRook), 1);
  EXPECT_EQ(state.position().hand(Side::kFirst, shogi::kDragon), 0);
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
  EXPECT_EQ(Why(Minishogi("4k/1R3/5/5/4K b - 1"), "4b4a"), std::nullopt);
  EXPECT_EQ(Why(Minishogi("4k/1R3/5/5/4K b - 1"), "4b4a+"), std::nullopt);
  EXPECT_EQ(Why(Minishogi("4k/2B2/5/5/4K b - 1"), "3b4a"), std::nullopt);
  EXPECT_EQ(Why(Minishogi("4k/2B2/5/5/4K b - 1"), "3b4a+"), std::nullopt);
}

TEST(MinishogiZone, LiesAtTheOtherEndForGote) {
  const Position position = Minishogi("4k/5/5/1p3/4K w p 1");
  EXPECT_EQ(Why(position, "4d4e"), Illegal::kMustPromote);
  EXPECT_EQ(Why(position, "4d4e+"), std::nullopt);
  EXPECT_EQ(Why(position, "P*3e"), Illegal::kDeadPieceDrop);
  EXPECT_EQ(Why(position, "P*3a"), std::nullopt);
}

}  // namespace
}  // namespace komadai::rules
