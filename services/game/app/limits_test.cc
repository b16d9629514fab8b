// Games that nobody begins, and how many of them and how much in them there may be.
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

class FirstMoveFlowTest : public Replicas {
 protected:
  void Create(Millis first_move = Millis(60'000)) {
    NewGame wish = one_.Wish("g", true);
    wish.first_move = first_move;
    wish.rated = true;
    ASSERT_TRUE(one_.Create(std::move(wish)));
  }
  void SweepAt(Millis since_creation) {
    time_.now = two_.Load("g")->game->created_at + since_creation;
    SyncWait(two_.app.chores.Sweep());
  }
};

TEST_F(FirstMoveFlowTest, AGameNobodyOpensIsAbortedAndItsPlayersAreFree) {
  Create();
  SweepAt(Millis(59'000));
  EXPECT_FALSE(two_.Load("g")->game->over());
  SweepAt(Millis(60'000));
  const Result<StoredGame> game = two_.Load("g");
  ASSERT_TRUE(game->game->over());
  EXPECT_EQ(game->game->result->ending, Ending::kAborted);
  EXPECT_EQ(game->game->result->outcome, Outcome::kNoResult);
  EXPECT_TRUE(game->progress.archived);
  EXPECT_TRUE(two_.rating.applied.empty());
  EXPECT_TRUE(clock_.clocks["g"].state.stopped);
  EXPECT_TRUE(SyncWait(one_.app.store.GamesOfPlayer("ann"))->empty());
}

TEST_F(FirstMoveFlowTest, TheSecondSideHasAsLong) {
  Create();
  time_.now += Millis(50'000);
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  SweepAt(Millis(100'000));
  EXPECT_FALSE(two_.Load("g")->game->over());
  SweepAt(Millis(110'000));
  EXPECT_EQ(two_.Load("g")->game->result->ending, Ending::kAborted);
}

TEST_F(FirstMoveFlowTest, OnceBothHaveMovedNothingIsLeftToBeDone) {
  Create();
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(two_.Play("g", 1, "3c3d"));
  EXPECT_FALSE(one_.Load("g")->due);
  SweepAt(Millis(200'000));
  EXPECT_FALSE(two_.Load("g")->game->over());
}

TEST_F(FirstMoveFlowTest, ATakebackOfTheFirstMoveStartsTheLimitAgain) {
  NewGame wish = one_.Wish("g", true);
  wish.first_move = Millis(60'000);
  wish.allow_takeback = true;
  ASSERT_TRUE(one_.Create(std::move(wish)));
  time_.now += Millis(50'000);
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 1)));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true)));
  SweepAt(Millis(109'000));
  EXPECT_FALSE(two_.Load("g")->game->over());
  SweepAt(Millis(110'000));
  EXPECT_EQ(two_.Load("g")->game->result->ending, Ending::kAborted);
}

TEST_F(FirstMoveFlowTest, AnExpiredClockAbortsAsLongAsItsSideHasNotBegun) {
  Create(Millis(3'600'000));
  const TimePoint deadline = *timecontrol::DeadlineOf(clock_.clocks["g"].state);
  time_.now = deadline;
  SyncWait(one_.app.flags.OnExpiry({"g", 0, Side::kFirst, deadline}));
  EXPECT_EQ(one_.Load("g")->game->result->ending, Ending::kAborted);
}

TEST_F(FirstMoveFlowTest, TheAbortIsNotDelayedByAnOutageOfTheClocks) {
  clock_.down = true;
  Create();
  SweepAt(Millis(60'000));
  EXPECT_EQ(two_.Load("g")->game->result->ending, Ending::kAborted);
}

TEST_F(FirstMoveFlowTest, TheOperatorsLimitIsForRealTimeGames) {
  Replica server(live_, time_, clock_, {Millis(60'000), 50});
  const auto limit = [&](NewGame wish) {
    const Result<StoredGame> created = server.Create(std::move(wish));
    EXPECT_TRUE(created);
    return created->game->options.first_move;
  };
  EXPECT_EQ(limit(server.Wish("clocked", true)), Millis(60'000));
  EXPECT_EQ(limit(server.Wish("unclocked", false)), Millis(0));
  NewGame correspondence = server.Wish("correspondence", true);
  correspondence.time_control->second.main = Millis(std::int64_t{24} * 3600 * 1000);
  EXPECT_EQ(limit(correspondence), Millis(0));
  NewGame other = server.Wish("other", true);
  other.first_move = Millis(0);
  EXPECT_EQ(limit(other), Millis(0));
  // The same request under another setting is the same game.
  Replica changed(live_, time_, clock_, {Millis(30'000), 50});
  EXPECT_EQ(changed.Create(changed.Wish("clocked", true))->game->options.first_move,
            Millis(60'000));
}

class LiveGamesTest : public Replicas {
 protected:
  Replica strict_{live_, time_, clock_, {Millis(0), 2}};
};

TEST_F(LiveGamesTest, APlayerHasOnlySoManyGamesInProgress) {
  ASSERT_TRUE(strict_.Create("g1", false));
  ASSERT_TRUE(strict_.Create("g2", false));
  const Result<StoredGame> third = strict_.Create("g3", false);
  ASSERT_FALSE(third);
  EXPECT_TRUE(third.error().Is(kTooManyGames));
  EXPECT_EQ(third.error().metadata().at("player"), "ann");
  EXPECT_EQ(third.error().metadata().at("limit"), "2");
  EXPECT_TRUE(strict_.Create("g2", false)) << "a repeat is no new game";
  ASSERT_TRUE(SyncWait(strict_.app.endings.Resign(strict_.By("bob", "g1"))));
  EXPECT_TRUE(strict_.Create("g3", false));
}

TEST_F(LiveGamesTest, FinishedGamesDoNotCountEvenIfTheArchiveIsAway) {
  strict_.archive.down = true;
  for (const char* id : {"g1", "g2"}) {
    ASSERT_TRUE(strict_.Create(id, false));
    ASSERT_TRUE(strict_.Play(id, 0, "7g7f"));
    ASSERT_TRUE(SyncWait(strict_.app.endings.Resign(strict_.By("bob", id))));
  }
  ASSERT_EQ(SyncWait(strict_.app.store.GamesOfPlayer("ann"))->size(), 2u);
  EXPECT_TRUE(strict_.Create("g3", false));
}

TEST_F(LiveGamesTest, AnAdditionThatComesAfterTheEndAddsNothing) {
  ASSERT_TRUE(one_.Create("g", false));
  ASSERT_TRUE(SyncWait(one_.app.endings.Abort(one_.By("ann"))));
  ASSERT_TRUE(SyncWait(one_.app.store.GamesOfPlayer("ann"))->empty());
  ASSERT_TRUE(SyncWait(two_.app.store.AddToPlayer("ann", "g", time_.now)));
  EXPECT_TRUE(SyncWait(one_.app.store.GamesOfPlayer("ann"))->empty());
}

TEST_F(LiveGamesTest, AGameWithoutEndIsDrawn) {
  ASSERT_TRUE(one_.Create("g", false));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  // As if it had gone on for ever.
  Result<StoredGame> stored = one_.Load("g");
  auto game = std::make_shared<Game>(*stored->game);
  while (game->ply() < kMaxPlies) game->moves.push_back(game->moves.back());
  stored->game = game;
  EXPECT_EQ(ChoreOf(*stored, time_.now), Chore::kTimer);
  EXPECT_EQ(ReasonOf(DecideMove(*game, Side::kFirst, kMaxPlies, "2g2f")), "GAME_TOO_LONG");
}

}  // namespace
}  // namespace komadai::game
