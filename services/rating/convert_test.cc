#include "services/rating/convert.h"

#include <gtest/gtest.h>

#include "libs/convert/variant.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

pb::ApplyResultRequest RatedRequest() {
  pb::ApplyResultRequest request;
  request.set_game_id("game1");
  request.set_variant(common_pb::VARIANT_SHOGI);
  request.mutable_first()->set_player_id("p1");
  request.mutable_first()->set_kind(common_pb::PLAYER_KIND_PERSON);
  request.mutable_second()->set_player_id("p2");
  request.mutable_second()->set_kind(common_pb::PLAYER_KIND_BOT);
  request.mutable_result()->set_outcome(common_pb::OUTCOME_SECOND_WINS);
  request.mutable_result()->set_ending(common_pb::ENDING_TIME_OUT);
  request.mutable_result()->set_plies(31);
  request.set_rated(true);
  request.set_ended_at_ms(1'700'000'000'000);
  return request;
}

bool IsIgnored(const pb::ApplyResultRequest& request) {
  const Result<std::optional<RatedGame>> game = FromProto(request);
  EXPECT_TRUE(game);
  return game && !*game;
}

TEST(ConvertTest, ARatedGameIsRead) {
  pb::ApplyResultRequest request = RatedRequest();
  request.set_handicap("2_piece");
  const Result<std::optional<RatedGame>> game = FromProto(request);
  ASSERT_TRUE(game && *game);
  EXPECT_EQ((*game)->first.id, "p1");
  EXPECT_EQ((*game)->second.kind, PlayerKind::kBot);
  EXPECT_EQ((*game)->first_score, elo::kLoss);
  EXPECT_EQ((*game)->handicap_ranks, 3.5);
}

TEST(ConvertTest, TheEvenGameHasOneName) {
  pb::ApplyResultRequest request = RatedRequest();
  request.set_handicap("none");
  EXPECT_EQ((**FromProto(request)).handicap, "");
}

TEST(ConvertTest, WhatChangesNoRatingIsAcknowledgedOnly) {
  pb::ApplyResultRequest casual = RatedRequest();
  casual.set_rated(false);
  EXPECT_TRUE(IsIgnored(casual));
  pb::ApplyResultRequest aborted = RatedRequest();
  aborted.mutable_result()->set_ending(common_pb::ENDING_ABORTED);
  aborted.mutable_result()->set_outcome(common_pb::OUTCOME_NO_RESULT);
  EXPECT_TRUE(IsIgnored(aborted));
  pb::ApplyResultRequest one_sided = RatedRequest();
  one_sided.mutable_result()->set_plies(1);
  EXPECT_TRUE(IsIgnored(one_sided));
  pb::ApplyResultRequest guest = RatedRequest();
  guest.mutable_second()->set_kind(common_pb::PLAYER_KIND_GUEST);
  EXPECT_TRUE(IsIgnored(guest));
  pb::ApplyResultRequest computer = RatedRequest();
  computer.mutable_first()->set_kind(common_pb::PLAYER_KIND_COMPUTER);
  computer.mutable_first()->clear_player_id();
  EXPECT_TRUE(IsIgnored(computer));
  pb::ApplyResultRequest bare_king = RatedRequest();
  bare_king.set_handicap("bare_king");
  EXPECT_TRUE(IsIgnored(bare_king));
  pb::ApplyResultRequest minishogi = RatedRequest();
  minishogi.set_variant(common_pb::VARIANT_MINISHOGI);
  minishogi.set_handicap("rook");
  EXPECT_TRUE(IsIgnored(minishogi));
}

TEST(ConvertTest, EachBadFieldHasItsReason) {
  const auto reason = [](auto change) {
    pb::ApplyResultRequest request = RatedRequest();
    change(request);
    const Result<std::optional<RatedGame>> game = FromProto(request);
    return game ? std::string() : game.error().reason();
  };
  EXPECT_EQ(reason([](auto& r) { r.clear_game_id(); }), "INVALID_GAME_ID");
  EXPECT_EQ(reason([](auto& r) { r.set_game_id("a b"); }), "INVALID_GAME_ID");
  EXPECT_EQ(reason([](auto& r) { r.clear_variant(); }), "UNKNOWN_VARIANT");
  EXPECT_EQ(reason([](auto& r) { r.clear_result(); }), "INVALID_RESULT");
  EXPECT_EQ(reason([](auto& r) { r.clear_ended_at_ms(); }), "INVALID_RESULT");
  EXPECT_EQ(reason([](auto& r) { r.mutable_first()->clear_player_id(); }), "INVALID_PLAYER_ID");
  EXPECT_EQ(reason([](auto& r) { r.mutable_second()->set_player_id("p1"); }), "SELF_PLAY");
}

TEST(ConvertTest, PageTokensReadBackAndForeignOnesAreRefused) {
  LeaderboardEntry entry;
  entry.player.id = "p1";
  entry.standing.rating.milli_points = -5;
  const Result<std::optional<LeaderboardCursor>> cursor = LeaderboardCursorOf(ToToken(entry));
  ASSERT_TRUE(cursor && *cursor);
  EXPECT_EQ((*cursor)->rating.milli_points, -5);
  EXPECT_EQ((*cursor)->player_id, "p1");
  EXPECT_FALSE(LeaderboardCursorOf("")->has_value());
  EXPECT_FALSE(HistoryCursorOf("")->has_value());
  for (const char* bad : {"x", "~", "1~", "1~a b", "1.5~p", "9999999999999999999~p"}) {
    EXPECT_FALSE(LeaderboardCursorOf(bad)) << bad;
  }
  for (const char* bad : {"x", "-1", "0", "1 ", "99999999999999999999"}) {
    EXPECT_FALSE(HistoryCursorOf(bad)) << bad;
  }
}

TEST(ConvertTest, PageSizesHaveADefaultAndALimit) {
  EXPECT_EQ(*PageSizeOf(0, 50, 100), 50);
  EXPECT_EQ(*PageSizeOf(7, 50, 100), 7);
  EXPECT_EQ(*PageSizeOf(100000, 50, 100), 100);
  EXPECT_TRUE(PageSizeOf(-1, 50, 100).error().Is(kInvalidPageSize));
}

}  // namespace
}  // namespace komadai::rating
