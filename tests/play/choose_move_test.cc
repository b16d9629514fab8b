#include "tests/play/choose_move.h"

#include <gtest/gtest.h>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::play {
namespace {

TEST(ChooseMoveTest, AMateIsNotMissedByWhoLooksForIt) {
  // Black mates with G*5b only.
  const Result<rules::Position> position =
      notation::ParsePosition(rules::Variant::kShogi, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  ASSERT_TRUE(position);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SeededRandom random(seed);
    const rules::Move move = ChooseMove(*position, true, random);
    EXPECT_EQ(notation::FormatPlainMove(rules::Variant::kShogi, move), "G*5b");
  }
}

TEST(ChooseMoveTest, RandomGamesAreLegalAndFollowFromTheSeed) {
  for (const rules::Variant variant : rules::kVariants) {
    SeededRandom one(5);
    SeededRandom same(5);
    const std::vector<std::string> moves = RandomGame(variant, 60, one);
    EXPECT_EQ(moves, RandomGame(variant, 60, same));
    rules::GameState state = StartOf(variant);
    for (const std::string& text : moves) {
      const Result<rules::Move> move = notation::ParsePlainMove(variant, text);
      ASSERT_TRUE(move);
      ASSERT_TRUE(state.Play(*move)) << text;
    }
    EXPECT_TRUE(moves.size() == 60 || state.verdict().over());
  }
}

}  // namespace
}  // namespace komadai::play
