#include "services/game/domain/claim.h"

#include <gtest/gtest.h>

#include "services/game/domain/pause.h"
#include "services/game/testing/games.h"

namespace komadai::game {
namespace {

constexpr Millis kLimit{30'000};

// Ann (first) is to move since kStart.
Game BegunGame() {
  Started started = Beginning();
  started.options.claim_after = kLimit;
  Game game = NewGame(started);
  Play(game, "7g7f");
  Play(game, "3c3d");
  return game;
}

Result<Events> Claim(const Game& game, Side side, TimePoint seen, TimePoint now) {
  return DecideClaim(game, side, game.ply(), WinFor(side), seen, now);
}

TEST(ClaimTest, AfterTheOpponentWasGoneForLongEnough) {
  const Game game = BegunGame();
  const TimePoint seen = kStart + Millis(10'000);
  const Result<Events> early = Claim(game, Side::kSecond, seen, seen + kLimit - Millis(2500));
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().reason(), "CLAIM_TOO_EARLY");
  EXPECT_EQ(early.error().metadata().at("seconds_left"), "3");
  const Result<Events> events = Claim(game, Side::kSecond, seen, seen + kLimit);
  ASSERT_TRUE(events) << events.error().ToString();
  EXPECT_EQ(std::get<Ended>(events->front()).result,
            (GameResult{Outcome::kSecondWins, Ending::kAbandoned, 2}));
}

TEST(ClaimTest, OnlyTheOwnTurnOfTheAbsentCounts) {
  const Game game = BegunGame();
  // Gone long before her turn began.
  EXPECT_EQ(ClaimableFrom(game, kStart - 10 * kLimit), kStart + kLimit);
  EXPECT_EQ(ReasonOf(Claim(game, Side::kFirst, kStart, kStart + kLimit)), "NOT_OPPONENTS_TURN");
}

TEST(ClaimTest, NotAgainstSomebodyWhoIsThere) {
  EXPECT_EQ(ReasonOf(Claim(BegunGame(), Side::kSecond, kStart + 2 * kLimit, kStart + kLimit)),
            "OPPONENT_PRESENT");
}

TEST(ClaimTest, OnlyAsAnOptionInABegunGame) {
  Game game = BegunGame();
  const TimePoint late = kStart + 2 * kLimit;
  game.options.claim_after = Millis(0);
  EXPECT_EQ(ReasonOf(Claim(game, Side::kSecond, kStart, late)), "CLAIM_NOT_ALLOWED");
  Started started = Beginning();
  started.options.claim_after = kLimit;
  EXPECT_EQ(ReasonOf(Claim(NewGame(started), Side::kSecond, kStart, late)), "CLAIM_NOT_ALLOWED");
  game = BegunGame();
  game.pause = Pause{kStart, late, std::nullopt};
  EXPECT_EQ(ReasonOf(Claim(game, Side::kSecond, kStart, late)), "GAME_PAUSED");
  game = BegunGame();
  game.players[0] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  EXPECT_EQ(ReasonOf(Claim(game, Side::kSecond, kStart, late)), "CLAIM_NOT_ALLOWED");
}

TEST(ClaimTest, TheSameClaimIsARepeatAfterTheEnd) {
  Game game = BegunGame();
  const TimePoint late = kStart + 2 * kLimit;
  ApplyAll(game, *DecideClaim(game, Side::kSecond, 2, Outcome::kDraw, kStart, late));
  EXPECT_TRUE(DecideClaim(game, Side::kSecond, 2, Outcome::kDraw, kStart, late)->empty());
  EXPECT_EQ(ReasonOf(DecideClaim(game, Side::kSecond, 2, Outcome::kSecondWins, kStart, late)),
            "GAME_OVER");
  EXPECT_EQ(ReasonOf(DecideClaim(game, Side::kFirst, 2, Outcome::kDraw, kStart, late)),
            "GAME_OVER");
}

}  // namespace
}  // namespace komadai::game
