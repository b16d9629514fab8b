// Opponents who have to be accepted first.
#include <gtest/gtest.h>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

class OffersTest : public DesksTest {
 protected:
  // ann asks to be asked; bob does not, unless told.
  void Offer(bool bob_too = false) {
    NewSeek ann = Replica::Wish("s1", "ann");
    ann.confirm = true;
    ASSERT_TRUE(one_.Create(ann));
    Pass(Millis(3000));
    NewSeek bob = Replica::Wish("s2", "bob");
    bob.confirm = bob_too;
    ASSERT_TRUE(two_.Create(bob));
    Settle();
    ASSERT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_OFFERED);
    ASSERT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_OFFERED);
  }
  std::string MatchId() { return one_.Load("s1").match_id(); }
};

TEST_F(OffersTest, ItSaysWhomAndUntilWhen) {
  Offer();
  const pb::Seek ann = one_.Load("s1");
  EXPECT_EQ(ann.opponent().player_id(), "bob");
  EXPECT_EQ(ann.answer_by_ms(), time_.now + kAnswerTime.count());
  EXPECT_FALSE(ann.accepted());
  EXPECT_TRUE(one_.Load("s2").accepted()) << "he need not answer";
  EXPECT_TRUE(games_.created.empty());
}

TEST_F(OffersTest, TheGameBeginsWhenAllWhoAreAskedHaveAccepted) {
  Offer(true);
  ASSERT_TRUE(one_.Answer("s1", "ann", MatchId(), true));
  EXPECT_TRUE(games_.created.empty());
  ASSERT_TRUE(two_.Answer("s2", "bob", MatchId(), true));
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(games_.created.size(), 1u);
  const Result<pb::Seek> repeat = one_.Answer("s1", "ann", MatchId(), true);
  ASSERT_TRUE(repeat) << repeat.error().ToString();
  EXPECT_TRUE(one_.Answer("s1", "ann", MatchId(), false).error().Is(kNoOffer));
}

TEST_F(OffersTest, WhoDeclinesLeavesAndTheOtherKeepsTheTimeWaited) {
  Offer();
  const std::int64_t since = one_.Load("s2").created_at_ms();
  const std::string match_id = MatchId();
  const Result<pb::Seek> declined = one_.Answer("s1", "ann", match_id, false);
  ASSERT_TRUE(declined);
  EXPECT_EQ(declined->state(), pb::SEEK_STATE_CANCELLED);
  const pb::Seek bob = one_.Load("s2");
  EXPECT_EQ(bob.state(), pb::SEEK_STATE_WAITING);
  EXPECT_EQ(bob.created_at_ms(), since);
  EXPECT_EQ(bob.match_id(), "");
  EXPECT_TRUE(one_.Answer("s1", "ann", match_id, false)) << "a repeat";
  EXPECT_TRUE(one_.Answer("s1", "ann", match_id, true).error().Is(kNoOffer));
}

TEST_F(OffersTest, CancellingIsDeclining) {
  Offer();
  const Result<pb::Seek> cancelled = two_.Cancel("s2", "bob");
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING);
}

TEST_F(OffersTest, WhoDoesNotAnswerExpiresAndTheOtherReturns) {
  Offer();
  const std::string match_id = MatchId();
  Pass(kAnswerTime);
  EXPECT_TRUE(one_.Answer("s1", "ann", match_id, true).error().Is(kNoOffer)) << "too late";
  Settle();
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_EXPIRED);
  EXPECT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_WAITING);
}

TEST_F(OffersTest, AnAnswerIsForOneOffer) {
  Offer();
  EXPECT_TRUE(one_.Answer("s1", "ann", "another match", true).error().Is(kNoOffer));
  EXPECT_TRUE(one_.Answer("s1", "bob", MatchId(), true).error().Is(kNotYours));
  EXPECT_TRUE(one_.Answer("s9", "ann", MatchId(), true).error().Is(kSeekNotFound));
}

}  // namespace
}  // namespace komadai::matchmaking
