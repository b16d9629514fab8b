#include "services/game/convert_requests.h"

#include <gtest/gtest.h>

namespace komadai::game {
namespace {

const rpc::Caller kGuest{rpc::CallerKind::kGuest, "ann", "Ann"};
const rpc::Caller kMatchmaking{rpc::CallerKind::kService, "komadai-matchmaking", ""};

pb::CreateGameRequest AgainstComputer() {
  pb::CreateGameRequest request;
  request.set_request_id("request-1");
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  request.mutable_first()->set_player_id("ann");
  request.mutable_first()->set_kind(common_pb::PLAYER_KIND_GUEST);
  request.mutable_second()->set_kind(common_pb::PLAYER_KIND_COMPUTER);
  return request;
}

pb::CreateGameRequest BetweenPeople(common_pb::PlayerKind kind) {
  pb::CreateGameRequest request = AgainstComputer();
  request.mutable_first()->set_kind(kind);
  request.mutable_second()->set_player_id("bob");
  request.mutable_second()->set_kind(kind);
  request.set_rated(true);
  return request;
}

std::string ReasonOf(const Result<NewGame>& result) {
  return result ? "accepted" : result.error().reason();
}

TEST(NewGameTest, WhoAPlayerIsTheTokenSays) {
  pb::CreateGameRequest request = AgainstComputer();
  request.mutable_first()->set_kind(common_pb::PLAYER_KIND_PERSON);
  request.mutable_first()->set_name("a grandmaster");
  request.mutable_first()->set_rating(2800);
  const Result<NewGame> game = NewGameFromProto(kGuest, request);
  ASSERT_TRUE(game) << game.error().ToString();
  EXPECT_EQ(game->players[0], (Player{"ann", "Ann", PlayerKind::kGuest, 0, 0}));
  EXPECT_EQ(game->players[1].level, common_pb::COMPUTER_LEVEL_MEDIUM);
}

TEST(NewGameTest, PlayersCreateOnlyTheirOwnGamesAgainstTheComputer) {
  pb::CreateGameRequest request = AgainstComputer();
  request.mutable_first()->set_player_id("bob");
  EXPECT_EQ(ReasonOf(NewGameFromProto(kGuest, request)), "CREATION_DENIED");
  request = BetweenPeople(common_pb::PLAYER_KIND_GUEST);
  request.set_rated(false);
  EXPECT_EQ(ReasonOf(NewGameFromProto(kGuest, request)), "CREATION_DENIED");
  EXPECT_EQ(ReasonOf(NewGameFromProto(kMatchmaking, request)), "accepted");
}

TEST(NewGameTest, RatedGamesNeedTwoVerifiedAccounts) {
  EXPECT_EQ(ReasonOf(NewGameFromProto(kMatchmaking, BetweenPeople(common_pb::PLAYER_KIND_GUEST))),
            "INVALID_GAME");
  EXPECT_EQ(ReasonOf(NewGameFromProto(kMatchmaking, BetweenPeople(common_pb::PLAYER_KIND_PERSON))),
            "accepted");
}

TEST(NewGameTest, TheSameRequestNamesTheSameGame) {
  const Result<NewGame> one = NewGameFromProto(kGuest, AgainstComputer());
  const Result<NewGame> two = NewGameFromProto(kGuest, AgainstComputer());
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->id, two->id);
  pb::CreateGameRequest other = AgainstComputer();
  other.set_request_id("request-2");
  EXPECT_NE(NewGameFromProto(kGuest, other)->id, one->id);
  other.set_request_id("short");
  EXPECT_EQ(ReasonOf(NewGameFromProto(kGuest, other)), "BAD_REQUEST_ID");
}

TEST(NewGameTest, OptionsHaveLimitsAndDefaults) {
  pb::CreateGameRequest request = AgainstComputer();
  EXPECT_EQ(NewGameFromProto(kGuest, request)->first_move, std::nullopt) << "the operator's";
  EXPECT_EQ(NewGameFromProto(kGuest, request)->claim_after, Millis(0));
  const auto reason_with = [&](std::int64_t first_move_ms, std::int64_t claim_after_ms) {
    request.mutable_options()->set_first_move_ms(first_move_ms);
    request.mutable_options()->set_claim_after_ms(claim_after_ms);
    return ReasonOf(NewGameFromProto(kGuest, request));
  };
  EXPECT_EQ(reason_with(0, 0), "accepted");
  EXPECT_EQ(NewGameFromProto(kGuest, request)->first_move, Millis(0)) << "said: none";
  EXPECT_EQ(reason_with(10'000, 15'000), "accepted");
  EXPECT_EQ(reason_with(3'600'000, 604'800'000), "accepted");
  EXPECT_EQ(reason_with(9'999, 0), "INVALID_GAME");
  EXPECT_EQ(reason_with(3'600'001, 0), "INVALID_GAME");
  EXPECT_EQ(reason_with(-1, 0), "INVALID_GAME");
  EXPECT_EQ(reason_with(0, 14'999), "INVALID_GAME");
  EXPECT_EQ(reason_with(0, 604'800'001), "INVALID_GAME");
}

TEST(NewGameTest, RatedGamesHaveNoTakebacks) {
  pb::CreateGameRequest request = BetweenPeople(common_pb::PLAYER_KIND_PERSON);
  request.set_allow_takeback(true);
  EXPECT_EQ(ReasonOf(NewGameFromProto(kMatchmaking, request)), "INVALID_GAME");
  request.set_rated(false);
  EXPECT_TRUE(NewGameFromProto(kMatchmaking, request)->allow_takeback);
}

TEST(NewGameTest, NobodyPlaysAgainstThemselves) {
  pb::CreateGameRequest request = BetweenPeople(common_pb::PLAYER_KIND_PERSON);
  request.mutable_second()->set_player_id("ann");
  EXPECT_EQ(ReasonOf(NewGameFromProto(kMatchmaking, request)), "INVALID_GAME");
}

}  // namespace
}  // namespace komadai::game
