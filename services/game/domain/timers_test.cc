#include "services/game/domain/timers.h"

#include <gtest/gtest.h>

#include "services/game/testing/games.h"

namespace komadai::game {
namespace {

constexpr Millis kMinute{60'000};

Started LimitedFirstMoves() {
  Started started = Beginning();
  started.time_control = FiveMinutes();
  started.options.first_move = kMinute;
  return started;
}

const GameResult& ResultIn(const Events& events) { return std::get<Ended>(events.front()).result; }

TEST(FirstMoveTest, ASideThatDoesNotBeginAbortsTheGame) {
  Game game = NewGame(LimitedFirstMoves());
  EXPECT_EQ(NextTimer(game), kStart + kMinute);
  EXPECT_TRUE(DecideTimer(game, kStart + kMinute - Millis(1)).empty());
  const Events events = DecideTimer(game, kStart + kMinute);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(ResultIn(events).ending, Ending::kAborted);
  EXPECT_EQ(ResultIn(events).outcome, Outcome::kNoResult);
  EXPECT_EQ(std::get<Ended>(events.front()).aborted_by, Side::kFirst);
}

TEST(FirstMoveTest, EachSideHasItsOwnLimitAndNobodyAfterThat) {
  Game game = NewGame(LimitedFirstMoves());
  Play(game, "7g7f", kStart + Millis(50'000));
  EXPECT_EQ(FirstMoveDeadline(game), kStart + Millis(50'000) + kMinute);
  Play(game, "3c3d", kStart + Millis(55'000));
  EXPECT_EQ(FirstMoveDeadline(game), std::nullopt);
  EXPECT_EQ(NextTimer(game), std::nullopt);
}

TEST(FirstMoveTest, ATakebackOfTheFirstMoveStartsItAgain) {
  Game game = NewGame(LimitedFirstMoves());
  Play(game, "7g7f", kStart + Millis(50'000));
  Apply(game, {kStart + Millis(70'000), TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  EXPECT_EQ(FirstMoveDeadline(game), kStart + Millis(70'000) + kMinute);
}

TEST(FirstMoveTest, TheComputerHasNoLimit) {
  Started started = LimitedFirstMoves();
  started.players[0] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  Game game = NewGame(started);
  EXPECT_EQ(FirstMoveDeadline(game), std::nullopt);
  Play(game, "7g7f");
  EXPECT_NE(FirstMoveDeadline(game), std::nullopt) << "whoever plays it has one";
}

TEST(FirstMoveTest, WithoutTheOptionTheClockDecides) {
  Started started = LimitedFirstMoves();
  started.options.first_move = Millis(0);
  const Game game = NewGame(started);
  EXPECT_EQ(NextTimer(game), std::nullopt);
  EXPECT_EQ(ResultIn(DecideTimeOut(game, 0, Side::kFirst)).ending, Ending::kTimeOut);
}

TEST(TimeOutTest, OnlyAnOpenPlyIsFlagged) {
  Game game = NewGame();
  EXPECT_TRUE(DecideTimeOut(game, 1, Side::kSecond).empty());
  EXPECT_TRUE(DecideTimeOut(game, 0, Side::kSecond).empty());
  const Events events = DecideTimeOut(game, 0, Side::kFirst);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(ResultIn(events).outcome, Outcome::kSecondWins);
  Play(game, "7g7f");
  EXPECT_TRUE(DecideTimeOut(game, 0, Side::kFirst).empty());
}

TEST(TimeOutTest, ASideThatHasNotBegunAbortsWhereFirstMovesAreLimited) {
  Game game = NewGame(LimitedFirstMoves());
  EXPECT_EQ(ResultIn(DecideTimeOut(game, 0, Side::kFirst)).ending, Ending::kAborted);
  Play(game, "7g7f");
  EXPECT_EQ(ResultIn(DecideTimeOut(game, 1, Side::kSecond)).ending, Ending::kAborted);
  Play(game, "3c3d");
  EXPECT_EQ(ResultIn(DecideTimeOut(game, 2, Side::kFirst)).ending, Ending::kTimeOut);
}

TEST(TimerTest, APauseEndsByItself) {
  Game game = NewGame(LimitedFirstMoves());
  Apply(game, {kStart, Paused{kStart + 5 * kMinute, {}}});
  EXPECT_EQ(FirstMoveDeadline(game), std::nullopt);
  EXPECT_EQ(NextTimer(game), kStart + 5 * kMinute);
  EXPECT_TRUE(DecideTimeOut(game, 0, Side::kFirst).empty());
  EXPECT_TRUE(DecideTimer(game, kStart + kMinute).empty());
  const Events events = DecideTimer(game, kStart + 5 * kMinute);
  ASSERT_EQ(events.size(), 1u);
  ApplyAll(game, events, kStart + 5 * kMinute);
  EXPECT_FALSE(game.paused());
  EXPECT_EQ(FirstMoveDeadline(game), kStart + 6 * kMinute);
}

TEST(TimerTest, AGameWithoutEndIsDrawn) {
  Game game = NewGame();
  game.sequence = kMaxEvents;
  EXPECT_EQ(NextTimer(game), kStart);
  const Events events = DecideTimer(game, kStart);
  EXPECT_EQ(ResultIn(events).outcome, Outcome::kDraw);
  EXPECT_EQ(ResultIn(events).ending, Ending::kPlyLimit);
  ApplyAll(game, events);
  EXPECT_EQ(NextTimer(game), std::nullopt);
}

}  // namespace
}  // namespace komadai::game
