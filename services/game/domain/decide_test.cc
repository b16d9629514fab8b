#include "services/game/domain/decide.h"

#include <gtest/gtest.h>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

constexpr TimePoint kStart = TimePoint(Millis(1'000'000));

Game NewGame() {
  Started started;
  started.setup.start_position = "start";
  started.players[0] = {"ann", "Ann", PlayerKind::kGuest, 0, 0};
  started.players[1] = {"bob", "Bob", PlayerKind::kGuest, 0, 0};
  Game game;
  game.id = "g";
  Apply(game, {kStart, started});
  return game;
}

void Play(Game& game, const std::string& move) {
  MovePlayed played;
  played.move = move;
  played.board = {"after " + move, Opponent(game.board.to_move), false, 1};
  played.history_entry = "12345678";
  Apply(game, {kStart, played});
}

template <typename T>
std::string ReasonOf(const Result<T>& result) {
  return result ? "" : result.error().reason();
}

TEST(DecideMoveTest, ThePlayerToMoveMayMove) {
  const Game game = NewGame();
  const Result<MoveDecision> decision = DecideMove(game, Side::kFirst, 0, "7g7f");
  ASSERT_TRUE(decision);
  EXPECT_EQ(*decision, MoveDecision::kPlay);
}

TEST(DecideMoveTest, TheOtherMayNot) {
  const Game game = NewGame();
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kSecond, 0, "3c3d")), "NOT_YOUR_TURN");
}

TEST(DecideMoveTest, TheSameMoveAtTheSamePlyIsARepeat) {
  Game game = NewGame();
  Play(game, "7g7f");
  Play(game, "3c3d");
  const Result<MoveDecision> decision = DecideMove(game, Side::kFirst, 0, "7g7f");
  ASSERT_TRUE(decision);
  EXPECT_EQ(*decision, MoveDecision::kRepeat);
}

TEST(DecideMoveTest, AnotherMoveAtAPlayedPlyIsStale) {
  Game game = NewGame();
  Play(game, "7g7f");
  const Result<MoveDecision> decision = DecideMove(game, Side::kFirst, 0, "2g2f");
  ASSERT_FALSE(decision);
  EXPECT_TRUE(decision.error().Is(kStalePly));
  EXPECT_EQ(decision.error().metadata().at("ply"), "1");
}

TEST(DecideMoveTest, TheOpponentCannotRepeatAMoveThatIsNotTheirs) {
  Game game = NewGame();
  Play(game, "7g7f");
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kSecond, 0, "7g7f")), "STALE_PLY");
}

TEST(DecideMoveTest, PliesAheadAndBelowZeroAreStale) {
  const Game game = NewGame();
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kFirst, 1, "7g7f")), "STALE_PLY");
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kFirst, -1, "7g7f")), "STALE_PLY");
}

TEST(DecideMoveTest, ALastMoveIsARepeatAlsoAfterTheEnd) {
  Game game = NewGame();
  Play(game, "7g7f");
  Apply(game, {kStart, Ended{{Outcome::kFirstWins, Ending::kResignation, 1}, {}}});
  EXPECT_TRUE(DecideMove(game, Side::kFirst, 0, "7g7f"));
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kSecond, 1, "3c3d")), "GAME_OVER");
}

TEST(DecideTest, StrangersAreNobody) {
  const Game game = NewGame();
  EXPECT_EQ(ReasonOf(SideOf(game, "eve")), "NOT_A_PLAYER");
  EXPECT_EQ(ReasonOf(SideOf(game, "")), "NOT_A_PLAYER");
}

TEST(DecideTest, AResignationIsTheOpponentsWinAndRepeatable) {
  Game game = NewGame();
  const Result<Events> events = DecideResign(game, Side::kFirst);
  ASSERT_TRUE(events);
  Apply(game, {kStart, events->front()});
  EXPECT_EQ(game.result->outcome, Outcome::kSecondWins);
  const Result<Events> again = DecideResign(game, Side::kFirst);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->empty());
  EXPECT_EQ(ReasonOf(DecideResign(game, Side::kSecond)), "GAME_OVER");
}

TEST(DrawTest, AnOfferLapsesWhenTheOpponentMovesAndStandsWhenTheOffererMoves) {
  Game game = NewGame();
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  Play(game, "7g7f");
  EXPECT_EQ(game.draw_offered_by, Side::kFirst);
  Play(game, "3c3d");
  EXPECT_EQ(game.draw_offered_by, std::nullopt);
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kSecond, true)), "NO_DRAW_OFFER");
}

TEST(DrawTest, AtMostThreeOffersAPlayer) {
  Game game = NewGame();
  for (int i = 0; i < kMaxDrawOffers; ++i) {
    const Result<Events> offer = DecideOfferDraw(game, Side::kFirst, 0);
    ASSERT_TRUE(offer);
    Apply(game, {kStart, offer->front()});
    Apply(game, {kStart, DrawDeclined{Side::kSecond}});
  }
  EXPECT_EQ(ReasonOf(DecideOfferDraw(game, Side::kFirst, 0)), "TOO_MANY_DRAW_OFFERS");
  EXPECT_TRUE(DecideOfferDraw(game, Side::kSecond, 0));
}

TEST(DrawTest, OnesOwnOfferCannotBeAccepted) {
  Game game = NewGame();
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kFirst, true)), "NO_DRAW_OFFER");
  const Result<Events> accepted = DecideAnswerDraw(game, Side::kSecond, true);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(std::get<Ended>(accepted->front()).result.outcome, Outcome::kDraw);
}

TEST(AbortTest, OnlyUntilBothHaveMoved) {
  Game game = NewGame();
  Play(game, "7g7f");
  EXPECT_TRUE(DecideAbort(game, Side::kSecond));
  Play(game, "3c3d");
  EXPECT_EQ(ReasonOf(DecideAbort(game, Side::kFirst)), "TOO_LATE_TO_ABORT");
}

TEST(TimeOutTest, OnlyAnOpenPlyIsFlagged) {
  Game game = NewGame();
  EXPECT_TRUE(DecideTimeOut(game, 1, Side::kSecond).empty());
  EXPECT_TRUE(DecideTimeOut(game, 0, Side::kSecond).empty());
  const Events events = DecideTimeOut(game, 0, Side::kFirst);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(std::get<Ended>(events[0]).result.outcome, Outcome::kSecondWins);
  Play(game, "7g7f");
  EXPECT_TRUE(DecideTimeOut(game, 0, Side::kFirst).empty());
}

TEST(TakebackTest, OnlyAgainstTheComputerWithoutAClockOrByAgreement) {
  Game game = NewGame();
  Play(game, "7g7f");
  Play(game, "3c3d");
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, 2)), "TAKEBACK_NOT_ALLOWED");
  game.allow_takeback = true;
  const Result<TakebackDecision> asked = DecideRequestTakeback(game, Side::kFirst, 2);
  ASSERT_TRUE(asked);
  EXPECT_FALSE(asked->granted);
  game.players[1] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  const Result<TakebackDecision> granted = DecideRequestTakeback(game, Side::kFirst, 2);
  ASSERT_TRUE(granted);
  EXPECT_TRUE(granted->granted);
  EXPECT_EQ(granted->plies, 2);
  game.time_control = timecontrol::TimeControl{};
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, 2)), "TAKEBACK_NOT_ALLOWED");
}

TEST(FoldTest, ATakebackCutsMovesAndTheRulesMemory) {
  Game game = NewGame();
  for (const char* move : {"7g7f", "3c3d", "2g2f"}) Play(game, move);
  EXPECT_EQ(game.history.size(), 24u);
  Apply(game, {kStart, TakenBack{1, {"p", Side::kSecond, false, 1}, {}}});
  EXPECT_EQ(game.ply(), 1);
  EXPECT_EQ(game.history.size(), 8u);
  EXPECT_EQ(game.board.to_move, Side::kSecond);
  EXPECT_EQ(game.sequence, 5);
}

TEST(TimeGiftTest, OnlyInCasualGamesWithAClockAndOncePerRequest) {
  Game game = NewGame();
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r1")), "TIME_GIFT_NOT_ALLOWED");
  game.time_control = timecontrol::TimeControl{};
  const Result<bool> allowed = DecideAddTime(game, Side::kFirst, "r1");
  ASSERT_TRUE(allowed);
  EXPECT_TRUE(*allowed);
  Apply(game, {kStart, TimeAdded{Side::kSecond, Millis(1000), "r1", {}}});
  const Result<bool> again = DecideAddTime(game, Side::kFirst, "r1");
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
  game.rated = true;
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r2")), "TIME_GIFT_NOT_ALLOWED");
}

}  // namespace
}  // namespace komadai::game
