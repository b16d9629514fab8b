// Players who are there, players who have left, and the games they leave behind.
#include "services/game/app/presence.h"

#include "libs/livestore/faulty_live_store.h"
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

class PresenceTest : public Replicas {
 protected:
  TimePoint Seen(const std::string& player) {
    return SyncWait(PresenceStore(live_).SeenUntil(player)).value();
  }
  Presence here_{live_, time_};
  Presence there_{live_, time_};
};

TEST_F(PresenceTest, APlayerIsThereUntilTheLastStreamCloses) {
  EXPECT_EQ(Seen("ann"), TimePoint{});
  std::shared_ptr<void> one = here_.Enter("ann");
  std::shared_ptr<void> two = here_.Enter("ann");
  EXPECT_EQ(Seen("ann"), time_.now + Presence::kLease);
  EXPECT_EQ(here_.size(), 1u);
  time_.now += Millis(5000);
  one.reset();
  EXPECT_GT(Seen("ann"), time_.now);
  two.reset();
  EXPECT_EQ(Seen("ann"), time_.now);
  EXPECT_EQ(here_.size(), 0u);
}

TEST_F(PresenceTest, LeasesAreRenewedAndEndWithACrash) {
  const std::shared_ptr<void> stream = here_.Enter("ann");
  for (int i = 0; i < 5; ++i) {
    time_.now += Presence::kRenewal;
    SyncWait(here_.Renew());
    EXPECT_EQ(Seen("ann"), time_.now + Presence::kLease);
  }
  here_.Stop();  // it crashes: nothing is written any more
  time_.now += Presence::kLease;
  EXPECT_LE(Seen("ann"), time_.now);
}

TEST_F(PresenceTest, AStreamElsewhereMakesGoodWhatThisReplicaDoesNotKnow) {
  std::shared_ptr<void> one = here_.Enter("ann");
  const std::shared_ptr<void> two = there_.Enter("ann");
  one.reset();
  time_.now += Presence::kRenewal;
  SyncWait(there_.Renew());
  EXPECT_GT(Seen("ann"), time_.now);
}

TEST_F(PresenceTest, ManyPlayersAreRenewedInFewCommits) {
  std::vector<std::shared_ptr<void>> streams;
  for (int i = 0; i < 500; ++i) streams.push_back(here_.Enter("player" + std::to_string(i)));
  int commits = 0;
  livestore::FaultyLiveStore counting(live_, [&](const livestore::Operation& operation) {
    if (operation.kind == livestore::Operation::Kind::kCommit) ++commits;
    return livestore::Fault::kNone;
  });
  Presence many(counting, time_);
  for (int i = 0; i < 500; ++i) streams.push_back(many.Enter("player" + std::to_string(i)));
  commits = 0;
  time_.now += Presence::kRenewal;
  SyncWait(many.Renew());
  EXPECT_LE(commits, GameStore::kShards);
  EXPECT_EQ(Seen("player499"), time_.now + Presence::kLease);
  streams.clear();
}

class ClaimFlowTest : public PresenceTest {
 protected:
  ClaimFlowTest() {
    NewGame wish = one_.Wish("g", true);
    wish.claim_after = Millis(30'000);
    EXPECT_TRUE(one_.Create(std::move(wish)));
    EXPECT_TRUE(one_.Play("g", 0, "7g7f"));
    EXPECT_TRUE(one_.Play("g", 1, "3c3d"));
  }
};

TEST_F(ClaimFlowTest, TheGameOfAnOpponentWhoHasLeftCanBeWon) {
  std::shared_ptr<void> ann = here_.Enter("ann");
  time_.now += Millis(15'000);
  EXPECT_EQ(ReasonOf(SyncWait(one_.app.claims.Claim(one_.By("bob"), 2, Claimed::kVictory))),
            "OPPONENT_PRESENT");
  EXPECT_TRUE(SyncWait(one_.app.claims.PresenceIn(one_.Call(), "g"))->present[0]);
  ann.reset();
  const TimePoint left = time_.now;
  time_.now += Millis(20'000);
  const Result<StoredGame> early =
      SyncWait(two_.app.claims.Claim(two_.By("bob"), 2, Claimed::kVictory));
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().reason(), "CLAIM_TOO_EARLY");
  EXPECT_EQ(early.error().metadata().at("seconds_left"), "10");
  const Result<PresenceReport> report = SyncWait(two_.app.claims.PresenceIn(two_.Call(), "g"));
  EXPECT_EQ(report->claim_at, left + Millis(30'000));
  EXPECT_FALSE(report->present[0]);
  time_.now += Millis(10'000);
  for (int i = 0; i < 2; ++i) {  // the second is a repeat
    const Result<StoredGame> won =
        SyncWait(two_.app.claims.Claim(two_.By("bob"), 2, Claimed::kVictory));
    ASSERT_TRUE(won) << won.error().ToString();
    EXPECT_EQ(won->game->result->outcome, Outcome::kSecondWins);
    EXPECT_EQ(won->game->result->ending, Ending::kAbandoned);
  }
}

TEST_F(ClaimFlowTest, OrDrawn) {
  time_.now += Millis(30'000);  // nobody was ever there
  const Result<StoredGame> drawn =
      SyncWait(one_.app.claims.Claim(one_.By("bob"), 2, Claimed::kDraw));
  ASSERT_TRUE(drawn) << drawn.error().ToString();
  EXPECT_EQ(drawn->game->result->outcome, Outcome::kDraw);
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.claims.Claim(two_.By("bob"), 2, Claimed::kVictory))),
            "GAME_OVER");
}

TEST_F(ClaimFlowTest, AMoveInTimeMakesTheClaimStale) {
  time_.now += Millis(29'999);
  ASSERT_TRUE(one_.Play("g", 2, "2g2f"));
  time_.now += Millis(60'000);
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.claims.Claim(two_.By("bob"), 2, Claimed::kVictory))),
            "STALE_PLY");
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.claims.Claim(two_.By("bob"), 3, Claimed::kVictory))),
            "NOT_OPPONENTS_TURN");
}

}  // namespace
}  // namespace komadai::game
