#include "services/matchmaking/app/conduct.h"

#include <gtest/gtest.h>

#include "services/matchmaking/domain/cooldown.h"
#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

class ConductTest : public DesksTest {
 protected:
  // One more game of ann's that a seek has found; its id.
  std::string PlayOne() {
    const std::string number = std::to_string(++games_played_);
    EXPECT_TRUE(one_.Seek("a" + number, "ann"));
    EXPECT_TRUE(one_.Seek("b" + number, "bob" + number));
    Settle();
    const pb::Seek ann = one_.Load("a" + number);
    game::v1::Game& game = games_.games[ann.game_id()];
    game.set_game_id(ann.game_id());
    side_ = ann.side();
    return ann.game_id();
  }
  common_pb::Side Other() const {
    return side_ == common_pb::SIDE_FIRST ? common_pb::SIDE_SECOND : common_pb::SIDE_FIRST;
  }
  void Abort(const std::string& game_id, common_pb::Side by) {
    game::v1::Game& game = games_.games[game_id];
    game.mutable_result()->set_ending(common_pb::ENDING_ABORTED);
    game.set_aborted_by(by);
    game.set_ended_at_ms(time_.now);
  }
  void AbortOwn(const std::string& game_id) { Abort(game_id, side_); }
  void Leave(const std::string& game_id) {
    game::v1::Game& game = games_.games[game_id];
    game.mutable_result()->set_ending(common_pb::ENDING_ABANDONED);
    game.set_side_to_move(side_);
    game.set_ended_at_ms(time_.now);
  }

  int games_played_ = 0;
  common_pb::Side side_ = common_pb::SIDE_UNSPECIFIED;
};

TEST_F(ConductTest, TheThirdAbortOrLeavingCoolsDown) {
  AbortOwn(PlayOne());
  Leave(PlayOne());
  const std::string third = PlayOne();
  EXPECT_TRUE(one_.Seek("free", "ann")) << "two are free";
  ASSERT_TRUE(one_.Cancel("free", "ann"));
  AbortOwn(third);
  const Result<pb::Seek> refused = two_.Seek("s", "ann");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kCoolingDown)) << refused.error().ToString();
  EXPECT_EQ(refused.error().metadata().at("retry_after_ms"), "60000");
  Pass(kFirstCooldown);
  EXPECT_TRUE(two_.Seek("s", "ann"));
}

TEST_F(ConductTest, WhatTheOpponentDidIsNotCounted) {
  for (int i = 0; i < 5; ++i) {
    const std::string game_id = PlayOne();
    Abort(game_id, Other());
  }
  EXPECT_TRUE(one_.Seek("s", "ann"));
}

TEST_F(ConductTest, GamesPlayedToTheEndAreNot) {
  for (int i = 0; i < 5; ++i) {
    game::v1::Game& game = games_.games[PlayOne()];
    game.mutable_result()->set_ending(common_pb::ENDING_TIME_OUT);
    game.set_side_to_move(side_);
  }
  EXPECT_TRUE(one_.Seek("s", "ann"));
}

TEST_F(ConductTest, AGameIsCountedOnce) {
  AbortOwn(PlayOne());
  for (int i = 0; i < 5; ++i) {
    const std::string id = "s" + std::to_string(i);
    ASSERT_TRUE(one_.Seek(id, "ann"));
    ASSERT_TRUE(one_.Cancel(id, "ann"));
  }
  const auto history = SyncWait(one_.store.HistoryOf("ann"));
  ASSERT_TRUE(history);
  EXPECT_EQ(history->value.offences_ms_size(), 1);
}

TEST_F(ConductTest, AGameServiceThatIsAwayBlamesNobody) {
  for (int i = 0; i < 3; ++i) AbortOwn(PlayOne());
  games_.down = true;
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(one_.Cancel("s1", "ann"));
  games_.down = false;
  EXPECT_TRUE(one_.Seek("s2", "ann").error().Is(kCoolingDown)) << "but forgets nothing";
}

}  // namespace
}  // namespace komadai::matchmaking
