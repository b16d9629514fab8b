// The rating service over gRPC, on every database it runs on.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/sql/testing/backends.h"
#include "services/rating/bind.h"

namespace komadai::rating {
namespace {

namespace pb = ::komadai::rating::v1;
namespace common_pb = ::komadai::common::v1;
using rpc::CallerKind;

class RatingServiceTest : public ::testing::TestWithParam<sql::testing::BackendCase> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    RatingConfig config;
    config.allow_test_players = true;
    Start(config);
  }

  void Start(const RatingConfig& config) {
    stub_.reset();
    server_.reset();
    std::shared_ptr<sql::Database> database = backend_->Open();
    rpc::TestServerOptions options;
    options.listen = true;  // guest sessions are limited by network address
    server_ = std::make_unique<rpc::TestServer>(
        std::vector<rpc::ComponentSpec>{RatingComponentOn(database, config)}, options);
    stub_ = pb::RatingService::NewStub(server_->NewTcpChannel());
  }

  // Calls a method as nobody, with a token, or as a caller of some kind; the reason of the failure
  // or "OK".
  template <typename Method, typename Request, typename Response>
  std::string Call(std::unique_ptr<grpc::ClientContext> context, Method method,
                   const Request& request, Response* response) {
    const grpc::Status status = (stub_.get()->*method)(context.get(), request, response);
    return status.ok() ? "OK" : rpc::FromGrpcStatus(status).reason();
  }
  std::unique_ptr<grpc::ClientContext> Nobody() { return server_->AnonymousContext(); }
  std::unique_ptr<grpc::ClientContext> Service() {
    return server_->ContextAs(CallerKind::kService, "komadai-game");
  }
  std::unique_ptr<grpc::ClientContext> With(const pb::Session& session) {
    std::unique_ptr<grpc::ClientContext> context = Nobody();
    context->AddMetadata("authorization", "Bearer " + session.token());
    return context;
  }

  pb::Session Guest(const std::string& nickname) {
    pb::CreateGuestSessionRequest request;
    request.set_nickname(nickname);
    pb::CreateGuestSessionResponse response;
    EXPECT_EQ(Call(Nobody(), &Stub::CreateGuestSession, request, &response), "OK");
    return response.session();
  }
  pb::Session TestPlayer(const std::string& name) {
    pb::CreateTestSessionRequest request;
    request.set_name(name);
    pb::CreateTestSessionResponse response;
    EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, request, &response), "OK");
    return response.session();
  }
  pb::ApplyResultRequest Won(const std::string& game_id, const pb::Session& first,
                             const pb::Session& second) {
    pb::ApplyResultRequest request;
    request.set_game_id(game_id);
    request.set_variant(common_pb::VARIANT_SHOGI);
    *request.mutable_first() = first.player();
    *request.mutable_second() = second.player();
    request.mutable_result()->set_outcome(common_pb::OUTCOME_FIRST_WINS);
    request.mutable_result()->set_ending(common_pb::ENDING_RESIGNATION);
    request.mutable_result()->set_plies(101);
    request.set_rated(true);
    request.set_ended_at_ms(1'700'000'000'000);
    return request;
  }

  using Stub = pb::RatingService::Stub;
  std::unique_ptr<sql::testing::Backend> backend_;
  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<Stub> stub_;
};

INSTANTIATE_TEST_SUITE_P(Backends, RatingServiceTest,
                         ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(RatingServiceTest, AGuestSessionIsWhoItSays) {
  const pb::Session session = Guest("  Taro\u202E ");
  EXPECT_EQ(session.player().name(), "Taro");
  EXPECT_EQ(session.player().kind(), common_pb::PLAYER_KIND_GUEST);
  pb::GetProfileResponse profile;
  EXPECT_EQ(Call(With(session), &Stub::GetProfile, pb::GetProfileRequest(), &profile), "OK");
  EXPECT_EQ(profile.player().player_id(), session.player().player_id());
  EXPECT_EQ(profile.player().name(), "Taro");
  EXPECT_GT(profile.created_at_ms(), 0);
  EXPECT_EQ(profile.ratings_size(), 0);
  EXPECT_NE(Guest("Taro").player().player_id(), session.player().player_id());
  EXPECT_FALSE(Guest("").player().name().empty());
}

TEST_P(RatingServiceTest, BadNamesAreRefused) {
  pb::CreateGuestSessionRequest request;
  request.set_nickname(std::string(25, 'x'));
  pb::CreateGuestSessionResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateGuestSession, request, &response), "INVALID_NAME");
  pb::CreateTestSessionResponse test;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, pb::CreateTestSessionRequest(), &test),
            "INVALID_NAME");
}

TEST_P(RatingServiceTest, OneAddressOpensOnlySoManyGuestSessions) {
  RatingConfig config;
  config.guest_sessions_per_minute = 2;
  Start(config);
  Guest("a");
  Guest("b");
  pb::CreateGuestSessionResponse response;
  const std::unique_ptr<grpc::ClientContext> context = Nobody();
  const grpc::Status status =
      stub_->CreateGuestSession(context.get(), pb::CreateGuestSessionRequest(), &response);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  const Error error = rpc::FromGrpcStatus(status);
  EXPECT_EQ(error.reason(), "TOO_MANY_SESSIONS");
  EXPECT_GT(std::stoi(error.metadata().at(rpc::kRetryAfterMs)), 0);
}

TEST_P(RatingServiceTest, TestPlayersAreVerifiedAndTheSameNameIsTheSamePlayer) {
  const pb::Session session = TestPlayer("alice");
  EXPECT_EQ(session.player().kind(), common_pb::PLAYER_KIND_PERSON);
  EXPECT_EQ(TestPlayer("alice").player().player_id(), session.player().player_id());
  EXPECT_NE(TestPlayer("bob").player().player_id(), session.player().player_id());
}

TEST_P(RatingServiceTest, TestPlayersAreOffUnlessAllowed) {
  Start(RatingConfig());
  pb::CreateTestSessionRequest request;
  request.set_name("alice");
  pb::CreateTestSessionResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, request, &response), "TEST_PLAYERS_DISABLED");
}

TEST_P(RatingServiceTest, AResultMovesBothRatingsOnceHoweverOftenItArrives) {
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  const pb::ApplyResultRequest request = Won("game1", alice, bob);
  pb::ApplyResultResponse first;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, request, &first), "OK");
  ASSERT_EQ(first.changes_size(), 2);
  EXPECT_EQ(first.changes(0).player_id(), alice.player().player_id());
  EXPECT_EQ(first.changes(0).before(), 1200);
  EXPECT_EQ(first.changes(0).after(), 1216);
  EXPECT_EQ(first.changes(0).k(), 32);
  EXPECT_EQ(first.changes(1).after(), 1184);
  EXPECT_EQ(first.changes(1).expected(), 0.5);
  pb::ApplyResultResponse again;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, request, &again), "OK");
  EXPECT_EQ(again.SerializeAsString(), first.SerializeAsString());

  pb::GetRatingRequest own;
  own.set_variant(common_pb::VARIANT_SHOGI);
  pb::GetRatingResponse rating;
  EXPECT_EQ(Call(With(alice), &Stub::GetRating, own, &rating), "OK");
  EXPECT_EQ(rating.rating().elo(), 1216);
  EXPECT_EQ(rating.rating().games(), 1);
  EXPECT_TRUE(rating.rating().provisional());
  EXPECT_TRUE(rating.rating().unrated());
  EXPECT_EQ(rating.rating().grade(), "");

  pb::ApplyResultRequest other = request;
  other.mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
  pb::ApplyResultResponse refused;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, other, &refused), "GAME_RATED_DIFFERENTLY");
}

TEST_P(RatingServiceTest, OnlyServicesApplyResults) {
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  pb::ApplyResultResponse response;
  const pb::ApplyResultRequest request = Won("game1", alice, bob);
  EXPECT_EQ(Call(Nobody(), &Stub::ApplyResult, request, &response), "UNAUTHENTICATED");
  EXPECT_EQ(Call(With(alice), &Stub::ApplyResult, request, &response), "PERMISSION_DENIED");
}

TEST_P(RatingServiceTest, CasualGamesAndGuestsAreAcknowledgedWithoutAChange) {
  const pb::Session alice = TestPlayer("alice");
  pb::ApplyResultResponse response;
  pb::ApplyResultRequest casual = Won("game1", alice, TestPlayer("bob"));
  casual.set_rated(false);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, casual, &response), "OK");
  EXPECT_EQ(response.changes_size(), 0);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, Won("game2", alice, Guest("g")), &response), "OK");
  EXPECT_EQ(response.changes_size(), 0);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, Won("game3", alice, alice), &response),
            "SELF_PLAY");
}

TEST_P(RatingServiceTest, HistoryIsPaged) {
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  for (int i = 1; i <= 3; ++i) {
    pb::ApplyResultResponse response;
    ASSERT_EQ(
        Call(Service(), &Stub::ApplyResult, Won("game" + std::to_string(i), alice, bob), &response),
        "OK");
  }
  pb::ListRatingHistoryRequest request;
  request.set_player_id(bob.player().player_id());
  request.set_variant(common_pb::VARIANT_SHOGI);
  request.set_page_size(2);
  pb::ListRatingHistoryResponse page;
  EXPECT_EQ(Call(Nobody(), &Stub::ListRatingHistory, request, &page), "OK");
  ASSERT_EQ(page.changes_size(), 2);
  EXPECT_EQ(page.changes(0).game_id(), "game3");
  EXPECT_EQ(page.changes(0).before(), page.changes(1).after());
  request.set_page_token(page.next_page_token());
  EXPECT_EQ(Call(Nobody(), &Stub::ListRatingHistory, request, &page), "OK");
  ASSERT_EQ(page.changes_size(), 1);
  EXPECT_EQ(page.changes(0).before(), 1200);
  EXPECT_EQ(page.next_page_token(), "");
  request.set_page_token("nonsense");
  EXPECT_EQ(Call(Nobody(), &Stub::ListRatingHistory, request, &page), "INVALID_PAGE_TOKEN");
}

TEST_P(RatingServiceTest, TheLeaderboardShowsTheCallersOwnPlace) {
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  for (int i = 0; i < 18; ++i) {
    pb::ApplyResultRequest request = Won("game" + std::to_string(i), alice, bob);
    if (i % 3 == 0) request.mutable_result()->set_outcome(common_pb::OUTCOME_SECOND_WINS);
    pb::ApplyResultResponse response;
    ASSERT_EQ(Call(Service(), &Stub::ApplyResult, request, &response), "OK");
  }
  pb::ListLeaderboardRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  request.set_page_size(1);
  pb::ListLeaderboardResponse page;
  EXPECT_EQ(Call(With(bob), &Stub::ListLeaderboard, request, &page), "OK");
  ASSERT_EQ(page.entries_size(), 1);
  EXPECT_EQ(page.entries(0).player().name(), "alice");
  EXPECT_EQ(page.entries(0).rank(), 1);
  EXPECT_NE(page.entries(0).rating().grade(), "");
  EXPECT_EQ(page.own().rank(), 2);
  request.set_page_token(page.next_page_token());
  EXPECT_EQ(Call(Nobody(), &Stub::ListLeaderboard, request, &page), "OK");
  ASSERT_EQ(page.entries_size(), 1);
  EXPECT_EQ(page.entries(0).player().name(), "bob");
  EXPECT_EQ(page.next_page_token(), "");
  EXPECT_FALSE(page.has_own());
}

TEST_P(RatingServiceTest, ComparingTellsExpectationAndHandicap) {
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  pb::ComparePlayersRequest request;
  request.set_player_id(bob.player().player_id());
  request.set_opponent_id(alice.player().player_id());
  request.set_variant(common_pb::VARIANT_SHOGI);
  pb::ComparePlayersResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::ComparePlayers, request, &response), "OK");
  EXPECT_EQ(response.expected(), 0.5);
  EXPECT_EQ(response.suggested_handicap(), "");
  for (int i = 0; i < 6; ++i) {
    pb::ApplyResultResponse applied;
    ASSERT_EQ(
        Call(Service(), &Stub::ApplyResult, Won("game" + std::to_string(i), alice, bob), &applied),
        "OK");
  }
  EXPECT_EQ(Call(Nobody(), &Stub::ComparePlayers, request, &response), "OK");
  EXPECT_LT(response.expected(), 0.4);
  EXPECT_EQ(response.suggested_handicap(), "bishop");
  EXPECT_EQ(response.giver_id(), alice.player().player_id());
}

TEST_P(RatingServiceTest, APairHasItsGamesItsChartAndItsLimit) {
  RatingConfig config;
  config.allow_test_players = true;
  config.rated_games_per_pair = 2;
  Start(config);
  const pb::Session alice = TestPlayer("alice");
  const pb::Session bob = TestPlayer("bob");
  const SystemTimeSource time;
  const std::int64_t now = ToUnixMillis(time.Now());
  pb::CheckRatedGameRequest pair;
  pair.set_player_id(alice.player().player_id());
  pair.set_opponent_id(bob.player().player_id());
  pb::CheckRatedGameResponse check;
  EXPECT_EQ(Call(Service(), &Stub::CheckRatedGame, pair, &check), "OK");
  EXPECT_TRUE(check.allowed());
  EXPECT_EQ(check.limit(), 2);
  for (int i = 1; i <= 3; ++i) {
    pb::ApplyResultRequest game = Won("game" + std::to_string(i), alice, bob);
    game.set_ended_at_ms(now - 1000 * (4 - i));
    game.mutable_result()->set_plies(10);
    pb::ApplyResultResponse applied;
    ASSERT_EQ(Call(Service(), &Stub::ApplyResult, game, &applied), "OK");
  }
  EXPECT_EQ(Call(Service(), &Stub::CheckRatedGame, pair, &check), "OK");
  EXPECT_FALSE(check.allowed());
  EXPECT_EQ(check.games(), 3);
  EXPECT_EQ(check.allowed_again_at_ms(), now - 2000 + 24 * 3'600'000);

  pb::ComparePlayersRequest compare;
  compare.set_player_id(bob.player().player_id());
  compare.set_opponent_id(alice.player().player_id());
  compare.set_variant(common_pb::VARIANT_SHOGI);
  pb::ComparePlayersResponse compared;
  EXPECT_EQ(Call(Nobody(), &Stub::ComparePlayers, compare, &compared), "OK");
  EXPECT_EQ(compared.games(), 3);
  EXPECT_EQ(compared.losses(), 3);
  EXPECT_EQ(compared.wins(), 0);

  pb::GetRatingChartRequest chart_of;
  chart_of.set_variant(common_pb::VARIANT_SHOGI);
  pb::GetRatingChartResponse chart;
  EXPECT_EQ(Call(With(bob), &Stub::GetRatingChart, chart_of, &chart), "OK");
  ASSERT_GE(chart.points_size(), 1);
  EXPECT_EQ(chart.points(chart.points_size() - 1).games(), 3);
  EXPECT_LT(chart.points(chart.points_size() - 1).elo(), 1200);

  pb::ListRatingSignalsRequest signals_of;
  signals_of.set_player_id(bob.player().player_id());
  signals_of.set_page_size(3);
  pb::ListRatingSignalsResponse signals;
  EXPECT_EQ(Call(With(bob), &Stub::ListRatingSignals, signals_of, &signals), "PERMISSION_DENIED");
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "OK");
  // Three early losses, and the third game was one too many.
  ASSERT_EQ(signals.signals_size(), 3);
  EXPECT_EQ(signals.signals(0).game_id(), "game3");
  EXPECT_EQ(signals.signals(0).kind(), pb::RATING_SIGNAL_KIND_REPEATED_PAIR);
  EXPECT_EQ(signals.signals(1).kind(), pb::RATING_SIGNAL_KIND_EARLY_LOSS);
  signals_of.set_page_token(signals.next_page_token());
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "OK");
  ASSERT_EQ(signals.signals_size(), 1);
  EXPECT_EQ(signals.signals(0).game_id(), "game1");
  EXPECT_EQ(signals.next_page_token(), "");
  signals_of.set_page_token("1~cheating~game1");
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "INVALID_PAGE_TOKEN");
}

TEST_P(RatingServiceTest, QuestionsAboutNobodyAreRefused) {
  pb::GetProfileResponse profile;
  EXPECT_EQ(Call(Nobody(), &Stub::GetProfile, pb::GetProfileRequest(), &profile),
            "PLAYER_REQUIRED");
  pb::GetProfileRequest unknown;
  unknown.set_player_id("p-unknown");
  EXPECT_EQ(Call(Nobody(), &Stub::GetProfile, unknown, &profile), "PLAYER_NOT_FOUND");
  pb::GetRatingRequest request;
  request.set_player_id("p-unknown");
  pb::GetRatingResponse rating;
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "UNKNOWN_VARIANT");
  request.set_variant(common_pb::VARIANT_XIANGQI);
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "OK");
  EXPECT_EQ(rating.rating().elo(), 1200);
  request.set_player_id(std::string(1000, 'x'));
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "INVALID_PLAYER_ID");
}

TEST_P(RatingServiceTest, AVerifiedCallerUnknownHereHasAProfileAllTheSame) {
  pb::GetProfileResponse profile;
  EXPECT_EQ(Call(server_->ContextAs(CallerKind::kPlayer, "oidc-sub"), &Stub::GetProfile,
                 pb::GetProfileRequest(), &profile),
            "OK");
  EXPECT_EQ(profile.player().player_id(), "oidc-sub");
  EXPECT_EQ(profile.player().kind(), common_pb::PLAYER_KIND_PERSON);
}

}  // namespace
}  // namespace komadai::rating
