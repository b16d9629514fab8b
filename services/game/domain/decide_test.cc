#include "services/game/domain/decide.h"

#include <gtest/gtest.h>

#include "services/game/errors.h"
#include "services/game/testing/games.h"

namespace komadai::game {
namespace {

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

TEST(DecideTest, AGameOfTooManyPliesTakesNoMoreMoves) {
  Game game = NewGame();
  while (game.ply() < kMaxPlies) game.moves.push_back({});
  EXPECT_EQ(ReasonOf(DecideMove(game, Side::kFirst, kMaxPlies, "7g7f")), "GAME_TOO_LONG");
  EXPECT_TRUE(DecideResign(game, Side::kFirst));
  game.moves.Shorten(10);
  game.sequence = kMaxEvents;
  EXPECT_EQ(ReasonOf(DecideOfferDraw(game, Side::kFirst, 10)), "GAME_TOO_LONG");
}

TEST(DrawTest, AnOfferLapsesWhenTheOpponentMovesAndStandsWhenTheOffererMoves) {
  Game game = NewGame();
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  Play(game, "7g7f");
  EXPECT_EQ(game.draws.open_by(), Side::kFirst);
  Play(game, "3c3d");
  EXPECT_EQ(game.draws.open_by(), std::nullopt);
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kSecond, true, 0)), "NO_DRAW_OFFER");
}

TEST(DrawTest, AtMostThreeOffersAPlayer) {
  Game game = NewGame();
  for (int i = 0; i < kMaxDrawOffers; ++i) {
    const Result<Events> offer = DecideOfferDraw(game, Side::kFirst, i);
    ASSERT_TRUE(offer);
    ApplyAll(game, *offer);
    Apply(game, {kStart, DrawDeclined{Side::kSecond}});
    Play(game, "move");
  }
  EXPECT_EQ(ReasonOf(DecideOfferDraw(game, Side::kFirst, 3)), "TOO_MANY_DRAW_OFFERS");
  EXPECT_TRUE(DecideOfferDraw(game, Side::kSecond, 3));
}

TEST(DrawTest, OneOfferAPlyAndTheSameAgainIsARepeat) {
  Game game = NewGame();
  ApplyAll(game, *DecideOfferDraw(game, Side::kFirst, 0));
  Apply(game, {kStart, DrawDeclined{Side::kSecond}});
  EXPECT_TRUE(DecideOfferDraw(game, Side::kFirst, 0)->empty()) << "declined, and not offered anew";
  Play(game, "7g7f");
  Apply(game, {kStart, Ended{{Outcome::kFirstWins, Ending::kResignation, 1}, {}, ""}});
  EXPECT_TRUE(DecideOfferDraw(game, Side::kFirst, 0)->empty()) << "also after the end";
  EXPECT_EQ(ReasonOf(DecideOfferDraw(game, Side::kFirst, 1)), "GAME_OVER");
}

TEST(DrawTest, OnesOwnOfferCannotBeAccepted) {
  Game game = NewGame();
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kFirst, true, 0)), "NO_DRAW_OFFER");
  const Result<Events> accepted = DecideAnswerDraw(game, Side::kSecond, true, 0);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(std::get<Ended>(accepted->front()).result.outcome, Outcome::kDraw);
}

TEST(DrawTest, TheSameAnswerToTheSameOfferIsARepeat) {
  Game game = NewGame();
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  const std::int64_t first = game.sequence;
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kSecond, true, first + 1)), "NO_DRAW_OFFER");
  ApplyAll(game, *DecideAnswerDraw(game, Side::kSecond, false, first));
  EXPECT_TRUE(DecideAnswerDraw(game, Side::kSecond, false, first)->empty());
  EXPECT_TRUE(DecideAnswerDraw(game, Side::kSecond, false, 0)->empty());
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kSecond, true, first)), "NO_DRAW_OFFER");
  Play(game, "7g7f");
  EXPECT_TRUE(DecideAnswerDraw(game, Side::kSecond, false, first)->empty());
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kSecond, false, 0)), "NO_DRAW_OFFER");
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  const std::int64_t second = game.sequence;
  ApplyAll(game, *DecideAnswerDraw(game, Side::kSecond, true, second));
  ASSERT_TRUE(game.over());
  EXPECT_TRUE(DecideAnswerDraw(game, Side::kSecond, true, second)->empty());
  EXPECT_TRUE(DecideAnswerDraw(game, Side::kSecond, false, first)->empty());
  EXPECT_EQ(ReasonOf(DecideAnswerDraw(game, Side::kFirst, true, second)), "GAME_OVER");
}

TEST(AbortTest, OnlyUntilBothHaveMoved) {
  Game game = NewGame();
  Play(game, "7g7f");
  EXPECT_TRUE(DecideAbort(game, Side::kSecond));
  Play(game, "3c3d");
  EXPECT_EQ(ReasonOf(DecideAbort(game, Side::kFirst)), "TOO_LATE_TO_ABORT");
}

TEST(AbortTest, ItSaysByWhom) {
  const Result<Events> events = DecideAbort(NewGame(), Side::kSecond);
  ASSERT_TRUE(events);
  Game game = NewGame();
  Apply(game, {kStart, events->front()});
  EXPECT_EQ(game.aborted_by, Side::kSecond);
}

TEST(AbortTest, TheReplayOfADrawnGameIsNotAborted) {
  Started started = Beginning();
  started.replay_of = "h";
  EXPECT_EQ(ReasonOf(DecideAbort(NewGame(started), Side::kFirst)), "TOO_LATE_TO_ABORT");
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

TEST(TakebackTest, OneRequestAPlyAndAtMostTwentyAPlayer) {
  Started started = Beginning();
  started.allow_takeback = true;
  Game game = NewGame(started);
  for (int i = 0; i < kMaxTakebacks; ++i) {
    Play(game, "move");
    Play(game, "reply");
    const Result<TakebackDecision> asked = DecideRequestTakeback(game, Side::kFirst, game.ply());
    ASSERT_TRUE(asked) << i << asked.error().ToString();
    ASSERT_EQ(asked->events.size(), 1u);
    ApplyAll(game, asked->events);
    Apply(game, {kStart, TakebackDeclined{Side::kSecond}});
    const Result<TakebackDecision> again = DecideRequestTakeback(game, Side::kFirst, game.ply());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->repeat && again->events.empty());
  }
  Play(game, "move");
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, game.ply())), "TOO_MANY_TAKEBACKS");
  EXPECT_TRUE(DecideRequestTakeback(game, Side::kSecond, game.ply()));
}

TEST(TakebackTest, TheComputerGrantsOnlySoMany) {
  Started started = Beginning();
  started.players[1] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  Game game = NewGame(started);
  Play(game, "move");
  EXPECT_TRUE(DecideRequestTakeback(game, Side::kFirst, 1));
  game.takebacks_done = kMaxUndone;
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, 1)), "TOO_MANY_TAKEBACKS");
}

TEST(TakebackTest, TheSameAnswerIsARepeatAndTellsThePlyOfThen) {
  Started started = Beginning();
  started.allow_takeback = true;
  Game game = NewGame(started);
  Play(game, "7g7f");
  ApplyAll(game, DecideRequestTakeback(game, Side::kFirst, 1)->events);
  const std::int64_t request = game.sequence;
  EXPECT_EQ(ReasonOf(DecideAnswerTakeback(game, Side::kSecond, true, request + 1)),
            "NO_TAKEBACK_REQUEST");
  const Result<TakebackDecision> granted = DecideAnswerTakeback(game, Side::kSecond, true, request);
  ASSERT_TRUE(granted);
  EXPECT_EQ(granted->plies, 1);
  Apply(game, {kStart, TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  Play(game, "2g2f");
  Play(game, "3c3d");
  const Result<TakebackDecision> again = DecideAnswerTakeback(game, Side::kSecond, true, request);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->repeat);
  EXPECT_EQ(again->ply, 0);
  EXPECT_EQ(ReasonOf(DecideAnswerTakeback(game, Side::kSecond, true, 0)), "NO_TAKEBACK_REQUEST");
}

TEST(TakebackTest, ARequestThatWasGrantedAtOnceIsARepeatUntilTheNextMove) {
  Started started = Beginning();
  started.players[1] = {"", "Computer", PlayerKind::kComputer, 1, 0};
  Game game = NewGame(started);
  Play(game, "7g7f");
  Play(game, "3c3d");
  Apply(game, {kStart, TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  const Result<TakebackDecision> again = DecideRequestTakeback(game, Side::kFirst, 2);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->repeat && again->granted);
  EXPECT_EQ(again->ply, 0);
  EXPECT_EQ(ReasonOf(DecideRequestTakeback(game, Side::kFirst, 3)), "STALE_PLY");
}

TEST(TakebackTest, WhatWasOfferedAtATakenBackPlyMayBeOfferedAgain) {
  Started started = Beginning();
  started.allow_takeback = true;
  Game game = NewGame(started);
  Play(game, "7g7f");
  ApplyAll(game, *DecideOfferDraw(game, Side::kFirst, 1));
  Apply(game, {kStart, DrawDeclined{Side::kSecond}});
  Apply(game, {kStart, TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  Play(game, "2g2f");
  EXPECT_EQ(DecideOfferDraw(game, Side::kFirst, 1)->size(), 1u);
  EXPECT_EQ(game.draws.count(Side::kFirst), 1);
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

TEST(TakebackTest, AMoveFromBeforeItIsStaleWhenItsPlyComesAgain) {
  Game game = NewGame(Beginning());
  Play(game, "7g7f");
  EXPECT_TRUE(CheckNotUndone(game, kStart));
  Apply(game, {kStart + Millis(5), TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  EXPECT_EQ(ReasonOf(CheckNotUndone(game, kStart + Millis(4))), "STALE_PLY");
  EXPECT_TRUE(CheckNotUndone(game, kStart + Millis(5)));
}

TEST(FoldTest, TheClockIsToldOfWhatChangesItBesideMoves) {
  Started started = Beginning();
  started.time_control = FiveMinutes();
  Game game = NewGame(started);
  Play(game, "7g7f");
  Apply(game, {kStart + Millis(5), TakenBack{0, {"start", Side::kFirst, false, 1}, {}}});
  Apply(game, {kStart + Millis(6), Paused{kStart + Millis(60'000), {}}});
  Apply(game, {kStart + Millis(9), Resumed{}});
  ASSERT_EQ(game.clock_orders.size(), 3u);
  EXPECT_EQ(game.clock_orders[0].kind, ClockOrder::Kind::kRewind);
  EXPECT_EQ(game.clock_orders[0].sequence, 3);
  EXPECT_EQ(game.clock_orders[0].to_move, Side::kFirst);
  EXPECT_EQ(game.clock_orders[1].kind, ClockOrder::Kind::kPause);
  EXPECT_EQ(game.clock_orders[2].kind, ClockOrder::Kind::kResume);
  EXPECT_EQ(game.clock_orders[2].at, kStart + Millis(9));
  EXPECT_EQ(game.turn_began, kStart + Millis(9));
}

TEST(ImpasseTest, ACountThatTakesBothPlayersIsProposedAndAgreed) {
  Started started = Beginning();
  started.setup.ruleset.impasse = rules::ImpasseRule::kPoints24ByAgreement;
  Game game = NewGame(started);
  const GameResult result{Outcome::kNoResult, Ending::kImpasse, 0};
  ApplyAll(game, *DecideAgreedImpasse(game, Side::kSecond, 0, result));
  EXPECT_EQ(game.impasse_proposed_by, Side::kSecond);
  EXPECT_TRUE(DecideAgreedImpasse(game, Side::kSecond, 0, result)->empty());
  Play(game, "7g7f");
  EXPECT_EQ(game.impasse_proposed_by, std::nullopt) << "it lapses with the next move";
  EXPECT_EQ(ReasonOf(DecideAgreedImpasse(game, Side::kFirst, 0, result)), "STALE_PLY");
  ApplyAll(game, *DecideAgreedImpasse(game, Side::kSecond, 1, result));
  ApplyAll(game, *DecideAgreedImpasse(game, Side::kFirst, 1, result));
  ASSERT_TRUE(game.over());
  EXPECT_EQ(game.result->outcome, Outcome::kNoResult);
  EXPECT_EQ(game.result->plies, 1);
  EXPECT_TRUE(IsRepeatedDeclaration(game, Side::kFirst, 1));
  EXPECT_TRUE(IsRepeatedDeclaration(game, Side::kSecond, 1));
  EXPECT_FALSE(IsRepeatedDeclaration(game, Side::kFirst, 0));
}

TEST(ImpasseTest, OnlyTheDeclarerRepeatsADeclaration) {
  Game game = NewGame();
  Apply(game, {kStart, Ended{{Outcome::kFirstWins, Ending::kImpasse, 0}, {}, ""}});
  EXPECT_TRUE(IsRepeatedDeclaration(game, Side::kFirst, 0));
  EXPECT_FALSE(IsRepeatedDeclaration(game, Side::kSecond, 0));
}

TEST(TimeGiftTest, OnlyInCasualGamesWithAClockAndOncePerRequest) {
  Game game = NewGame();
  const Millis second(1000);
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r1", second)), "TIME_GIFT_NOT_ALLOWED");
  game.time_control = timecontrol::TimeControl{};
  EXPECT_EQ(DecideAddTime(game, Side::kFirst, "r1", second).value(), nullptr);
  Apply(game, {kStart, TimeAdded{Side::kSecond, second, "r1", {}}});
  const Result<const TimeGift*> again = DecideAddTime(game, Side::kFirst, "r1", second);
  ASSERT_TRUE(again && *again != nullptr);
  EXPECT_EQ((*again)->sequence, 2);
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r1", 2 * second)), "REQUEST_ID_REUSED");
  EXPECT_EQ(DecideAddTime(game, Side::kSecond, "r1", second).value(), nullptr)
      << "the other player's requests are others";
  game.rated = true;
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "r2", second)), "TIME_GIFT_NOT_ALLOWED");
  EXPECT_TRUE(DecideAddTime(game, Side::kFirst, "r1", second));
}

TEST(TimeGiftTest, ATakebackUndoesWhatWasGivenInTheTurnsTakenBack) {
  Started started = Beginning();
  started.time_control = FiveMinutes();
  Game game = NewGame(started);
  const auto give = [&](const std::string& request) {
    Apply(game, {kStart, TimeAdded{Side::kSecond, Millis(1000), request, {}}});
  };
  give("before the first move");
  Play(game, "7g7f");
  give("in the turn that is open again");
  Play(game, "3c3d");
  give("in a turn that was taken back");
  TakenBack taken;
  taken.ply = 1;
  Apply(game, {kStart, taken});
  ASSERT_EQ(game.time_gifts.size(), 3u) << "a repeat of the request is still known";
  EXPECT_FALSE(game.time_gifts[0].undone);
  EXPECT_FALSE(game.time_gifts[1].undone);
  EXPECT_TRUE(game.time_gifts[2].undone);
  Play(game, "8c8d");
  give("after the takeback");
  EXPECT_FALSE(game.time_gifts[3].undone);
  EXPECT_TRUE(game.time_gifts[2].undone);
}

TEST(TimeGiftTest, TheLastGiftOfAGameIsTheFiftieth) {
  Started started = Beginning();
  started.time_control = FiveMinutes();
  Game game = NewGame(started);
  for (int gift = 1; gift <= kMaxTimeGifts; ++gift) {
    const std::string request = "r" + std::to_string(gift);
    ASSERT_TRUE(DecideAddTime(game, Side::kFirst, request, Millis(1000))) << request;
    Apply(game, {kStart, TimeAdded{Side::kSecond, Millis(1000), request, {}}});
  }
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kFirst, "one more", Millis(1000))),
            "TIME_GIFT_NOT_ALLOWED");
  EXPECT_EQ(ReasonOf(DecideAddTime(game, Side::kSecond, "one more", Millis(1000))),
            "TIME_GIFT_NOT_ALLOWED")
      << "the limit is for both players together";
}

TEST(TakebackTest, NothingThatWasOpenOutlivesATakeback) {
  Game game = NewGame();
  Play(game, "7g7f");
  Play(game, "3c3d");
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  Apply(game, {kStart, PauseOffered{Side::kSecond, Millis(60'000)}});
  Apply(game, {kStart, ImpasseProposed{Side::kFirst}});
  TakenBack taken;
  taken.ply = 1;
  Apply(game, {kStart + Millis(7), taken});
  EXPECT_EQ(game.draws.open_by(), std::nullopt);
  EXPECT_EQ(game.pauses.open_by(), std::nullopt);
  EXPECT_EQ(game.impasse_proposed_by, std::nullopt);
  EXPECT_EQ(game.turn_began, kStart + Millis(7)) << "the turn begins with the takeback";
}

TEST(EndTest, NothingIsOpenInAGameThatIsOver) {
  Game game = NewGame();
  Play(game, "7g7f");
  Apply(game, {kStart, DrawOffered{Side::kFirst}});
  Apply(game, {kStart, TakebackRequested{Side::kFirst}});
  Apply(game, {kStart, PauseOffered{Side::kSecond, Millis(60'000)}});
  Apply(game, {kStart, ImpasseProposed{Side::kFirst}});
  Apply(game, {kStart, EndOf(game, Outcome::kFirstWins, Ending::kResignation)});
  EXPECT_EQ(game.draws.open_by(), std::nullopt);
  EXPECT_EQ(game.takebacks.open_by(), std::nullopt);
  EXPECT_EQ(game.pauses.open_by(), std::nullopt);
  EXPECT_EQ(game.impasse_proposed_by, std::nullopt);
}

}  // namespace
}  // namespace komadai::game
