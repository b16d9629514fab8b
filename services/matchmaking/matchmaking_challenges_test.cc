// The matchmaking service over gRPC: challenges and rematches.
#include <gtest/gtest.h>

#include <functional>

#include "services/matchmaking/testing/service_fixture.h"

namespace komadai::matchmaking {
namespace {

using ChallengeServiceTest = MatchmakingServiceTest;

TEST_F(ChallengeServiceTest, AnybodyWithTheLinkSeesAndAcceptsAChallenge) {
  pb::CreateChallengeRequest request = ChallengeRequest();
  request.set_side(pb::SIDE_WISH_FIRST);
  request.set_lifetime_seconds(60);
  const pb::Challenge made = Challenge("ann", request);
  EXPECT_EQ(made.state(), pb::CHALLENGE_STATE_OPEN);
  EXPECT_EQ(made.challenger().player_id(), "ann");
  EXPECT_EQ(made.expires_at_ms(), time_.now_ms + 60'000);
  const pb::Challenge seen =
      Ok(Nobody(), &Stub::GetChallenge, GetRequest(made.challenge_id())).challenge();
  EXPECT_EQ(seen.SerializeAsString(), made.SerializeAsString());

  const pb::AcceptChallengeRequest accept = AcceptRequest(made.challenge_id());
  const pb::AcceptChallengeResponse accepted = Ok(As("bob"), &Stub::AcceptChallenge, accept);
  EXPECT_EQ(accepted.side(), common_pb::SIDE_SECOND);
  EXPECT_EQ(accepted.challenge().state(), pb::CHALLENGE_STATE_ACCEPTED);
  const game::v1::Game game = game_.Get(accepted.challenge().game_id());
  EXPECT_EQ(game.first().player_id(), "ann");
  EXPECT_EQ(game.second().player_id(), "bob");
  EXPECT_EQ(game.second().rating(), 1500);
  const pb::AcceptChallengeResponse again = Ok(As("bob"), &Stub::AcceptChallenge, accept);
  EXPECT_EQ(again.challenge().game_id(), accepted.challenge().game_id());
  EXPECT_EQ(again.side(), common_pb::SIDE_SECOND);
  EXPECT_EQ(Ok(As("ann"), &Stub::AcceptChallenge, accept).side(), common_pb::SIDE_FIRST);
  EXPECT_TRUE(Refused(As("cat"), &Stub::AcceptChallenge, accept, StatusCode::FAILED_PRECONDITION,
                      "CHALLENGE_CLOSED"));
}

TEST_F(ChallengeServiceTest, CreatingIsIdempotentByRequestId) {
  const pb::Challenge made = Challenge("ann", ChallengeRequest());
  EXPECT_EQ(Challenge("ann", ChallengeRequest()).challenge_id(), made.challenge_id());
  pb::CreateChallengeRequest other = ChallengeRequest();
  other.set_listed(true);
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateChallenge, other, StatusCode::INVALID_ARGUMENT,
                      "REQUEST_ID_REUSED"));
}

TEST_F(ChallengeServiceTest, AnInvitationIsForOnePerson) {
  const pb::Challenge made = Challenge("ann", ChallengeRequest("bob"));
  const pb::AcceptChallengeRequest accept = AcceptRequest(made.challenge_id());
  EXPECT_TRUE(Refused(As("cat"), &Stub::AcceptChallenge, accept, StatusCode::PERMISSION_DENIED,
                      "NOT_YOURS"));
  EXPECT_TRUE(Refused(As("ann"), &Stub::AcceptChallenge, accept, StatusCode::FAILED_PRECONDITION,
                      "OWN_CHALLENGE"));
  EXPECT_EQ(game_.games(), 0u);
  EXPECT_FALSE(Ok(As("bob"), &Stub::AcceptChallenge, accept).challenge().game_id().empty());
}

TEST_F(ChallengeServiceTest, TheInvitedPersonDeclines) {
  const pb::Challenge made = Challenge("ann", ChallengeRequest("bob"));
  const pb::DeclineChallengeRequest decline = DeclineRequest(made.challenge_id());
  EXPECT_TRUE(Refused(As("cat"), &Stub::DeclineChallenge, decline, StatusCode::PERMISSION_DENIED,
                      "NOT_YOURS"));
  EXPECT_TRUE(Refused(Nobody(), &Stub::DeclineChallenge, decline, StatusCode::UNAUTHENTICATED,
                      "UNAUTHENTICATED"));
  const pb::Challenge declined = Ok(As("bob"), &Stub::DeclineChallenge, decline).challenge();
  EXPECT_EQ(declined.state(), pb::CHALLENGE_STATE_DECLINED);
  EXPECT_EQ(Ok(As("bob"), &Stub::DeclineChallenge, decline).challenge().state(),
            pb::CHALLENGE_STATE_DECLINED)
      << "a repeat";
  EXPECT_EQ(Ok(Nobody(), &Stub::GetChallenge, GetRequest(made.challenge_id())).challenge().state(),
            pb::CHALLENGE_STATE_DECLINED);
  EXPECT_TRUE(Refused(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()),
                      StatusCode::FAILED_PRECONDITION, "CHALLENGE_CLOSED"));
  EXPECT_EQ(last_error_->metadata().at("state"), "CHALLENGE_STATE_DECLINED");
}

TEST_F(ChallengeServiceTest, TheChallengerWithdraws) {
  const pb::Challenge made = Challenge("ann", ChallengeRequest());
  const pb::DeclineChallengeRequest decline = DeclineRequest(made.challenge_id());
  EXPECT_TRUE(Refused(As("bob"), &Stub::DeclineChallenge, decline, StatusCode::PERMISSION_DENIED,
                      "NOT_YOURS"))
      << "a link is declined by not following it";
  EXPECT_EQ(Ok(As("ann"), &Stub::DeclineChallenge, decline).challenge().state(),
            pb::CHALLENGE_STATE_DECLINED);
}

TEST_F(ChallengeServiceTest, AnAcceptedChallengeIsNotDeclined) {
  const pb::Challenge made = Challenge("ann", ChallengeRequest("bob"));
  (void)Ok(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()));
  for (const char* player : {"ann", "bob"}) {
    EXPECT_TRUE(Refused(As(player), &Stub::DeclineChallenge, DeclineRequest(made.challenge_id()),
                        StatusCode::FAILED_PRECONDITION, "CHALLENGE_CLOSED"));
  }
}

TEST_F(ChallengeServiceTest, AChallengeExpires) {
  pb::CreateChallengeRequest request = ChallengeRequest("bob");
  request.set_lifetime_seconds(60);
  const pb::Challenge made = Challenge("ann", request);
  const pb::GetChallengeRequest get = GetRequest(made.challenge_id());
  time_.now_ms += 59'999;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetChallenge, get).challenge().state(), pb::CHALLENGE_STATE_OPEN);
  time_.now_ms += 1;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetChallenge, get).challenge().state(),
            pb::CHALLENGE_STATE_EXPIRED);
  EXPECT_TRUE(Refused(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()),
                      StatusCode::FAILED_PRECONDITION, "CHALLENGE_CLOSED"));
  EXPECT_TRUE(Refused(As("bob"), &Stub::DeclineChallenge, DeclineRequest(made.challenge_id()),
                      StatusCode::FAILED_PRECONDITION, "CHALLENGE_CLOSED"));
}

TEST_F(ChallengeServiceTest, APlayerHasTenOpenChallenges) {
  std::vector<pb::Challenge> made;
  for (int i = 0; i < 10; ++i) made.push_back(Challenge("ann", ChallengeRequest("bob", i)));
  const pb::CreateChallengeRequest eleventh = ChallengeRequest("bob", 10);
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateChallenge, eleventh, StatusCode::RESOURCE_EXHAUSTED,
                      "TOO_MANY_CHALLENGES"));
  EXPECT_EQ(last_error_->metadata().at("limit"), "10");
  EXPECT_EQ(Challenge("cat", ChallengeRequest("bob", 10)).state(), pb::CHALLENGE_STATE_OPEN);
  (void)Ok(As("bob"), &Stub::DeclineChallenge, DeclineRequest(made[3].challenge_id()));
  EXPECT_EQ(Challenge("ann", eleventh).state(), pb::CHALLENGE_STATE_OPEN);
}

TEST_F(ChallengeServiceTest, AChallengeStaysOpenWhileAPlayerHasTooManyGames) {
  constexpr Reason kTooMany{Code::kResourceExhausted, "TOO_MANY_GAMES"};
  const pb::Challenge made = Challenge("ann", ChallengeRequest("bob"));
  game_.Refuse(&kTooMany, "bob");
  EXPECT_TRUE(Refused(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()),
                      StatusCode::RESOURCE_EXHAUSTED, "TOO_MANY_GAMES"));
  game_.Refuse(nullptr);
  EXPECT_FALSE(Ok(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()))
                   .challenge()
                   .game_id()
                   .empty());
}

TEST_F(ChallengeServiceTest, RatedGamesAreForVerifiedPlayersAndSoManyADay) {
  pb::CreateChallengeRequest rated = ChallengeRequest();
  rated.mutable_terms()->set_rated(true);
  EXPECT_TRUE(Refused(Guest("gus"), &Stub::CreateChallenge, rated, StatusCode::PERMISSION_DENIED,
                      "VERIFIED_ACCOUNT_NEEDED"));
  const pb::Challenge made = Challenge("ann", rated);
  const pb::AcceptChallengeRequest accept = AcceptRequest(made.challenge_id());
  EXPECT_TRUE(Refused(Guest("gus"), &Stub::AcceptChallenge, accept, StatusCode::PERMISSION_DENIED,
                      "VERIFIED_ACCOUNT_NEEDED"));
  rating_.Exhaust("ann", "bob");
  EXPECT_TRUE(Refused(As("bob"), &Stub::AcceptChallenge, accept, StatusCode::RESOURCE_EXHAUSTED,
                      "TOO_MANY_RATED_GAMES"));
  const pb::AcceptChallengeResponse accepted = Ok(As("cat"), &Stub::AcceptChallenge, accept);
  EXPECT_TRUE(game_.Get(accepted.challenge().game_id()).rated());
}

TEST_F(ChallengeServiceTest, MalformedChallengesAreRefused) {
  const auto refused = [this](const std::string& reason,
                              const std::function<void(pb::CreateChallengeRequest&)>& spoil) {
    pb::CreateChallengeRequest request = ChallengeRequest();
    spoil(request);
    return Refused(As("ann"), &Stub::CreateChallenge, request, StatusCode::INVALID_ARGUMENT,
                   reason);
  };
  EXPECT_TRUE(refused("BAD_REQUEST_ID", [](auto& r) { r.set_request_id("short"); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_request_id(std::string(19, 'r')); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_opponent_id(std::string(65, 'p')); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_lifetime_seconds(59); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_lifetime_seconds(604'801); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) {
    r.set_opponent_id("bob");
    r.set_listed(true);
  }));
  EXPECT_TRUE(refused("INVALID_TERMS", [](auto& r) {
    r.mutable_terms()->set_rated(true);
    r.mutable_terms()->set_allow_takeback(true);
  }));
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateChallenge, ChallengeRequest("ann"),
                      StatusCode::FAILED_PRECONDITION, "OWN_CHALLENGE"));
  EXPECT_TRUE(Refused(Nobody(), &Stub::CreateChallenge, ChallengeRequest(),
                      StatusCode::UNAUTHENTICATED, "UNAUTHENTICATED"));
}

TEST_F(ChallengeServiceTest, UnknownChallengesAreNotFound) {
  for (const auto& [id, code, reason] :
       {std::tuple(std::string(), StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"),
        std::tuple(std::string(65, 'c'), StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"),
        std::tuple(std::string("nothing"), StatusCode::NOT_FOUND, "CHALLENGE_NOT_FOUND")}) {
    EXPECT_TRUE(Refused(Nobody(), &Stub::GetChallenge, GetRequest(id), code, reason));
    EXPECT_TRUE(Refused(As("ann"), &Stub::AcceptChallenge, AcceptRequest(id), code, reason));
    EXPECT_TRUE(Refused(As("ann"), &Stub::DeclineChallenge, DeclineRequest(id), code, reason));
  }
}

TEST_F(ChallengeServiceTest, TwoWishesMakeARematchWithSidesSwapped) {
  pb::CreateChallengeRequest challenge = ChallengeRequest("bob");
  challenge.set_side(pb::SIDE_WISH_FIRST);
  const pb::Challenge made = Challenge("ann", challenge);
  const std::string game_id =
      Ok(As("bob"), &Stub::AcceptChallenge, AcceptRequest(made.challenge_id()))
          .challenge()
          .game_id();
  pb::RequestRematchRequest request;
  request.set_game_id(game_id);
  EXPECT_TRUE(Refused(As("ann"), &Stub::RequestRematch, request, StatusCode::FAILED_PRECONDITION,
                      "GAME_STILL_ON"));
  game::v1::Game game = game_.Get(game_id);
  game.mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
  game_.Change(game_id, game);
  EXPECT_TRUE(Refused(As("cat"), &Stub::RequestRematch, request, StatusCode::PERMISSION_DENIED,
                      "NOT_A_PLAYER"));
  const pb::RequestRematchResponse wish = Ok(As("ann"), &Stub::RequestRematch, request);
  EXPECT_EQ(wish.new_game_id(), "");
  EXPECT_EQ(wish.expires_at_ms(), time_.now_ms + 300'000);
  const pb::RequestRematchResponse both = Ok(As("bob"), &Stub::RequestRematch, request);
  EXPECT_EQ(game_.Get(both.new_game_id()).first().player_id(), "bob");
  EXPECT_EQ(Ok(As("ann"), &Stub::RequestRematch, request).new_game_id(), both.new_game_id());
}

TEST_F(ChallengeServiceTest, ARematchNeedsAGame) {
  pb::RequestRematchRequest request;
  EXPECT_TRUE(Refused(As("ann"), &Stub::RequestRematch, request, StatusCode::INVALID_ARGUMENT,
                      "INVALID_REQUEST"));
  request.set_game_id("nothing");
  EXPECT_TRUE(
      Refused(As("ann"), &Stub::RequestRematch, request, StatusCode::NOT_FOUND, "GAME_NOT_FOUND"));
}

}  // namespace
}  // namespace komadai::matchmaking
