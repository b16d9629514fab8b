#include "services/rating/domain/signals.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace komadai::rating {
namespace {

using Noted = std::set<std::pair<std::string, std::string>>;  // player, signal

Standing Established(int points) {
  Standing standing;
  standing.rating = elo::Rating::FromPoints(points);
  standing.wins = 20;
  standing.losses = 20;
  return standing;
}

RatedGame Lost(int plies, bool conceded) {  // the first side lost
  RatedGame game;
  game.id = "g1";
  game.first.id = "strong";
  game.second.id = "weak";
  game.first_score = elo::kLoss;
  game.plies = plies;
  game.conceded = conceded;
  game.ended_at = FromUnixMillis(1'700'000'000'000);
  return game;
}

Noted NotedIn(const RatedGame& game, const Standing& first, const Standing& second,
              bool pair_exhausted = false) {
  Noted noted;
  for (const RatingSignal& signal :
       SignalsOf(game, first, second, Rate(game, first, second), pair_exhausted)) {
    EXPECT_EQ(signal.game_id, game.id);
    EXPECT_EQ(signal.at, game.ended_at);
    EXPECT_NE(signal.opponent_id, signal.player_id);
    noted.emplace(signal.player_id, SignalName(signal.kind));
  }
  return noted;
}

TEST(SignalsTest, AnOrdinaryLossIsNone) {
  EXPECT_EQ(NotedIn(Lost(80, true), Established(1500), Established(1450)), Noted());
}

TEST(SignalsTest, GivingUpEarlyIsNotedOfTheLoserOnly) {
  const Standing even = Established(1500);
  EXPECT_EQ(NotedIn(Lost(19, true), even, even), (Noted{{"strong", "early_loss"}}));
  EXPECT_EQ(NotedIn(Lost(20, true), even, even), Noted());
  EXPECT_EQ(NotedIn(Lost(10, false), even, even), Noted());  // mated on the board
}

TEST(SignalsTest, AnUpsetIsNotedOfAnEstablishedFavourite) {
  // E >= 0.9 from a gap of 382 points on: 400 log10(9) = 381.7.
  EXPECT_EQ(NotedIn(Lost(80, true), Established(1882), Established(1500)),
            (Noted{{"strong", "upset"}}));
  EXPECT_EQ(NotedIn(Lost(80, true), Established(1881), Established(1500)), Noted());
  Standing newcomer;
  newcomer.rating = elo::Rating::FromPoints(2000);
  EXPECT_EQ(NotedIn(Lost(80, true), newcomer, Established(1500)), Noted());
}

TEST(SignalsTest, ARepeatedPairIsNotedOfBoth) {
  const Standing even = Established(1500);
  EXPECT_EQ(NotedIn(Lost(80, true), even, even, true),
            (Noted{{"strong", "repeated_pair"}, {"weak", "repeated_pair"}}));
}

TEST(SignalsTest, NamesReadBack) {
  for (const SignalKind kind :
       {SignalKind::kEarlyLoss, SignalKind::kUpset, SignalKind::kRepeatedPair}) {
    EXPECT_EQ(FindSignal(SignalName(kind)), kind);
  }
  EXPECT_EQ(FindSignal("cheating"), std::nullopt);
}

TEST(SignalsTest, AFavouriteWhoWinsIsNotNoted) {
  RatedGame game = Lost(80, true);
  game.first_score = elo::kWin;
  EXPECT_EQ(NotedIn(game, Established(2000), Established(1500)), Noted());
}

TEST(SignalsTest, ASignalSaysInWhichVariant) {
  RatedGame game = Lost(10, true);
  game.variant = rules::Variant::kXiangqi;
  const Standing even = Established(1500);
  const auto signals = SignalsOf(game, even, even, Rate(game, even, even), false);
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].variant, rules::Variant::kXiangqi);
}

}  // namespace
}  // namespace komadai::rating
