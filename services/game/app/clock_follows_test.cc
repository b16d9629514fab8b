// Whatever two players do through two replicas that forget to follow up, the clock ends up where
// the game is. A seed in the trace replays a run.
#include "libs/base/random.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

constexpr Millis kHour{std::int64_t{3600} * 1000};
constexpr int kRuns = 25;
constexpr int kSteps = 80;

class ClockFollowsTest : public Replicas, public ::testing::WithParamInterface<std::uint64_t> {
 protected:
  std::uint64_t Below(std::uint64_t bound) { return random_.Below(bound); }
  Replica& Any() { return Below(2) == 0 ? one_ : two_; }

  std::string AnyMove(const Game& game) {
    const rules::Position position =
        notation::ParsePosition(Variant::kShogi, game.board.position).value();
    rules::MoveList moves;
    position.LegalMoves(moves);
    return notation::FormatPlainMove(Variant::kShogi, moves[Below(moves.size())]);
  }

  // Something by somebody, sensible or not: most of it is refused.
  void Step() {
    for (Replica* replica : {&one_, &two_}) replica->follows_up = Below(3) == 0;
    time_.now += Millis(static_cast<std::int64_t>(Below(900)));
    const auto game = Any().Load(id_)->game;
    const Side side = Below(2) == 0 ? Side::kFirst : Side::kSecond;
    Replica& replica = Any();
    const PlayerAction action = replica.By(game->player(side).id, id_);
    switch (Below(9)) {
      case 0:
        (void)SyncWait(replica.app.pauses.Offer(action, game->ply(), kHour));
        break;
      case 1:
        (void)SyncWait(replica.app.pauses.Answer(action, Below(4) != 0, 0));
        break;
      case 2:
        (void)SyncWait(replica.app.pauses.Resume(action, game->ply()));
        break;
      case 3:
        (void)SyncWait(replica.app.takebacks.Request(action, game->ply()));
        break;
      case 4:
        (void)SyncWait(replica.app.takebacks.Answer(action, Below(4) != 0));
        break;
      case 5:
        (void)SyncWait(
            replica.app.time_gifts.Add(action, "gift-" + std::to_string(Below(20)), Millis(1000)));
        break;
      default:
        (void)replica.Play(id_, game->ply(), AnyMove(*game), game->player(game->board.to_move).id);
    }
  }

  void ExpectTheClockToFollow() {
    one_.follows_up = true;
    two_.follows_up = true;
    // What the sweep does for a game that is due.
    while (ChoreOf(*one_.Load(id_), time_.now) != Chore::kNone) SyncWait(one_.app.chores.Tend(id_));
    const auto game = one_.Load(id_)->game;
    const timecontrol::ClockState& clock = clock_.clocks[id_].state;
    if (game->over()) {
      EXPECT_TRUE(clock.stopped);
      return;
    }
    EXPECT_EQ(clock.turn.ply, game->ply());
    EXPECT_EQ(clock.turn.side, game->board.to_move);
    EXPECT_EQ(clock.paused.has_value(), game->paused());
    if (!game->clock) return;  // nothing has happened yet
    EXPECT_EQ(game->clock->deadline, timecontrol::DeadlineOf(clock));
    const timecontrol::Reading reading = timecontrol::Read(clock, game->clock->at);
    EXPECT_EQ(game->clock->first, reading.first);
    EXPECT_EQ(game->clock->second, reading.second);
  }

  SeededRandom random_{GetParam()};
  std::string id_;
};

TEST_P(ClockFollowsTest, InTheEnd) {
  int takebacks = 0;
  int pauses = 0;
  for (int run = 0; run < kRuns; ++run) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " run " + std::to_string(run));
    id_ = "g" + std::to_string(run);
    NewGame wish = one_.Wish(id_, true);
    wish.allow_takeback = true;
    one_.follows_up = Below(2) == 0;
    ASSERT_TRUE(one_.Create(std::move(wish)));
    for (int step = 0; step < kSteps; ++step) {
      Step();
      if (Below(10) == 0) ExpectTheClockToFollow();
      if (HasFailure()) return;
    }
    ExpectTheClockToFollow();
    if (HasFailure()) return;
    takebacks += one_.Load(id_)->game->takebacks_done;
    pauses += one_.Load(id_)->game->pauses.count(Side::kFirst);
  }
  EXPECT_GT(takebacks, kRuns / 4) << "the runs reach what they are about";
  EXPECT_GT(pauses, kRuns / 4);
}

class ClockAtTheEndTest : public Replicas {
 protected:
  // Two plies of which the second is taken back, and nobody tells the clock.
  void TakeBackUnheard() {
    NewGame wish = one_.Wish("g", true);
    wish.allow_takeback = true;
    ASSERT_TRUE(one_.Create(std::move(wish)));
    ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
    ASSERT_TRUE(one_.Play("g", 1, "3c3d"));
    one_.follows_up = false;
    ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("bob"), 2)));
    ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("ann"), true)));
    ASSERT_EQ(one_.Load("g")->game->ply(), 1);
    ASSERT_EQ(clock_.clocks["g"].state.turn.ply, 2) << "nobody has told it";
  }
};

TEST_F(ClockAtTheEndTest, AResultShowsTheClockAfterTheTakeback) {
  TakeBackUnheard();
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob"))));
  ASSERT_TRUE(one_.Load("g")->game->clock);
  EXPECT_EQ(one_.Load("g")->game->clock->ply, 1);
}

TEST_F(ClockAtTheEndTest, AClockHearsOfATakebackBeforeItIsStopped) {
  TakeBackUnheard();
  clock_.down = true;
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob"))));
  clock_.down = false;
  one_.SweepLater();
  EXPECT_TRUE(one_.Load("g")->progress.archived);
  EXPECT_TRUE(clock_.clocks["g"].state.stopped);
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 1);
}

TEST_F(ClockAtTheEndTest, AnArchiveDoesNotWaitForAClockThatIsGone) {
  TakeBackUnheard();
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob"))));
  clock_.clocks.clear();  // forgotten long ago
  one_.SweepLater();
  EXPECT_TRUE(one_.Load("g")->progress.archived);
  EXPECT_TRUE(clock_.clocks.empty()) << "no clock is started for a game that is over";
}

TEST_F(ClockAtTheEndTest, AnOldVersionTellsNothing) {
  TakeBackUnheard();
  ASSERT_TRUE(SyncWait(two_.app.draws.Offer(two_.By("ann"), 1)));
  ASSERT_TRUE(SyncWait(one_.app.draws.Answer(one_.By("bob"), false)));
  two_.SweepLater();  // the clock hears of the takeback
  ASSERT_TRUE(two_.Play("g", 1, "8c8d"));
  clock_.clocks["g"].requests.clear();  // and has forgotten that it did
  // The first replica still has the offer open in its cache, and the takeback untold.
  EXPECT_EQ(ReasonOf(SyncWait(one_.app.draws.Answer(one_.By("bob"), true))), "NO_DRAW_OFFER");
  EXPECT_EQ(clock_.clocks["g"].state.turn.ply, 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClockFollowsTest, testing::Range<std::uint64_t>(1, 5));

}  // namespace
}  // namespace komadai::game
