#include "services/game/domain/replay.h"

#include <gtest/gtest.h>

#include "services/game/testing/games.h"

namespace komadai::game {
namespace {

Game ProfessionalGame() {
  Started started = Beginning();
  started.setup.ruleset = *rules::FindRuleset(Variant::kShogi, "professional");
  started.time_control = FiveMinutes();
  return NewGame(started);
}

GameResult By(Ending ending, Outcome outcome = Outcome::kDraw) { return {outcome, ending, 4}; }

TEST(ReplayTest, DrawsAreReplayedWhereTheRulesetSaysSo) {
  const Game game = ProfessionalGame();
  EXPECT_TRUE(IsReplayed(game, By(Ending::kRepetition)));
  EXPECT_TRUE(IsReplayed(game, By(Ending::kAgreedDraw)));
  EXPECT_TRUE(IsReplayed(game, By(Ending::kImpasse, Outcome::kNoResult)));
  EXPECT_FALSE(IsReplayed(game, By(Ending::kImpasse, Outcome::kFirstWins)));
  EXPECT_FALSE(IsReplayed(game, By(Ending::kAborted, Outcome::kNoResult)));
  EXPECT_FALSE(IsReplayed(game, By(Ending::kAbandoned))) << "somebody has left";
  EXPECT_FALSE(IsReplayed(game, By(Ending::kPlyLimit))) << "a game without end has no sequel";
  EXPECT_FALSE(IsReplayed(game, By(Ending::kCheckmate, Outcome::kFirstWins)));
  EXPECT_FALSE(IsReplayed(NewGame(), By(Ending::kRepetition))) << "the standard rules say no";
}

TEST(ReplayTest, SidesAreSwappedAndTheRemainingTimeStaysWithItsPlayer) {
  Game game = ProfessionalGame();
  timecontrol::Reading clock;
  clock.first.main_left = Millis(120'000);
  clock.first.periods_left = 3;
  clock.second.periods_left = 1;
  game.clock = clock;
  const ReplayTerms terms = ReplayTermsOf(game);
  EXPECT_EQ(terms.players[0].id, "bob");
  EXPECT_EQ(terms.players[1].id, "ann");
  ASSERT_TRUE(terms.time_control);
  EXPECT_EQ(terms.time_control->first.main, Millis(0));
  EXPECT_EQ(terms.time_control->first.byoyomi_periods, 1);
  EXPECT_EQ(terms.time_control->second.main, Millis(120'000));
  EXPECT_EQ(terms.time_control->second.byoyomi, Millis(30'000));
}

TEST(ReplayTest, UwateGivesTheHandicapAgain) {
  Game game = ProfessionalGame();
  game.setup.handicap = "2_piece";
  const ReplayTerms terms = ReplayTermsOf(game);
  EXPECT_EQ(terms.players, game.players);
  EXPECT_EQ(terms.time_control, game.time_control);
}

}  // namespace
}  // namespace komadai::game
