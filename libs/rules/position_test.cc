#include "libs/rules/position.h"

#include <algorithm>

#include "libs/base/random.h"
#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::rules {
namespace {

constexpr char kMostMoves[] = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

TEST(ImpossibleSetups, AreRefusedWithTheReason) {
  const auto fault = [](std::string_view sfen) { return FaultOf(Variant::kShogi, sfen); };
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/3KK4 b - 1"), "TWO_KINGS");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/9 b - 1"), "MISSING_KING");
  EXPECT_EQ(fault("4k4/9/P8/9/9/P8/9/9/4K4 b - 1"), "NIFU");
  EXPECT_EQ(fault("4k4/9/+P8/9/9/P8/9/9/4K4 b - 1"), "");
  EXPECT_EQ(fault("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), "DEAD_PIECE");
  EXPECT_EQ(fault("4k4/N8/9/9/9/9/9/9/4K4 b - 1"), "DEAD_PIECE");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/l8/4K4 b - 1"), "");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/l3K4 b - 1"), "DEAD_PIECE");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/RRR1K4 b - 1"), "TOO_MANY_PIECES");
  EXPECT_EQ(fault("4k4/9/9/9/9/9/9/9/R3K4 b Rr 1"), "TOO_MANY_PIECES");
  EXPECT_EQ(fault("4k4/4P4/9/9/9/9/9/9/4K4 b - 1"), "OPPONENT_IN_CHECK");
  EXPECT_EQ(fault("4k4/4P4/9/9/9/9/9/9/4K4 w - 1"), "");
}

TEST(ImpossibleSetups, OfMinishogiFollowItsSet) {
  EXPECT_EQ(FaultOf(Variant::kMinishogi, "rbsgk/4p/5/P4/KGSBR b p 1"), "TOO_MANY_PIECES");
  rules::Setup with_lance;
  with_lance.variant = Variant::kMinishogi;
  with_lance.Put(Square(2, 2), {shogi::kLance, Side::kFirst});
  EXPECT_EQ(Position::From(with_lance, Kings::kOptional).error().reason(), "TOO_MANY_PIECES");
}

TEST(ImpossibleSetups, HandsHoldNoKingsAndNoPromotedPieces) {
  rules::Setup setup = StartPosition(Variant::kShogi).ToSetup();
  setup.hands[0][static_cast<std::size_t>(shogi::kTokin)] = 1;
  EXPECT_EQ(Position::From(setup).error().reason(), "HAND_NOT_ALLOWED");
}

TEST(ImpossibleSetups, AbsurdCountersAreRefused) {
  rules::Setup setup = StartPosition(Variant::kXiangqi).ToSetup();
  setup.quiet_plies = -1;
  EXPECT_EQ(Position::From(setup).error().reason(), "BAD_COUNTER");
}

TEST(TsumeSetups, MayMissKingsWhereTheCallerSaysSo) {
  EXPECT_EQ(FaultOf(Variant::kShogi, "4k4/9/9/9/9/9/9/9/9 b - 1", Kings::kOptional), "");
  EXPECT_EQ(FaultOf(Variant::kShogi, "9/9/9/9/9/9/9/9/9 b - 1", Kings::kOptional), "");
  EXPECT_EQ(FaultOf(Variant::kShogi, "kk7/9/9/9/9/9/9/9/9 b - 1", Kings::kOptional), "TWO_KINGS");
}

TEST(Position, FindsAllMovesOfTheRichestPositionKnown) {
  const Position position = Shogi(kMostMoves);
  EXPECT_EQ(position.CountLegalMoves(), 593);
  MoveList moves;
  position.LegalMoves(moves);
  EXPECT_EQ(moves.size(), 593u);
}

TEST(Position, RoundTripsThroughItsSetup) {
  const Position position = Shogi(kMostMoves);
  const auto again = Position::From(position.ToSetup());
  ASSERT_TRUE(again);
  EXPECT_TRUE(*again == position);
  EXPECT_EQ(again->key(), position.key());
}

TEST(Position, EqualityLooksAtBoardHandsAndSide) {
  const Position a = Shogi("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  EXPECT_FALSE(a == Shogi("4k4/9/9/9/9/9/9/9/4K4 w P 1"));
  EXPECT_FALSE(a == Shogi("4k4/9/9/9/9/9/9/9/4K4 b 2P 1"));
  EXPECT_FALSE(a == Shogi("4k4/9/9/9/9/9/9/9/4K4 b p 1"));
  EXPECT_TRUE(a == Shogi("4k4/9/9/9/9/9/9/9/4K4 b P 57"));
  EXPECT_NE(a.key(), Shogi("4k4/9/9/9/9/9/9/9/4K4 w P 1").key());
  EXPECT_NE(a.key(), Shogi("4k4/9/9/9/9/9/9/9/4K4 b 2P 1").key());
}

TEST(Position, KeysNeverChangeBetweenReleases) {
  EXPECT_EQ(StartPosition(Variant::kShogi).key(), 0x7E5C2EF43E47E92Eu);
  EXPECT_EQ(StartPosition(Variant::kMinishogi).key(), 0x7DC55A9B9114333Eu);
  EXPECT_EQ(StartPosition(Variant::kXiangqi).key(), 0x8AC0AB142752A990u);
}

TEST(Position, RefusesSquaresOffTheBoard) {
  const Position position = StartPosition(Variant::kMinishogi);
  EXPECT_EQ(position.WhyIllegal(Move::Board(Square(7, 7), Square(0, 0))), Illegal::kOffBoard);
  EXPECT_EQ(position.WhyIllegal(Move::Board(Square(), Square(0, 0))), Illegal::kOffBoard);
  EXPECT_EQ(position.WhyIllegal(Move::Drop(shogi::kPawn, Square(0, 5))), Illegal::kOffBoard);
}

// The generator, the counter and the single-move check are separate code: each judges the others on
// every conceivable move of positions from random games.
void ExpectAgreementOnEveryMove(const Position& position) {
  MoveList moves;
  position.LegalMoves(moves);
  ASSERT_EQ(position.CountLegalMoves(), static_cast<int>(moves.size()));
  std::size_t legal = 0;
  const Variant variant = position.variant();
  for (int to = 0; to < FileCount(variant) * RankCount(variant); ++to) {
    const Square target(to / RankCount(variant), to % RankCount(variant));
    for (int from = 0; from < FileCount(variant) * RankCount(variant); ++from) {
      const Square origin(from / RankCount(variant), from % RankCount(variant));
      legal += position.IsLegal(Move::Board(origin, target, false)) ? 1 : 0;
      legal += position.IsLegal(Move::Board(origin, target, true)) ? 1 : 0;
    }
    for (int kind = 1; kind < kKindLimit; ++kind) {
      legal += position.IsLegal(Move::Drop(static_cast<Kind>(kind), target)) ? 1 : 0;
    }
  }
  EXPECT_EQ(legal, moves.size());
  for (const Move& move : moves) ASSERT_TRUE(position.IsLegal(move));
}

class RandomGames : public testing::TestWithParam<Variant> {};

TEST_P(RandomGames, ListCountAndReasonsAgreeOnEveryMove) {
  SeededRandom random(20240229);
  for (int game = 0; game < 3; ++game) {
    Position position = StartPosition(GetParam());
    for (int ply = 0; ply < 120 && position.HasLegalMove(); ++ply) {
      if (ply % 3 == 0) ExpectAgreementOnEveryMove(position);
      MoveList moves;
      position.LegalMoves(moves);
      position.PlayUnchecked(moves[random.Below(moves.size())]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, RandomGames, testing::ValuesIn(kVariants),
                         [](const auto& suite) { return std::string(VariantName(suite.param)); });

}  // namespace
}  // namespace komadai::rules
