// Pauses and takebacks between the game and its clock: the game decides, the clock follows.
#include <array>

#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

constexpr Millis kHour{std::int64_t{3600} * 1000};

class PauseFlowTest : public Replicas {
 protected:
  void CreateAndPause() {
    ASSERT_TRUE(one_.Create("g", true));
    ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
    ASSERT_TRUE(two_.Play("g", 1, "3c3d"));
    time_.now += Millis(10'000);
    ASSERT_TRUE(SyncWait(one_.app.pauses.Offer(one_.By("ann"), 2, kHour)));
    const Result<StoredGame> paused = SyncWait(two_.app.pauses.Answer(two_.By("bob"), true, 0));
    ASSERT_TRUE(paused) << paused.error().ToString();
    ASSERT_TRUE(paused->game->paused());
  }
  const timecontrol::ClockState& Clock() { return clock_.clocks["g"].state; }
};

TEST_F(PauseFlowTest, BothClocksStandStillUntilBothWantToGoOn) {
  CreateAndPause();
  EXPECT_EQ(Clock().paused, time_.now);
  EXPECT_EQ(timecontrol::DeadlineOf(Clock()), std::nullopt);
  time_.now += kHour / 2;
  EXPECT_EQ(ReasonOf(one_.Play("g", 2, "2g2f")), "GAME_PAUSED");
  ASSERT_TRUE(SyncWait(one_.app.pauses.Resume(one_.By("bob"), 2)));
  EXPECT_TRUE(one_.Load("g")->game->paused());
  const Result<StoredGame> resumed = SyncWait(one_.app.pauses.Resume(one_.By("ann"), 2));
  ASSERT_TRUE(resumed) << resumed.error().ToString();
  EXPECT_FALSE(resumed->game->paused());
  EXPECT_EQ(resumed->game->clock, timecontrol::Read(Clock(), time_.now))
      << "the event shows what the clock then shows";
  time_.now += Millis(5000);
  const Result<MoveOutcome> played = two_.Play("g", 2, "2g2f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(one_.Load("g")->game->moves[2].used, Millis(15'000));
}

TEST_F(PauseFlowTest, ThePauseEndsByItselfAlsoAfterARestart) {
  CreateAndPause();
  Replica restarted(live_, time_, clock_);
  time_.now += kHour - Millis(1);
  SyncWait(restarted.app.chores.Sweep());
  EXPECT_TRUE(restarted.Load("g")->game->paused());
  time_.now += Millis(1);
  SyncWait(restarted.app.chores.Sweep());
  EXPECT_FALSE(restarted.Load("g")->game->paused());
  EXPECT_EQ(Clock().paused, std::nullopt);
  EXPECT_EQ(timecontrol::Read(Clock(), time_.now).first.used, Millis(10'000));
}

TEST_F(PauseFlowTest, ACrashBeforeTheClockWasToldCostsNobodyTime) {
  ASSERT_TRUE(one_.Create("g", true));
  time_.now += Millis(10'000);
  ASSERT_TRUE(SyncWait(one_.app.pauses.Offer(one_.By("ann"), 0, kHour)));
  one_.follows_up = false;
  const TimePoint paused_at = time_.now;
  ASSERT_TRUE(SyncWait(one_.app.pauses.Answer(one_.By("bob"), true, 0)));
  ASSERT_EQ(Clock().paused, std::nullopt) << "nobody has told it";
  const TimePoint deadline = *timecontrol::DeadlineOf(Clock());
  time_.now = deadline;
  SyncWait(two_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  EXPECT_FALSE(two_.Load("g")->game->over()) << "a paused game is not flagged";
  EXPECT_EQ(Clock().paused, paused_at);
}

TEST_F(PauseFlowTest, AMoveTellsTheClockFirstThatTheGameGoesOn) {
  CreateAndPause();
  one_.follows_up = false;
  two_.follows_up = false;
  ASSERT_TRUE(SyncWait(one_.app.pauses.Resume(one_.By("ann"), 2)));
  time_.now += kHour / 2;
  ASSERT_TRUE(SyncWait(one_.app.pauses.Resume(one_.By("bob"), 2)));
  ASSERT_TRUE(Clock().paused) << "nobody has told it";
  time_.now += Millis(1000);
  const Result<MoveOutcome> played = two_.Play("g", 2, "2g2f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(two_.Load("g")->game->moves[2].used, Millis(11'000));
  EXPECT_FALSE(ClockIsBehind(*two_.Load("g")));
}

TEST_F(PauseFlowTest, APressOfAMoveThatCameTooLateIsUndone) {
  ASSERT_TRUE(one_.Create("g", true));
  time_.now += Millis(10'000);
  ASSERT_TRUE(SyncWait(one_.app.pauses.Offer(one_.By("ann"), 0, kHour)));
  one_.follows_up = false;
  ASSERT_TRUE(SyncWait(one_.app.pauses.Answer(one_.By("bob"), true, 0)));
  // Another replica does not know yet: it presses, and its commit conflicts.
  time_.now += Millis(500);
  ASSERT_TRUE(SyncWait(clock_.Press(two_.Call(), "g", 0, Side::kFirst, time_.now, {})));
  EXPECT_EQ(ReasonOf(two_.Play("g", 0, "7g7f")), "GAME_PAUSED");
  two_.SweepLater();
  EXPECT_EQ(Clock().turn.ply, 0);
  EXPECT_EQ(timecontrol::Read(Clock(), time_.now).first.used, Millis(10'000));
}

TEST_F(PauseFlowTest, TheClockIsToldOnceHoweverManyReplicasDo) {
  CreateAndPause();
  const int adjusted = clock_.adjusted;
  Result<StoredGame> stored = one_.Load("g");
  stored->progress.clock_told = 0;
  ASSERT_TRUE(SyncWait(one_.app.clock.CatchUp(one_.Call(), FreshGame(*stored))));
  ASSERT_TRUE(SyncWait(two_.app.clock.CatchUp(two_.Call(), FreshGame(*stored))));
  EXPECT_EQ(clock_.adjusted, adjusted);
}

TEST_F(PauseFlowTest, TheComputerAgreesAtOnceAndDoesNotMoveMeanwhile) {
  NewGame wish = one_.Wish("g", true, true);
  ASSERT_TRUE(one_.Create(std::move(wish)));
  one_.engine.down = true;
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  const Result<StoredGame> paused = SyncWait(one_.app.pauses.Offer(one_.By("ann"), 1, kHour));
  ASSERT_TRUE(paused) << paused.error().ToString();
  EXPECT_TRUE(paused->game->paused());
  one_.engine.down = false;
  one_.SweepLater();
  EXPECT_EQ(one_.Load("g")->game->ply(), 1);
  ASSERT_TRUE(SyncWait(one_.app.pauses.Resume(one_.By("ann"), 1)));
  EXPECT_EQ(one_.Load("g")->game->ply(), 2) << "now it does";
}

TEST_F(PauseFlowTest, APausedGameCanEnd) {
  CreateAndPause();
  time_.now += kHour / 2;
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob"))));
  EXPECT_TRUE(one_.Load("g")->progress.archived);
  EXPECT_TRUE(Clock().stopped);
  EXPECT_EQ(one_.Load("g")->game->clock->first.used, Millis(10'000));
}

TEST_F(PauseFlowTest, NobodyPausesWhenTimeIsUp) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(one_.app.pauses.Offer(one_.By("ann"), 0, kHour)));
  time_.now = *timecontrol::DeadlineOf(Clock());
  EXPECT_EQ(ReasonOf(SyncWait(one_.app.pauses.Answer(one_.By("bob"), true, 0))), "TIME_IS_UP");
}

class TakebackFlowTest : public PauseFlowTest {
 protected:
  void CreateWithTakebacks() {
    NewGame wish = one_.Wish("g", true);
    wish.allow_takeback = true;
    ASSERT_TRUE(one_.Create(std::move(wish)));
    for (int ply = 0; ply < 3; ++ply) {
      time_.now += Millis(1000) * (ply + 1);
      ASSERT_TRUE(one_.Play("g", ply, std::array{"7g7f", "3c3d", "2g2f"}[ply]));
    }
  }
};

TEST_F(TakebackFlowTest, TheEventShowsWhatTheClockThenShows) {
  CreateWithTakebacks();
  time_.now += Millis(500);
  ASSERT_TRUE(SyncWait(one_.app.time_gifts.Add(one_.By("ann"), "request-1", Millis(15'000))));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("bob"), 3)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("ann"), true)));
  const Result<StoredGame> game = one_.Load("g");
  EXPECT_EQ(game->game->ply(), 1);
  EXPECT_EQ(Clock().turn.ply, 1);
  EXPECT_EQ(game->game->clock, timecontrol::Read(Clock(), time_.now));
  EXPECT_EQ(game->game->clock->first.main_left, Millis(299'000));
  EXPECT_EQ(game->game->clock->second.main_left, Millis(300'000));
}

TEST_F(TakebackFlowTest, TheFirstMoveTakenBackGivesAllTimeBack) {
  ASSERT_NO_FATAL_FAILURE(CreateWithTakebacks());
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 3)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("bob"), 2)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("ann"), true)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 1)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  const Result<StoredGame> game = one_.Load("g");
  EXPECT_EQ(game->game->ply(), 0);
  EXPECT_EQ(game->game->clock, timecontrol::Read(Clock(), time_.now));
  EXPECT_EQ(game->game->clock->first.main_left, Millis(300'000));
}

TEST_F(TakebackFlowTest, AMoveAfterACrashPressesTheClockOfTheRightPly) {
  CreateWithTakebacks();
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 3)));
  one_.follows_up = false;
  two_.follows_up = false;
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  ASSERT_EQ(Clock().turn.ply, 3) << "nobody has told it";
  time_.now += Millis(7000);
  const Result<MoveOutcome> played = two_.Play("g", 2, "6g6f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(two_.Load("g")->game->moves[2].used, Millis(7000)) << "not what the old move took";
  EXPECT_EQ(Clock().turn.ply, 3);
}

TEST_F(TakebackFlowTest, AnExpiryOfThePlyThatWasTakenBackOnlyTellsTheClock) {
  CreateWithTakebacks();
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 3)));
  one_.follows_up = false;
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  const TimePoint deadline = *timecontrol::DeadlineOf(Clock());
  time_.now = deadline;
  SyncWait(two_.app.flags.OnExpiry({"g", 3, Side::kSecond, deadline}));
  EXPECT_FALSE(two_.Load("g")->game->over());
  EXPECT_EQ(Clock().turn.ply, 2);
}

}  // namespace
}  // namespace komadai::game
