#include "libs/rules/perft.h"

#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"
#include "libs/rules/shogi/perft.h"
#include "libs/rules/shogi/setup_check.h"
#include "libs/rules/xiangqi/perft.h"
#include "libs/rules/xiangqi/setup_check.h"

namespace komadai::rules {
namespace {

TEST(Perft, OfTheStartPositionsIsWhatEverybodyCounts) {
  EXPECT_EQ(Perft(StartPosition(Variant::kShogi), 0), 1u);
  EXPECT_EQ(Perft(StartPosition(Variant::kShogi), 3), 25'470u);
  EXPECT_EQ(Perft(StartPosition(Variant::kMinishogi), 4), 35'401u);
  EXPECT_EQ(Perft(StartPosition(Variant::kXiangqi), 3), 79'666u);
}

TEST(Perft, CountsNoPawnDropThatMates) {
  EXPECT_EQ(Perft(Shogi("7nk/9/8G/9/9/9/9/9/K8 b P 1"), 1),
            Perft(Shogi("7nk/9/8G/9/9/9/9/9/K8 b L 1"), 1) - 1);
}

// Which code runs depends on the processor; both must count alike on this one.
TEST(Perft, IsTheSameWithAndWithoutModernInstructions) {
  if (!HasModernCpu()) GTEST_SKIP() << "the processor has none";
  shogi::Board<shogi::Nine> shogi_board;
  ASSERT_FALSE(shogi::BuildBoard(
      Shogi("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1").ToSetup(),
      Kings::kBoth, shogi_board));
  EXPECT_EQ((shogi::PerftTwoPlies<shogi::Nine, Side::kSecond>(shogi_board)),
            (shogi::PerftTwoPliesModern<shogi::Nine, Side::kSecond>(shogi_board)));
  xiangqi::Board xiangqi_board;
  ASSERT_FALSE(
      xiangqi::BuildBoard(StartPosition(Variant::kXiangqi).ToSetup(), Kings::kBoth, xiangqi_board));
  EXPECT_EQ(xiangqi::PerftTwoPlies(xiangqi_board), xiangqi::PerftTwoPliesModern(xiangqi_board));
}

}  // namespace
}  // namespace komadai::rules
