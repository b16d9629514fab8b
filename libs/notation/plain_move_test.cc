#include "libs/notation/plain_move.h"

#include <gtest/gtest.h>

#include "libs/notation/errors.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Square;
using rules::Variant;

TEST(PlainMoveTest, UsiBothWays) {
  const Move push = Move::Board(Square(6, 6), Square(6, 5));
  EXPECT_EQ(*ParsePlainMove(Variant::kShogi, "7g7f"), push);
  EXPECT_EQ(FormatPlainMove(Variant::kShogi, push), "7g7f");
  const Move take = Move::Board(Square(7, 7), Square(1, 1), true);
  EXPECT_EQ(*ParsePlainMove(Variant::kShogi, " 8H2b+ "), take);
  EXPECT_EQ(FormatPlainMove(Variant::kShogi, take), "8h2b+");
  const Move drop = Move::Drop(rules::shogi::kPawn, Square(4, 4));
  EXPECT_EQ(*ParsePlainMove(Variant::kShogi, "P*5E"), drop);
  EXPECT_EQ(FormatPlainMove(Variant::kShogi, drop), "P*5e");
}

TEST(PlainMoveTest, UcciBothWays) {
  const Move move = Move::Board(Square(7, 2), Square(4, 2));
  for (const char* text : {"h2e2", "H2E2", "H2-E2", "h2-e2"}) {
    EXPECT_EQ(*ParsePlainMove(Variant::kXiangqi, text), move) << text;
  }
  EXPECT_EQ(FormatPlainMove(Variant::kXiangqi, move), "h2e2");
}

TEST(PlainMoveTest, RanksOfUcciCountFromZero) {
  EXPECT_EQ(*ParsePlainMove(Variant::kXiangqi, "h3e3"), Move::Board(Square(7, 3), Square(4, 3)));
  EXPECT_FALSE(ParsePlainMove(Variant::kXiangqi, "h10e10"));
  EXPECT_FALSE(ParsePlainMove(Variant::kXiangqi, "a9a10"));
}

TEST(PlainMoveTest, SquaresOffTheBoardAreRefused) {
  EXPECT_FALSE(ParsePlainMove(Variant::kMinishogi, "6e5e"));
  EXPECT_FALSE(ParsePlainMove(Variant::kMinishogi, "P*1f"));
  EXPECT_TRUE(ParsePlainMove(Variant::kMinishogi, "5e4e"));
}

TEST(PlainMoveTest, MalformedTextIsRefused) {
  for (const char* text :
       {"", "7g", "7g7", "7g7f++", "7g7f=", "0g7f", "7j7f", "K*5e", "+P*5e", "X*5e", "p*5e",
        "P*5e+", "P5e", "resign", "7g7f 3c3d", "\xEF\xBC\x97g7f"}) {
    const Result<Move> move = ParsePlainMove(Variant::kShogi, text);
    ASSERT_FALSE(move) << text;
    EXPECT_TRUE(move.error().Is(kInvalidMove)) << text;
  }
  for (const char* text : {"", "h2", "h2e", "j2e2", "h2e2+", "h2--e2", "C2=5"}) {
    EXPECT_FALSE(ParsePlainMove(Variant::kXiangqi, text)) << text;
  }
}

}  // namespace
}  // namespace komadai::notation
