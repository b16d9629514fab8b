// Seeks from creation to game, on two replicas over a store in memory.
#include "services/matchmaking/app/seek_desk.h"

#include <gtest/gtest.h>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

using SeekDeskTest = DesksTest;

TEST_F(SeekDeskTest, TwoSeeksBecomeOneGameInTheNextWave) {
  const Result<pb::Seek> first = one_.Seek("s1", "ann");
  ASSERT_TRUE(first) << first.error().ToString();
  EXPECT_EQ(first->state(), pb::SEEK_STATE_WAITING);
  ASSERT_TRUE(two_.Seek("s2", "bob"));
  Settle();
  const pb::Seek ann = one_.Load("s1");
  const pb::Seek bob = one_.Load("s2");
  EXPECT_EQ(ann.state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(ann.game_id(), bob.game_id());
  EXPECT_NE(ann.side(), bob.side());
  EXPECT_EQ(ann.opponent().player_id(), "bob");
  EXPECT_EQ(games_.created.size(), 1u);
}

TEST_F(SeekDeskTest, OneReplicaAtATimeHasTheWaves) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  one_.Wave();
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  two_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING) << "not its turn";
  Pass(Matchmaker::kLease);  // the other is not heard of any more
  two_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(SeekDeskTest, AReplicaThatEndsHandsTheWavesOver) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  one_.Wave();
  SyncWait(one_.matchmaker.HandOver());
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  two_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(SeekDeskTest, DifferentTimeControlsWaitForTheirOwnKind) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms(300000)));
  ASSERT_TRUE(one_.Seek("s2", "bob", Terms(600000)));
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING);
  NewSeek both = Replica::Wish("s3", "cat", Terms(100000));
  both.other_controls = {Terms(300000).time_control(), Terms(600000).time_control()};
  ASSERT_TRUE(one_.Create(both));
  Settle();
  const pb::Seek cat = one_.Load("s3");
  EXPECT_EQ(cat.state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(cat.terms().time_control().first().main_ms(), 300000) << "what the pair plays";
}

TEST_F(SeekDeskTest, APlayerHasOneSeek) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  const Result<pb::Seek> second = two_.Seek("s2", "ann");
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(kAlreadySeeking));
  const Result<pb::Seek> repeat = two_.Seek("s1", "ann");
  ASSERT_TRUE(repeat) << repeat.error().ToString();
  EXPECT_EQ(repeat->state(), pb::SEEK_STATE_WAITING);
  NewSeek other = Replica::Wish("s1", "ann");
  other.rating_range = 100;
  EXPECT_TRUE(one_.Create(other).error().Is(kRequestIdReused));
}

TEST_F(SeekDeskTest, ACancelledSeekIsNeverMatched) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  const Result<pb::Seek> cancelled = two_.Cancel("s1", "ann");
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->state(), pb::SEEK_STATE_CANCELLED);
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  EXPECT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_WAITING);
  EXPECT_TRUE(two_.Cancel("s2", "ann").error().Is(kNotYours));
  EXPECT_TRUE(two_.Cancel("s9", "ann").error().Is(kSeekNotFound));
}

TEST_F(SeekDeskTest, APairSurvivesTheDeathOfItsReplica) {
  games_.down = true;  // paired, but nobody could create the game
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  one_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_PAIRED);
  EXPECT_FALSE(two_.Cancel("s1", "ann")) << "the game may exist: nobody can say yet";
  games_.down = false;
  Pass(Millis(10'000));
  two_.Wave();
  two_.Sweep();
  EXPECT_EQ(two_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(two_.Load("s2").game_id(), two_.Load("s1").game_id());
  EXPECT_EQ(games_.created.size(), 1u);
}

TEST_F(SeekDeskTest, WhoHasTooManyGamesLeavesAndTheOtherWaitsOn) {
  games_.refuse = &kTooManyGames;
  games_.busy_player = "bob";
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  const std::int64_t since = one_.Load("s1").created_at_ms();
  Pass(Millis(5000));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  one_.Wave();
  const pb::Seek bob = one_.Load("s2");
  EXPECT_EQ(bob.state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(bob.refused(), "TOO_MANY_GAMES");
  const pb::Seek ann = one_.Load("s1");
  EXPECT_EQ(ann.state(), pb::SEEK_STATE_WAITING);
  EXPECT_EQ(ann.created_at_ms(), since) << "what she has waited counts";
  EXPECT_FALSE(ann.has_opponent());
  games_.refuse = nullptr;
  ASSERT_TRUE(one_.Seek("s3", "cat"));
  one_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(SeekDeskTest, ARefusalThatIsNobodysFaultReturnsBoth) {
  const Reason not_now{Code::kFailedPrecondition, "NOT_NOW"};
  games_.refuse = &not_now;
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  one_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING);
  EXPECT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_WAITING);
  games_.refuse = nullptr;
  one_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(SeekDeskTest, AGameThatCannotBeEndsBothSeeks) {
  games_.refuse = &kInvalidTerms;
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  one_.Wave();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(one_.Load("s2").refused(), "INVALID_TERMS");
  games_.refuse = nullptr;
  EXPECT_TRUE(one_.Seek("s3", "ann"));
}

TEST_F(SeekDeskTest, AnUnwatchedSeekExpiresAndAWatchedOneDoesNot) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms(300000)));
  ASSERT_TRUE(one_.Seek("s2", "bob", Terms(600000)));
  Pass(SeekDesk::kGrace - Millis(1000));
  ASSERT_TRUE(SyncWait(two_.seeks.Touch({"s2"})));
  Pass(Millis(2000));
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_EXPIRED);
  EXPECT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_WAITING);
}

TEST_F(SeekDeskTest, WatchingAClosedSeekLeavesNothingBehind) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  ASSERT_TRUE(SyncWait(two_.seeks.Touch({"s1"})));  // it was matched a moment ago
  Pass(SeekDesk::kGrace + Millis(1));
  Settle();
  const auto left = SyncWait(one_.store.UnwatchedBefore(time_.Now()));
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->empty());
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(SeekDeskTest, TheSameTimeControlTwiceIsOnePool) {
  NewSeek wish = Replica::Wish("s1", "ann");
  wish.other_controls = {wish.terms.time_control(), wish.terms.time_control()};
  const Result<pb::Seek> seek = one_.Create(wish);
  ASSERT_TRUE(seek) << seek.error().ToString();
  EXPECT_EQ(seek->other_time_controls_size(), 0);
}

TEST_F(SeekDeskTest, OptionsAreTermsLikeOthers) {
  pb::GameTerms claims = Terms();
  claims.mutable_options()->set_claim_after_ms(30'000);
  claims.set_allow_takeback(true);
  ASSERT_TRUE(one_.Seek("s1", "ann", *NormaliseTerms(claims, TermsOf::kSeek)));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING) << "not what the other wants";
  ASSERT_TRUE(one_.Seek("s3", "cat", *NormaliseTerms(claims, TermsOf::kSeek)));
  Settle();
  ASSERT_EQ(games_.created.size(), 1u);
  EXPECT_EQ(games_.created.begin()->second.terms.options().claim_after_ms(), 30'000);
  EXPECT_TRUE(games_.created.begin()->second.terms.allow_takeback());
}

TEST_F(SeekDeskTest, TheComputerStandsInAfterTheStatedWait) {
  NewSeek wish = Replica::Wish("s1", "ann");
  wish.computer_fallback.emplace();
  wish.computer_fallback->set_after_seconds(10);
  ASSERT_TRUE(one_.Create(wish));
  Pass(Millis(9999));
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING);
  Pass(Millis(1));
  Settle();
  const pb::Seek ann = one_.Load("s1");
  EXPECT_EQ(ann.state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(ann.opponent().kind(), common_pb::PLAYER_KIND_COMPUTER);
  EXPECT_EQ(ann.opponent().level(), common_pb::COMPUTER_LEVEL_MEDIUM);
  EXPECT_EQ(ann.opponent().player_id(), "");
}

TEST_F(SeekDeskTest, APersonIsRatherMatchedThanTheComputer) {
  NewSeek wish = Replica::Wish("s1", "ann");
  wish.computer_fallback.emplace();
  wish.computer_fallback->set_after_seconds(10);
  ASSERT_TRUE(one_.Create(wish));
  Pass(Millis(20'000));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  EXPECT_EQ(one_.Load("s1").opponent().player_id(), "bob");
}

TEST_F(SeekDeskTest, RatedSeeksNeedTheRatingServiceAndCasualOnesDoNot) {
  ratings_.down = true;
  EXPECT_FALSE(one_.Seek("s1", "ann", RatedTerms()));
  EXPECT_TRUE(one_.Seek("s2", "ann"));
}

TEST_F(SeekDeskTest, WhoHaveHadTheirRatedGamesTodayAreKeptApart) {
  ratings_.spent.insert({"ann", "bob"});
  ASSERT_TRUE(one_.Seek("s1", "ann", RatedTerms()));
  ASSERT_TRUE(one_.Seek("s2", "bob", RatedTerms()));
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING);
  ASSERT_TRUE(one_.Seek("s3", "cat", RatedTerms()));
  Settle();
  EXPECT_EQ(one_.Load("s3").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_NE(one_.Load("s1").state(), one_.Load("s2").state());
}

TEST_F(SeekDeskTest, ASuggestedHandicapIsGivenByTheStronger) {
  ratings_.ratings = {{"ann", 1800}, {"bob", 1500}};
  pb::GameTerms terms = Terms();
  terms.set_suggest_handicap(true);
  ASSERT_TRUE(one_.Seek("s1", "ann", terms));
  ASSERT_TRUE(one_.Seek("s2", "bob", terms));
  Settle();
  ASSERT_EQ(games_.created.size(), 1u);
  const Match& match = games_.created.begin()->second;
  EXPECT_EQ(match.terms.setup().handicap(), "rook");
  EXPECT_FALSE(match.terms.suggest_handicap());
  EXPECT_EQ(match.second.player_id(), "ann");
}

TEST_F(SeekDeskTest, LastOpponentsAreExcludedOnRequest) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  NewSeek again = Replica::Wish("s3", "ann");
  again.exclude_last_opponents = 1;
  ASSERT_TRUE(one_.Create(again));
  ASSERT_TRUE(one_.Seek("s4", "bob"));
  Settle();
  EXPECT_EQ(one_.Load("s3").state(), pb::SEEK_STATE_WAITING);
  ASSERT_TRUE(one_.Seek("s5", "cat"));
  Settle();
  EXPECT_EQ(one_.Load("s3").opponent().player_id(), "cat");
}

TEST_F(SeekDeskTest, SidesAreBalancedOverTheLastGames) {
  int first = 0;
  for (int game = 0; game < 10; ++game) {
    const std::string number = std::to_string(game);
    ASSERT_TRUE(one_.Seek("a" + number, "ann"));
    ASSERT_TRUE(one_.Seek("b" + number, "bob" + number));  // somebody new
    Settle();
    if (one_.Load("a" + number).side() == common_pb::SIDE_FIRST) ++first;
  }
  EXPECT_EQ(first, 5);
}

}  // namespace
}  // namespace komadai::matchmaking
