// Live games in memory: real rules, a fake clock, stores that fail on demand.
#include <string>

#include "libs/base/escaped.h"
#include "libs/livestore/faulty_live_store.h"
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

class GameFlowTest : public Replicas {};

TEST_F(GameFlowTest, CreatingAgainFindsTheSameGame) {
  ASSERT_TRUE(one_.Create("g", true));
  const Result<StoredGame> again = two_.Create("g", true);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->game->sequence, 1);
  const Result<StoredGame> other = two_.Create("g", false);
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().Is(kRequestIdReused));
}

TEST_F(GameFlowTest, AnyReplicaServesAnyMove) {
  ASSERT_TRUE(one_.Create("g", true));
  const char* moves[] = {"7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"};
  for (int ply = 0; ply < 6; ++ply) {
    Replica& replica = ply % 3 == 0 ? one_ : two_;
    time_.now += Millis(1000);
    const Result<MoveOutcome> played = replica.Play("g", ply, moves[ply]);
    ASSERT_TRUE(played) << ply << ": " << played.error().ToString();
    EXPECT_EQ(played->ply, ply + 1);
  }
  const Result<StoredGame> game = one_.Load("g");
  ASSERT_TRUE(game);
  EXPECT_EQ(game->game->ply(), 6);
  EXPECT_EQ(game->game->moves[5].used, Millis(1000));
}

TEST_F(GameFlowTest, AMoveThatMeetsAStoppedClockIsToldWhatHappened) {
  ASSERT_TRUE(one_.Create("g", true));
  clock_.before_press = [&] { ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob")))); };
  EXPECT_EQ(ReasonOf(two_.Play("g", 0, "7g7f")), "GAME_OVER");

  // A clock that stopped although the game goes on: no reason but the clock's, and not for ever.
  ASSERT_TRUE(one_.Create("h", true));
  ASSERT_TRUE(SyncWait(clock_.Stop(one_.Call(), "h", time_.now)));
  EXPECT_EQ(ReasonOf(two_.Play("h", 0, "7g7f")), "CLOCK_STOPPED");
}

TEST_F(GameFlowTest, AStaleReplicaRefusesOnlyWhatIsWrongNow) {
  ASSERT_TRUE(one_.Create("g", false));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));  // in the cache of replica one
  ASSERT_TRUE(two_.Play("g", 1, "3c3d"));
  // Replica one still believes that it is bob's turn.
  const Result<MoveOutcome> played = one_.Play("g", 2, "2g2f");
  EXPECT_TRUE(played) << played.error().ToString();
}

TEST_F(GameFlowTest, ARepeatedMoveAnswersAsTheFirst) {
  ASSERT_TRUE(one_.Create("g", true));
  const Result<MoveOutcome> first = one_.Play("g", 0, "7g7f");
  ASSERT_TRUE(first);
  ASSERT_TRUE(two_.Play("g", 1, "3c3d"));
  const Result<MoveOutcome> again = one_.Play("g", 0, "7g7f");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->sequence, first->sequence);
  EXPECT_EQ(again->board.position, first->board.position);
  EXPECT_EQ(again->ply, 1);
  EXPECT_EQ(one_.Load("g")->game->ply(), 2);
}

TEST_F(GameFlowTest, IllegalMovesPressNoClock) {
  ASSERT_TRUE(one_.Create("g", true));
  const Result<MoveOutcome> illegal = one_.Play("g", 0, "5i5g");
  ASSERT_FALSE(illegal);
  EXPECT_EQ(illegal.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 0);
}

TEST_F(GameFlowTest, AnInDoubtCommitIsLookedUpNotRepeated) {
  livestore::FaultyLiveStore faulty(live_, [n = 0](const livestore::Operation& op) mutable {
    if (op.kind != livestore::Operation::Kind::kCommit || n++ != 0) {
      return livestore::Fault::kNone;
    }
    return livestore::Fault::kInDoubtDone;
  });
  ASSERT_TRUE(one_.Create("g", true));
  Replica doubtful(faulty, time_, clock_);
  const Result<MoveOutcome> played = doubtful.Play("g", 0, "7g7f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(one_.Load("g")->game->ply(), 1);
}

TEST_F(GameFlowTest, APressWithoutACommittedMoveIsTakenUpByTheRepeat) {
  ASSERT_TRUE(one_.Create("g", true));
  time_.now += Millis(5000);
  // A crash between the press and the commit: only the clock knows of the move.
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  time_.now += Millis(7000);
  const Result<MoveOutcome> played = two_.Play("g", 0, "7g7f");
  ASSERT_TRUE(played) << played.error().ToString();
  const auto game = two_.Load("g")->game;
  EXPECT_EQ(game->moves[0].used, Millis(5000));
  // Bob, who could not know of the move, begins with the record.
  EXPECT_EQ(game->sequence, 3) << "the start, the move, the turn that begins anew";
  EXPECT_EQ(game->turn_began, time_.now);
  EXPECT_EQ(game->clock->deadline, time_.now + Millis(300'000 + 3 * 30'000));
  EXPECT_EQ(timecontrol::DeadlineOf(clock_.clocks["g"].state), game->clock->deadline);
}

TEST_F(GameFlowTest, AMoveThatTookALittleLongerIsNotHeldUp) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  time_.now += Millis(999);
  ASSERT_TRUE(two_.Play("g", 0, "7g7f"));
  EXPECT_EQ(two_.Load("g")->game->sequence, 2);
}

TEST_F(GameFlowTest, NobodyLosesOnTimeToAMoveThatWasHeldUp) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline + Millis(500);
  one_.follows_up = false;  // and the replica dies right after the commit
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  SyncWait(two_.app.flags.OnExpiry({"g", 1, Side::kSecond, deadline}));
  EXPECT_FALSE(two_.Load("g")->game->over());
  const Millis whole(300'000 + 3 * 30'000);
  EXPECT_EQ(timecontrol::DeadlineOf(clock_.clocks["g"].state), time_.now + whole);
  EXPECT_FALSE(ClockIsBehind(*two_.Load("g")));
}

TEST_F(GameFlowTest, AClockAheadOfItsGameIsSetBack) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline;
  SyncWait(one_.app.flags.OnExpiry({"g", 1, Side::kSecond, deadline}));
  const auto game = one_.Load("g")->game;
  EXPECT_FALSE(game->over()) << "bob never had the move";
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 0);
  EXPECT_EQ(game->clock->ply, 0);
  EXPECT_EQ(game->clock->running, Side::kFirst);
  EXPECT_EQ(timecontrol::DeadlineOf(clock_.clocks["g"].state), game->clock->deadline);
}

TEST_F(GameFlowTest, AMoveThatComesAfterItsTurnBeganAnewIsPlayedThen) {
  ASSERT_TRUE(one_.Create("g", true));
  time_.now += Millis(7000);
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline + Millis(3000);
  SyncWait(one_.app.flags.OnExpiry({"g", 1, Side::kSecond, deadline}));
  time_.now += Millis(2000);
  const Result<MoveOutcome> played = two_.Play("g", 0, "7g7f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(two_.Load("g")->game->moves[0].used, Millis(2000));
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 1);
}

TEST_F(GameFlowTest, AClockThatIsSeenToBeAheadIsSetBackBeforeItRunsOut) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  time_.now += Millis(2999);
  ASSERT_TRUE(SyncWait(two_.app.reader.Read(two_.Call(), "g")));
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 1) << "the move may still be on its way";
  time_.now += Millis(1);
  ASSERT_TRUE(SyncWait(two_.app.reader.Read(two_.Call(), "g")));
  two_.SweepLater();
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 0);
  EXPECT_EQ(two_.Load("g")->game->sequence, 2);
}

TEST_F(GameFlowTest, WhatComesBeforeAFlagIsCommittedCounts) {
  ASSERT_TRUE(one_.Create("g", true));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline;
  clock_.before_read = [&] {
    ASSERT_TRUE(SyncWait(two_.app.draws.Offer(two_.By("ann"), 0)));
    ASSERT_TRUE(SyncWait(two_.app.draws.Answer(two_.By("bob"), true)));
  };
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  EXPECT_EQ(one_.Load("g")->game->result->ending, Ending::kAgreedDraw);
}

TEST_F(GameFlowTest, AGiftIsNotGivenToATurnThatHasNotComeYet) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  EXPECT_EQ(ReasonOf(SyncWait(one_.app.time_gifts.Add(one_.By("bob"), "gift-0001", Millis(5000)))),
            "CONTENTION");
  time_.now += Millis(3000);
  (void)SyncWait(one_.app.time_gifts.Add(one_.By("bob"), "gift-0001", Millis(5000)));
  one_.SweepLater();
  ASSERT_TRUE(SyncWait(one_.app.time_gifts.Add(one_.By("bob"), "gift-0001", Millis(5000))));
  EXPECT_EQ(timecontrol::DeadlineOf(clock_.clocks["g"].state),
            one_.Load("g")->game->clock->deadline);
}

TEST_F(GameFlowTest, AGiftBesideAMoveIsOnRecordWhereTheClockGotIt) {
  NewGame wish = one_.Wish("g", true);
  wish.allow_takeback = true;
  ASSERT_TRUE(one_.Create(std::move(wish)));
  time_.now += Millis(1000);
  clock_.before_adjust = [&] {
    ASSERT_TRUE(SyncWait(clock_.Press(two_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  };
  const auto give = [&] {
    return ReasonOf(SyncWait(one_.app.time_gifts.Add(one_.By("bob"), "gift-0001", Millis(5000))));
  };
  EXPECT_EQ(give(), "CONTENTION") << "the move is still on its way";
  ASSERT_TRUE(two_.Play("g", 0, "7g7f"));
  EXPECT_EQ(give(), "");
  EXPECT_EQ(one_.Load("g")->game->time_gifts.size(), 1u);
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 1)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  EXPECT_EQ(timecontrol::DeadlineOf(clock_.clocks["g"].state),
            one_.Load("g")->game->clock->deadline);
}

TEST_F(GameFlowTest, OfALateMoveAndTheRestartOfItsTurnOneIsFirst) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(clock_.Press(one_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline + Millis(3000);
  // Between the reading of the game and the restart the move comes after all.
  two_.follows_up = false;
  clock_.before_read = [&] { ASSERT_TRUE(two_.Play("g", 0, "7g7f")); };
  SyncWait(one_.app.flags.OnExpiry({"g", 1, Side::kSecond, deadline}));
  EXPECT_EQ(one_.Load("g")->game->ply(), 1);
  one_.SweepLater();
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 1) << "the clock is not behind the game";
  EXPECT_FALSE(one_.Load("g")->game->over());
}

TEST_F(GameFlowTest, AMoveThatIsLegalOnlyInALineThatWasTakenBackDoesNotStopTheClock) {
  NewGame wish = one_.Wish("g", true);
  wish.allow_takeback = true;
  ASSERT_TRUE(one_.Create(std::move(wish)));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(one_.Play("g", 1, "3c3d"));  // opens the bishop's diagonal; replica one keeps this
  ASSERT_TRUE(SyncWait(two_.app.takebacks.Request(two_.By("bob"), 2)));
  ASSERT_TRUE(SyncWait(two_.app.takebacks.Answer(two_.By("ann"), true)));
  time_.now += Millis(1000);
  ASSERT_TRUE(two_.Play("g", 1, "8c8d"));  // the same ply again, and the diagonal is closed
  time_.now += Millis(1000);
  EXPECT_EQ(ReasonOf(one_.Play("g", 2, "8h2b+")), "BLOCKED");
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 2) << "Ann's clock still runs";
  EXPECT_TRUE(one_.Play("g", 2, "2g2f"));
}

TEST_F(GameFlowTest, AnAnnouncementIsCheckedAgainstTheClockAsItIsNow) {
  ASSERT_TRUE(one_.Create("g", true));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline - Millis(1);
  ASSERT_TRUE(SyncWait(
      clock_.AddTime(one_.Call(), "g", "gift-0001", Side::kFirst, Millis(1000), time_.now)));
  time_.now = deadline;
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  EXPECT_FALSE(one_.Load("g")->game->over()) << "she was given time before it was up";
}

TEST_F(GameFlowTest, AMoveAfterTheDeadlineIsRefusedAndTheFlagFalls) {
  ASSERT_TRUE(one_.Create("g", true));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now += Millis(300'000 + 3 * 30'000);
  const Result<MoveOutcome> late = one_.Play("g", 0, "7g7f");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason(), "TIME_IS_UP");
  EXPECT_FALSE(two_.Load("g")->game->over()) << "another press may have been in time";
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  const Result<StoredGame> game = two_.Load("g");
  ASSERT_TRUE(game->game->over());
  EXPECT_EQ(game->game->result->ending, Ending::kTimeOut);
  EXPECT_EQ(game->game->result->outcome, Outcome::kSecondWins);
}

TEST_F(GameFlowTest, NoFlagBeforeTheDeadline) {
  ASSERT_TRUE(one_.Create("g", true));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline - Millis(1);
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  EXPECT_FALSE(one_.Load("g")->game->over());
  time_.now = deadline;
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  SyncWait(two_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  const Result<StoredGame> game = one_.Load("g");
  ASSERT_TRUE(game->game->over());
  EXPECT_EQ(game->game->sequence, 2) << "ended exactly once";
}

TEST_F(GameFlowTest, AFinishedGameIsArchivedAndRatedOnceEvenAfterAnOutage) {
  one_.archive.down = true;
  two_.archive.down = true;
  ASSERT_TRUE(one_.Create("g", true, false, true));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign({one_.Call(), "g", "ann"})));
  EXPECT_FALSE(one_.Load("g")->progress.archived);
  one_.archive.down = false;
  two_.archive.down = false;
  time_.now += Millis(60'000);
  SyncWait(two_.app.chores.Sweep());
  EXPECT_TRUE(two_.Load("g")->progress.archived);
  time_.now += Millis(60'000);
  SyncWait(one_.app.chores.Sweep());
  SyncWait(two_.app.chores.Sweep());
  EXPECT_EQ(one_.archive.stored["g"] + two_.archive.stored["g"], 1);
  EXPECT_EQ(one_.rating.applied["g"] + two_.rating.applied["g"], 1);
}

TEST_F(GameFlowTest, AnExceptionInAChorePostponesThatGameOnly) {
  std::vector<std::string> reported;
  SetEscapedHandler([&](const char* what) { reported.push_back(what); });
  one_.archive.throws = true;
  ASSERT_TRUE(one_.Create("g", true, false, true));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign({one_.Call(), "g", "ann"})));
  time_.now += Millis(60'000);
  SyncWait(one_.app.chores.Sweep());
  SetEscapedHandler(nullptr);
  EXPECT_EQ(reported, (std::vector<std::string>{"a bug", "a bug"})) << "after the end, and swept";
  EXPECT_FALSE(one_.Load("g")->progress.archived);
  one_.archive.throws = false;
  SyncWait(one_.app.chores.Sweep());
  EXPECT_FALSE(one_.Load("g")->progress.archived) << "postponed";
  time_.now += Millis(60'000);
  SyncWait(one_.app.chores.Sweep());
  EXPECT_TRUE(one_.Load("g")->progress.archived)
      << "no longer in hand, so the sweep takes it again";
  EXPECT_EQ(one_.archive.stored["g"], 1);
}

TEST_F(GameFlowTest, AbortedGamesWithoutMovesAreNeitherArchivedNorRated) {
  ASSERT_TRUE(one_.Create("g", true, false, true));
  ASSERT_TRUE(SyncWait(one_.app.endings.Abort({one_.Call(), "g", "bob"})));
  EXPECT_TRUE(one_.Load("g")->progress.archived);
  EXPECT_EQ(one_.archive.stored.size(), 0u);
  EXPECT_EQ(one_.rating.applied.size(), 0u);
}

TEST_F(GameFlowTest, TheComputerMovesAndSurvivesItsEnginesDeath) {
  ASSERT_TRUE(one_.Create("g", false, true));
  one_.engine.down = true;
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  EXPECT_EQ(one_.Load("g")->game->ply(), 1);
  one_.engine.down = false;
  time_.now += Millis(60'000);
  SyncWait(one_.app.chores.Sweep());
  EXPECT_EQ(one_.Load("g")->game->ply(), 2);
}

TEST_F(GameFlowTest, ATakebackAgainstTheComputerGoesBackToTheOwnMove) {
  ASSERT_TRUE(one_.Create("g", false, true));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_EQ(one_.Load("g")->game->ply(), 2);
  const Result<TakebackOutcome> taken =
      SyncWait(one_.app.takebacks.Request({one_.Call(), "g", "ann"}, 2));
  ASSERT_TRUE(taken) << taken.error().ToString();
  EXPECT_TRUE(taken->granted);
  EXPECT_EQ(taken->ply, 0);
  const Result<StoredGame> game = two_.Load("g");
  EXPECT_EQ(game->game->board.position, game->game->setup.start_position);
  EXPECT_TRUE(one_.Play("g", 0, "2g2f"));
}

TEST_F(GameFlowTest, ResignationAndFlagEndTheGameOnce) {
  ASSERT_TRUE(one_.Create("g", true));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline;
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign({one_.Call(), "g", "bob"})));
  SyncWait(two_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  const Result<StoredGame> game = two_.Load("g");
  EXPECT_EQ(game->game->result->ending, Ending::kResignation);
  EXPECT_EQ(game->game->result->outcome, Outcome::kFirstWins);
}

TEST_F(GameFlowTest, AMatingMoveEndsTheGameWithItsMove) {
  ASSERT_TRUE(one_.Create("g", true, false, false, "8k/9/8P/9/9/9/9/9/K8 b G 1"));
  const Result<MoveOutcome> mate = one_.Play("g", 0, "G*1b");
  ASSERT_TRUE(mate) << mate.error().ToString();
  ASSERT_TRUE(mate->result);
  EXPECT_EQ(mate->result->ending, Ending::kCheckmate);
  EXPECT_EQ(mate->result->outcome, Outcome::kFirstWins);
  EXPECT_EQ(mate->result->plies, 1);
  // A repeat tells of the end again; the game is over for everybody else.
  const Result<MoveOutcome> again = two_.Play("g", 0, "G*1b");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->result, mate->result);
  EXPECT_EQ(two_.Load("g")->game->sequence, 3);
}

TEST_F(GameFlowTest, LiveGamesAreListedNewestFirstInPages) {
  for (int i = 0; i < 25; ++i) {
    time_.now += Millis(1000);
    ASSERT_TRUE(one_.Create("game" + std::to_string(i), false));
  }
  std::vector<std::string> seen;
  std::string token;
  do {
    const Result<LivePage> page = SyncWait(one_.app.store.ListLive(Variant::kShogi, 10, token));
    ASSERT_TRUE(page) << page.error().ToString();
    for (const pb::GameSummary& summary : page->games) seen.push_back(summary.game_id());
    token = page->next_page_token;
  } while (!token.empty());
  ASSERT_EQ(seen.size(), 25u);
  for (int i = 0; i < 25; ++i) {
    EXPECT_EQ(seen[static_cast<std::size_t>(i)], "game" + std::to_string(24 - i));
  }
  EXPECT_FALSE(SyncWait(one_.app.store.ListLive(std::nullopt, 10, "garbage")));
}

TEST_F(GameFlowTest, LiveGamesAreCountedByVariant) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(one_.Create("game" + std::to_string(i), false));
  const auto count = [this](Variant variant, Millis later) {
    return *SyncWait(one_.app.store.CountLive(variant, FromUnixMillis(0) + later));
  };
  EXPECT_EQ(count(Variant::kShogi, Millis(0)), 3);
  EXPECT_EQ(count(Variant::kXiangqi, Millis(0)), 0);
  ASSERT_TRUE(one_.Create("one more", false));
  EXPECT_EQ(count(Variant::kShogi, Millis(999)), 3) << "as it was a moment ago";
  EXPECT_EQ(count(Variant::kShogi, Millis(1000)), 4);
}

TEST_F(GameFlowTest, APlayersGamesAreListedWhileTheyLast) {
  ASSERT_TRUE(one_.Create("g", false));
  const Result<std::vector<std::string>> during = SyncWait(one_.app.store.GamesOfPlayer("ann"));
  ASSERT_TRUE(during);
  EXPECT_EQ(*during, std::vector<std::string>{"g"});
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign({one_.Call(), "g", "bob"})));
  const Result<std::vector<std::string>> after = SyncWait(one_.app.store.GamesOfPlayer("ann"));
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->empty());
}

}  // namespace
}  // namespace komadai::game
