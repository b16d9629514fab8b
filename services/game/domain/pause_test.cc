#include "services/game/domain/pause.h"

#include <gtest/gtest.h>

#include "services/game/testing/games.h"

namespace komadai::game {
namespace {

constexpr Millis kHour{std::int64_t{3600} * 1000};

Game ClockedGame(bool computer = false) {
  Started started = Beginning();
  started.time_control = FiveMinutes();
  if (computer) started.players[1] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  return NewGame(started);
}

Game PausedGame() {
  Game game = ClockedGame();
  const timecontrol::ClockState clock =
      timecontrol::Start(*game.time_control, Side::kFirst, kStart).value();
  const TimePoint at = kStart + Millis(10'000);
  const timecontrol::Reading reading = timecontrol::Read(timecontrol::Pause(clock, at).value(), at);
  ApplyAll(game, DecideOfferPause(game, Side::kFirst, 0, kHour)->events, at);
  Apply(game, {at, Paused{at + kHour, reading}});
  return game;
}

TEST(PauseTest, IsOfferedAndAgreed) {
  Game game = ClockedGame();
  const Result<PauseDecision> offer = DecideOfferPause(game, Side::kFirst, 0, kHour);
  ASSERT_TRUE(offer) << offer.error().ToString();
  EXPECT_FALSE(offer->agreed);
  ApplyAll(game, offer->events);
  EXPECT_EQ(game.pauses.open_by(), Side::kFirst);
  EXPECT_EQ(ReasonOf(DecideAnswerPause(game, Side::kFirst, true, 0)), "NO_PAUSE_OFFER");
  const Result<PauseDecision> answer = DecideAnswerPause(game, Side::kSecond, true, 0);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->agreed);
  EXPECT_EQ(answer->length, kHour);
}

TEST(PauseTest, NeedsAClockAndIsLimited) {
  EXPECT_EQ(ReasonOf(DecideOfferPause(NewGame(), Side::kFirst, 0, kHour)), "PAUSE_NOT_ALLOWED");
  Game game = ClockedGame();
  for (int i = 0; i < kMaxPauseOffers; ++i) {
    ApplyAll(game, DecideOfferPause(game, Side::kFirst, i, kHour)->events);
    EXPECT_EQ(ReasonOf(DecideOfferPause(game, Side::kSecond, i, kHour)), "PAUSE_ALREADY_OFFERED");
    ApplyAll(game, DecideAnswerPause(game, Side::kSecond, false, 0)->events);
    EXPECT_TRUE(DecideOfferPause(game, Side::kFirst, i, kHour)->events.empty()) << "a repeat";
    Play(game, "move");
  }
  EXPECT_EQ(ReasonOf(DecideOfferPause(game, Side::kFirst, 3, kHour)), "TOO_MANY_PAUSE_OFFERS");
}

TEST(PauseTest, AnOfferLapsesWhenTheOpponentMoves) {
  Game game = ClockedGame();
  ApplyAll(game, DecideOfferPause(game, Side::kSecond, 0, kHour)->events);
  Play(game, "7g7f");
  EXPECT_EQ(ReasonOf(DecideAnswerPause(game, Side::kFirst, true, 0)), "NO_PAUSE_OFFER");
}

TEST(PauseTest, TheComputerAgreesAtOnce) {
  const Result<PauseDecision> offer = DecideOfferPause(ClockedGame(true), Side::kFirst, 0, kHour);
  ASSERT_TRUE(offer);
  EXPECT_TRUE(offer->agreed);
  EXPECT_EQ(offer->events.size(), 1u) << "the offer is counted";
}

TEST(PauseTest, APausedGameTakesNothingThatNeedsAClock) {
  Game game = PausedGame();
  game.allow_takeback = true;
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kFirst, 0, "7g7f")), "GAME_PAUSED");
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, 0)), "GAME_PAUSED");
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r", Millis(1000))), "GAME_PAUSED");
  EXPECT_EQ(ReasonOf(DecideOfferPause(game, Side::kSecond, 0, kHour)), "GAME_PAUSED");
  EXPECT_TRUE(DecideOfferDraw(game, Side::kFirst, 0));
  EXPECT_TRUE(DecideResign(game, Side::kFirst));
}

TEST(PauseTest, TheSameAnswerIsARepeat) {
  Game game = PausedGame();
  const Result<PauseDecision> again = DecideAnswerPause(game, Side::kSecond, true, 2);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->events.empty() && !again->agreed);
  EXPECT_EQ(ReasonOf(DecideAnswerPause(game, Side::kSecond, false, 2)), "NO_PAUSE_OFFER");
}

TEST(PauseTest, GoesOnWhenBothWantIt) {
  Game game = PausedGame();
  const TimePoint now = kStart + Millis(500'000);
  ApplyAll(game, *DecideResume(game, Side::kSecond, 0, now), now);
  EXPECT_TRUE(game.paused());
  EXPECT_TRUE(DecideResume(game, Side::kSecond, 0, now)->empty()) << "a repeat";
  ApplyAll(game, *DecideResume(game, Side::kFirst, 0, now), now);
  EXPECT_FALSE(game.paused());
  ASSERT_TRUE(game.clock);
  EXPECT_EQ(game.clock->running, Side::kFirst);
  EXPECT_EQ(game.clock->first.main_left, Millis(290'000));
  EXPECT_EQ(game.clock->deadline, now + Millis(290'000 + 90'000));
  EXPECT_TRUE(DecideResume(game, Side::kFirst, 0, now)->empty()) << "a repeat";
  Play(game, "7g7f");
  EXPECT_TRUE(DecideResume(game, Side::kSecond, 0, now)->empty()) << "a repeat";
  EXPECT_EQ(ReasonOf(DecideResume(game, Side::kFirst, 1, now)), "GAME_NOT_PAUSED");
}

TEST(PauseTest, TheComputerAlwaysWantsToGoOn) {
  Game game = PausedGame();
  game.players[1] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  const Result<Events> events = DecideResume(game, Side::kFirst, 0, kStart + kHour);
  ASSERT_TRUE(events);
  EXPECT_TRUE(std::holds_alternative<Resumed>(events->front()));
}

}  // namespace
}  // namespace komadai::game
