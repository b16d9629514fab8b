#include "services/engine/domain/coordinates.h"

#include <gtest/gtest.h>

namespace komadai::engine {
namespace {

TEST(CoordinatesTest, UsiIsLeftAlone) {
  for (const char* move : {"7g7f", "8h2b+", "P*5e"}) {
    EXPECT_EQ(ToEngineMove(RankNumbers::kPlain, move), move);
    EXPECT_EQ(FromEngineMove(RankNumbers::kPlain, move), move);
  }
}

TEST(CoordinatesTest, XiangqiRanksAreShiftedByOneBothWays) {
  EXPECT_EQ(ToEngineMove(RankNumbers::kFromOne, "h2e2"), "h3e3");
  EXPECT_EQ(ToEngineMove(RankNumbers::kFromOne, "a9a8"), "a10a9");
  EXPECT_EQ(ToEngineMove(RankNumbers::kFromOne, "i0i9"), "i1i10");
  EXPECT_EQ(FromEngineMove(RankNumbers::kFromOne, "h3e3"), "h2e2");
  EXPECT_EQ(FromEngineMove(RankNumbers::kFromOne, "a10a9"), "a9a8");
  EXPECT_EQ(FromEngineMove(RankNumbers::kFromOne, "i1i10"), "i0i9");
}

TEST(CoordinatesTest, EveryXiangqiMoveSurvivesTheRoundTrip) {
  const std::string files = "abcdefghi";
  for (const char from_file : files) {
    for (char from_rank = '0'; from_rank <= '9'; ++from_rank) {
      for (char to_rank = '0'; to_rank <= '9'; ++to_rank) {
        const std::string move{from_file, from_rank, 'e', to_rank};
        EXPECT_EQ(FromEngineMove(RankNumbers::kFromOne, ToEngineMove(RankNumbers::kFromOne, move)),
                  move);
      }
    }
  }
}

TEST(CoordinatesTest, WhatIsNoMoveIsRefused) {
  for (const char* text :
       {"", "(none)", "0000", "resign", "h3", "h3e", "h3e11", "h0e3", "j1a1", "h3e3q", "h3e3h3"}) {
    EXPECT_FALSE(FromEngineMove(RankNumbers::kFromOne, text)) << text;
  }
  for (const char* text : {"", "(none)", "resign", "7g7f\x01", "7g", "7g7f+=", "win"}) {
    EXPECT_FALSE(FromEngineMove(RankNumbers::kPlain, text)) << text;
  }
}

}  // namespace
}  // namespace komadai::engine
