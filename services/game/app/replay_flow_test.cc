// Drawn games that are replayed, whatever crashes in between.
#include "services/game/app/replays.h"
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

class ReplayFlowTest : public Replicas {
 protected:
  void CreateProfessional(bool rated = false) {
    NewGame wish = one_.Wish("g", true);
    wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kShogi, "professional");
    wish.wish.ruleset_base = "professional";
    wish.rated = rated;
    wish.first_move = Millis(60'000);
    ASSERT_TRUE(one_.Create(std::move(wish)));
  }
  // Both shuffle their rooks; every move takes a second. Ends by repetition at ply 12.
  void Shuffle() {
    const char* moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    for (int ply = 0; ply < 12; ++ply) {
      time_.now += Millis(1000);
      const Result<MoveOutcome> played = one_.Play("g", ply, moves[ply % 4]);
      ASSERT_TRUE(played) << ply << ": " << played.error().ToString();
    }
  }
  std::string Replay() { return ReplayIdOf("g"); }
};

TEST_F(ReplayFlowTest, ARepetitionIsReplayedWithSidesSwappedAndTheTimeLeft) {
  CreateProfessional();
  Shuffle();
  const Result<StoredGame> drawn = one_.Load("g");
  ASSERT_EQ(drawn->game->result->ending, Ending::kRepetition);
  EXPECT_EQ(drawn->game->replayed_by, Replay());
  const Result<StoredGame> replay = two_.Load(Replay());
  ASSERT_TRUE(replay) << replay.error().ToString();
  const Game& game = *replay->game;
  EXPECT_EQ(game.replay_of, "g");
  EXPECT_EQ(game.player(Side::kFirst).id, "bob");
  EXPECT_EQ(game.player(Side::kSecond).id, "ann");
  EXPECT_EQ(game.time_control->first.main, Millis(294'000));
  EXPECT_EQ(game.time_control->second.main, Millis(294'000));
  EXPECT_EQ(game.options.first_move, Millis(0)) << "it goes on where the drawn one ended";
  EXPECT_TRUE(replay->progress.started) << "its clock runs";
  EXPECT_EQ(*SyncWait(one_.app.store.GamesOfPlayer("ann")), std::vector<std::string>{Replay()});
  EXPECT_TRUE(two_.Play(Replay(), 0, "7g7f", "bob"));
}

TEST_F(ReplayFlowTest, BothPlayersStreamsAndTheEndNameTheReplay) {
  std::vector<pb::WatchPlayerGamesResponse> news;
  const auto subscription = live_.SubscribeChannel(
      GameStore::PlayerChannel("ann"), [&](const livestore::Notification& notification) {
        pb::WatchPlayerGamesResponse message;
        if (notification.kind == livestore::Notification::Kind::kMessage &&
            message.ParseFromString(notification.payload)) {
          news.push_back(message);
        }
      });
  CreateProfessional();
  ASSERT_TRUE(SyncWait(one_.app.draws.Offer(one_.By("ann"), 0)));
  ASSERT_TRUE(SyncWait(one_.app.draws.Answer(one_.By("bob"), true)));
  ASSERT_GE(news.size(), 2u);
  EXPECT_EQ(news[news.size() - 2].change(), pb::PLAYER_GAME_CHANGE_ENDED);
  EXPECT_EQ(news[news.size() - 2].replayed_by(), Replay());
  EXPECT_EQ(news.back().change(), pb::PLAYER_GAME_CHANGE_STARTED);
  EXPECT_EQ(news.back().game_id(), Replay());
  const Result<StoredGame> drawn = one_.Load("g");
  const Result<pb::GameEvent> end = SyncWait(one_.app.store.ReadEvent("g", drawn->game->sequence));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->ended().replayed_by(), Replay());
}

TEST_F(ReplayFlowTest, ACrashAfterTheEndIsMadeGoodOnce) {
  CreateProfessional();
  one_.follows_up = false;
  Shuffle();
  EXPECT_TRUE(two_.Load(Replay()).error().Is(kGameNotFound));
  two_.SweepLater();
  ASSERT_TRUE(two_.Load(Replay()));
  EXPECT_TRUE(two_.Load("g")->progress.archived);
  one_.SweepLater();
  two_.SweepLater();
  EXPECT_EQ(one_.Load(Replay())->game->sequence, 1) << "created once, and begun by nobody";
  EXPECT_EQ(two_.archive.stored["g"], 1);
}

TEST_F(ReplayFlowTest, AReplayThatExistsIsNotCreatedAgainHoweverLateTheDrawnGameIsFinished) {
  CreateProfessional();
  one_.archive.down = true;
  two_.archive.down = true;
  Shuffle();
  ASSERT_TRUE(one_.Load("g")->progress.replay_created);
  ASSERT_FALSE(one_.Load("g")->progress.archived);
  // The replay has ended, was archived and forgotten by the time the drawn game is.
  livestore::Transaction forget;
  forget.partition = GameStore::PartitionOf(Replay());
  livestore::Change& change = forget.changes.emplace_back();
  change.name = Replay();
  change.expected_version = livestore::kAnyVersion;
  change.delete_document = true;
  ASSERT_TRUE(SyncWait(live_.Commit(std::move(forget))));
  one_.archive.down = false;
  two_.archive.down = false;
  two_.SweepLater();
  EXPECT_TRUE(two_.Load("g")->progress.archived);
  EXPECT_TRUE(two_.Load(Replay()).error().Is(kGameNotFound));
}

TEST_F(ReplayFlowTest, OnlyTheReplayChangesRatings) {
  CreateProfessional(true);
  Shuffle();
  EXPECT_EQ(one_.rating.applied.count("g"), 0u);
  EXPECT_EQ(one_.archive.stored["g"], 1);
  EXPECT_TRUE(one_.Load(Replay())->game->rated);
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("ann", Replay()))));
  EXPECT_EQ(one_.rating.applied[Replay()], 1);
}

TEST_F(ReplayFlowTest, OtherRulesetsAndOtherEndsHaveNoReplay) {
  ASSERT_TRUE(one_.Create("g", true));
  Shuffle();
  EXPECT_EQ(one_.Load("g")->game->replayed_by, "");
  EXPECT_FALSE(one_.Load(Replay()));
}

TEST_F(ReplayFlowTest, AReplayIsNeitherAbortedNorCountedAgainstTheLimitOfGames) {
  Replica strict(live_, time_, clock_, {Millis(0), 1});
  CreateProfessional();
  one_.follows_up = false;
  Shuffle();
  strict.SweepLater();
  ASSERT_TRUE(strict.Load(Replay()));
  EXPECT_EQ(ReasonOf(SyncWait(strict.app.endings.Abort(strict.By("ann", Replay())))),
            "TOO_LATE_TO_ABORT");
}

TEST_F(ReplayFlowTest, AnImpasseIsCountedWhenBothAgreeAndReplayedWithoutALoser) {
  NewGame wish = one_.Wish("g", true);
  wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kShogi, "professional");
  wish.wish.ruleset_base = "professional";
  wish.wish.start_position = kBothEntered;
  const Result<StoredGame> created = one_.Create(std::move(wish));
  ASSERT_TRUE(created) << created.error().ToString();
  const Result<ImpasseOutcome> explained =
      SyncWait(one_.app.impasse.Declare(one_.By("bob"), 0, false));
  ASSERT_TRUE(explained) << explained.error().ToString();
  EXPECT_TRUE(explained->report.may_declare);
  const Result<ImpasseOutcome> proposed =
      SyncWait(one_.app.impasse.Declare(one_.By("bob"), 0, true));
  ASSERT_TRUE(proposed) << proposed.error().ToString();
  EXPECT_TRUE(proposed->proposed);
  EXPECT_FALSE(one_.Load("g")->game->over());
  for (int i = 0; i < 2; ++i) {  // the second is a repeat
    const Result<ImpasseOutcome> agreed =
        SyncWait(two_.app.impasse.Declare(two_.By("ann"), 0, true));
    ASSERT_TRUE(agreed) << agreed.error().ToString();
    ASSERT_TRUE(agreed->result);
    EXPECT_EQ(agreed->result->outcome, Outcome::kNoResult);
  }
  EXPECT_TRUE(one_.Load(Replay()));
}

}  // namespace
}  // namespace komadai::game
