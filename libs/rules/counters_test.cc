// Move numbers and quiet plies of games: carried along exactly, and never out of range.
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

Setup Even(Variant variant) { return StartPosition(variant).ToSetup(); }

Result<GameState> Start(const Setup& setup) {
  return GameState::Start(*FindRuleset(setup.variant, ""), *Position::From(setup));
}

TEST(Counters, ThatLeaveNoRoomForAGameAreRefusedAtItsStart) {
  auto setup = Even(Variant::kXiangqi);
  setup.move_number = 1'000'000;
  EXPECT_EQ(Start(setup).error().reason(), "BAD_COUNTER");
  setup.move_number = 900'000;
  EXPECT_TRUE(Start(setup));
  setup.quiet_plies = 70'000;
  EXPECT_EQ(Start(setup).error().reason(), "BAD_COUNTER");
}

TEST(Counters, AreExactAfterATakebackFromTheHighestStart) {
  auto setup = Even(Variant::kShogi);
  setup.move_number = 900'000;
  setup.quiet_plies = 65'535;
  auto state = Start(setup);
  ASSERT_TRUE(state);
  PlayAll(*state, "7g7f 3c3d");
  EXPECT_EQ(state->position().quiet_plies(), 65'537);
  EXPECT_TRUE(
      notation::ParsePosition(Variant::kShogi, notation::FormatPosition(state->position())));
  ASSERT_TRUE(state->TakeBack(1));
  EXPECT_EQ(state->position().move_number(), 900'001);
  EXPECT_EQ(state->position().quiet_plies(), 65'536);
}

TEST(Counters, OfMovesBeginAtOne) {
  auto setup = Even(Variant::kXiangqi);
  setup.move_number = 0;
  EXPECT_EQ(Position::From(setup).error().reason(), "BAD_COUNTER");
}

// A stateless caller may send a position without its move number beside a long history.
TEST(Counters, OfATakebackStayInRangeWhateverTheNumberWas) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state, "2h3h 8b7b 3h2h 7b8b");
  auto resumed =
      GameState::Resume(state.ruleset(), StartPosition(Variant::kShogi), state.history());
  ASSERT_TRUE(resumed);
  ASSERT_TRUE(resumed->TakeBack(3));
  EXPECT_EQ(resumed->position().move_number(), 1);
}

}  // namespace
}  // namespace komadai::rules
