// Every call again: the first answer, and nothing done twice, whoever serves it.
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

class RepeatsTest : public Replicas {
 protected:
  std::int64_t Sequence() { return one_.Load("g")->game->sequence; }
};

TEST_F(RepeatsTest, AnAcceptedDraw) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(one_.app.draws.Offer(one_.By("ann"), 0)));
  const std::int64_t offer = Sequence();
  ASSERT_TRUE(SyncWait(one_.app.draws.Answer(one_.By("bob"), true, offer)));
  const std::int64_t end = Sequence();
  const Result<StoredGame> again = SyncWait(two_.app.draws.Answer(two_.By("bob"), true, offer));
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->game->result->ending, Ending::kAgreedDraw);
  EXPECT_EQ(Sequence(), end);
}

TEST_F(RepeatsTest, ADeclinedDrawAlsoAfterMovesAndTheEnd) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(one_.app.draws.Offer(one_.By("ann"), 0)));
  const std::int64_t offer = Sequence();
  ASSERT_TRUE(SyncWait(one_.app.draws.Answer(one_.By("bob"), false, offer)));
  ASSERT_TRUE(SyncWait(two_.app.draws.Offer(two_.By("ann"), 0))) << "the offer, repeated";
  EXPECT_EQ(Sequence(), offer + 1);
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("bob"))));
  EXPECT_TRUE(SyncWait(two_.app.draws.Answer(two_.By("bob"), false, offer)));
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.draws.Answer(two_.By("bob"), true, offer))), "GAME_OVER");
}

TEST_F(RepeatsTest, AGrantedTakeback) {
  NewGame wish = one_.Wish("g", true);
  wish.allow_takeback = true;
  ASSERT_TRUE(one_.Create(std::move(wish)));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 1)));
  const std::int64_t request = Sequence();
  const Result<TakebackOutcome> first =
      SyncWait(one_.app.takebacks.Answer(one_.By("bob"), true, request));
  ASSERT_TRUE(first) << first.error().ToString();
  ASSERT_TRUE(one_.Play("g", 0, "2g2f"));
  const Result<TakebackOutcome> again =
      SyncWait(two_.app.takebacks.Answer(two_.By("bob"), true, request));
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->granted);
  EXPECT_EQ(again->ply, first->ply);
  EXPECT_EQ(one_.Load("g")->game->ply(), 1) << "taken back once";
}

TEST_F(RepeatsTest, ATakebackThatTheComputerGranted) {
  ASSERT_TRUE(one_.Create("g", false, true));
  one_.engine.down = true;
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(SyncWait(one_.app.takebacks.Request(one_.By("ann"), 1)));
  const Result<TakebackOutcome> again = SyncWait(two_.app.takebacks.Request(two_.By("ann"), 1));
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->granted);
  EXPECT_EQ(again->ply, 0);
}

TEST_F(RepeatsTest, AnIllegalMoveThatLostTheGame) {
  NewGame wish = one_.Wish("g", true);
  wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kShogi, "professional");
  wish.wish.ruleset_base = "professional";
  ASSERT_TRUE(one_.Create(std::move(wish)));
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  ASSERT_TRUE(one_.Play("g", 1, "3c3d"));
  const Result<MoveOutcome> first = one_.Play("g", 2, "8h1a");
  ASSERT_TRUE(first && first->result) << first.error().ToString();
  EXPECT_EQ(first->result->ending, Ending::kIllegalMove);
  EXPECT_EQ(one_.Load("g")->game->illegal_move, "8h1a");
  const std::int64_t end = Sequence();
  const Result<MoveOutcome> again = two_.Play("g", 2, "8h1a");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->result, first->result);
  EXPECT_EQ(again->ply, first->ply);
  EXPECT_EQ(again->move, first->move);
  EXPECT_EQ(again->sequence, first->sequence);
  EXPECT_EQ(again->board.position, first->board.position);
  EXPECT_EQ(again->clock.has_value(), first->clock.has_value());
  EXPECT_EQ(Sequence(), end);
  EXPECT_EQ(ReasonOf(two_.Play("g", 2, "2g2f")), "GAME_OVER") << "another move";
  EXPECT_EQ(ReasonOf(two_.Play("g", 3, "8h1a")), "GAME_OVER") << "at another ply";
}

TEST_F(RepeatsTest, ADeclarationThatEndedTheGame) {
  NewGame wish = one_.Wish("g", true);
  wish.wish.start_position = kBothEntered;
  const Result<StoredGame> created = one_.Create(std::move(wish));
  ASSERT_TRUE(created) << created.error().ToString();
  const Result<ImpasseOutcome> first = SyncWait(one_.app.impasse.Declare(one_.By("ann"), 0, true));
  ASSERT_TRUE(first && first->result) << first.error().ToString();
  const Result<ImpasseOutcome> again = SyncWait(two_.app.impasse.Declare(two_.By("ann"), 0, true));
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->result, first->result);
  EXPECT_EQ(again->report.sides[0].points, first->report.sides[0].points);
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.impasse.Declare(two_.By("bob"), 0, true))), "GAME_OVER");
}

TEST_F(RepeatsTest, AResignationAndAnAbort) {
  ASSERT_TRUE(one_.Create("g", true));
  ASSERT_TRUE(SyncWait(one_.app.endings.Resign(one_.By("ann"))));
  EXPECT_EQ(SyncWait(two_.app.endings.Resign(two_.By("ann")))->game->result->ending,
            Ending::kResignation);
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.endings.Resign(two_.By("bob")))), "GAME_OVER");
  ASSERT_TRUE(one_.Create("h", true));
  ASSERT_TRUE(SyncWait(one_.app.endings.Abort(one_.By("ann", "h"))));
  EXPECT_EQ(SyncWait(two_.app.endings.Abort(two_.By("ann", "h")))->game->result->ending,
            Ending::kAborted);
}

TEST_F(RepeatsTest, AGiftOfTimeAnswersAsTheFirstDid) {
  ASSERT_TRUE(one_.Create("g", true));
  const Millis gift(15'000);
  time_.now += Millis(1000);
  const auto first = SyncWait(one_.app.time_gifts.Add(one_.By("ann"), "request-1", gift));
  ASSERT_TRUE(first) << first.error().ToString();
  EXPECT_EQ(first->second.main_left, Millis(315'000));
  time_.now += Millis(5000);
  ASSERT_TRUE(one_.Play("g", 0, "7g7f"));
  const auto again = SyncWait(two_.app.time_gifts.Add(two_.By("ann"), "request-1", gift));
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(*again, *first);
  EXPECT_EQ(ReasonOf(SyncWait(two_.app.time_gifts.Add(two_.By("ann"), "request-1", 2 * gift))),
            "REQUEST_ID_REUSED");
  EXPECT_TRUE(SyncWait(two_.app.time_gifts.Add(two_.By("bob"), "request-1", gift)))
      << "the other player's request of the same name is another";
  EXPECT_EQ(one_.Load("g")->game->time_gifts.size(), 2u);
}

}  // namespace
}  // namespace komadai::game
