// The rating service over gRPC, on every database it runs on.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/sql/testing/backends.h"
#include "services/rating/rating_component.h"

namespace komadai::rating {
namespace {

namespace common = ::komadai::common::v1;
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
    stub_ = v1::RatingService::NewStub(server_->NewTcpChannel());
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
  std::unique_ptr<grpc::ClientContext> With(const v1::Session& session) {
    std::unique_ptr<grpc::ClientContext> context = Nobody();
    context->AddMetadata("authorization", "Bearer " + session.token());
    return context;
  }

  v1::Session Guest(const std::string& nickname) {
    v1::CreateGuestSessionRequest request;
    request.set_nickname(nickname);
    v1::CreateGuestSessionResponse response;
    EXPECT_EQ(Call(Nobody(), &Stub::CreateGuestSession, request, &response), "OK");
    return response.session();
  }
  v1::Session TestPlayer(const std::string& name) {
    v1::CreateTestSessionRequest request;
    request.set_name(name);
    v1::CreateTestSessionResponse response;
    EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, request, &response), "OK");
    return response.session();
  }
  v1::ApplyResultRequest Won(const std::string& game_id, const v1::Session& first,
                             const v1::Session& second) {
    v1::ApplyResultRequest request;
    request.set_game_id(game_id);
    request.set_variant(common::VARIANT_SHOGI);
    *request.mutable_first() = first.player();
    *request.mutable_second() = second.player();
    request.mutable_result()->set_outcome(common::OUTCOME_FIRST_WINS);
    request.mutable_result()->set_ending(common::ENDING_RESIGNATION);
    request.mutable_result()->set_plies(101);
    request.set_rated(true);
    request.set_ended_at_ms(1'700'000'000'000);
    return request;
  }

  using Stub = v1::RatingService::Stub;
  std::unique_ptr<sql::testing::Backend> backend_;
  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<Stub> stub_;
};

INSTANTIATE_TEST_SUITE_P(Backends, RatingServiceTest,
                         ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(RatingServiceTest, AGuestSessionIsWhoItSays) {
  const v1::Session session = Guest("  Taro\u202E ");
  EXPECT_EQ(session.player().name(), "Taro");
  EXPECT_EQ(session.player().kind(), common::PLAYER_KIND_GUEST);
  v1::GetProfileResponse profile;
  EXPECT_EQ(Call(With(session), &Stub::GetProfile, v1::GetProfileRequest(), &profile), "OK");
  EXPECT_EQ(profile.player().player_id(), session.player().player_id());
  EXPECT_EQ(profile.player().name(), "Taro");
  EXPECT_GT(profile.created_at_ms(), 0);
  EXPECT_EQ(profile.ratings_size(), 0);
  EXPECT_NE(Guest("Taro").player().player_id(), session.player().player_id());
  EXPECT_FALSE(Guest("").player().name().empty());
}

TEST_P(RatingServiceTest, BadNamesAreRefused) {
  v1::CreateGuestSessionRequest request;
  request.set_nickname(std::string(25, 'x'));
  v1::CreateGuestSessionResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateGuestSession, request, &response), "INVALID_NAME");
  v1::CreateTestSessionResponse test;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, v1::CreateTestSessionRequest(), &test),
            "INVALID_NAME");
}

TEST_P(RatingServiceTest, OneAddressOpensOnlySoManyGuestSessions) {
  RatingConfig config;
  config.guest_sessions_per_minute = 2;
  Start(config);
  Guest("a");
  Guest("b");
  v1::CreateGuestSessionResponse response;
  const std::unique_ptr<grpc::ClientContext> context = Nobody();
  const grpc::Status status =
      stub_->CreateGuestSession(context.get(), v1::CreateGuestSessionRequest(), &response);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  const Error error = rpc::FromGrpcStatus(status);
  EXPECT_EQ(error.reason(), "TOO_MANY_SESSIONS");
  EXPECT_GT(std::stoi(error.metadata().at(rpc::kRetryAfterMs)), 0);
}

TEST_P(RatingServiceTest, TestPlayersAreVerifiedAndTheSameNameIsTheSamePlayer) {
  const v1::Session session = TestPlayer("alice");
  EXPECT_EQ(session.player().kind(), common::PLAYER_KIND_PERSON);
  EXPECT_EQ(TestPlayer("alice").player().player_id(), session.player().player_id());
  EXPECT_NE(TestPlayer("bob").player().player_id(), session.player().player_id());
}

TEST_P(RatingServiceTest, TestPlayersAreOffUnlessAllowed) {
  Start(RatingConfig());
  v1::CreateTestSessionRequest request;
  request.set_name("alice");
  v1::CreateTestSessionResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::CreateTestSession, request, &response), "TEST_PLAYERS_DISABLED");
}

TEST_P(RatingServiceTest, AResultMovesBothRatingsOnceHoweverOftenItArrives) {
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  const v1::ApplyResultRequest request = Won("game1", alice, bob);
  v1::ApplyResultResponse first;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, request, &first), "OK");
  ASSERT_EQ(first.changes_size(), 2);
  EXPECT_EQ(first.changes(0).player_id(), alice.player().player_id());
  EXPECT_EQ(first.changes(0).before(), 1200);
  EXPECT_EQ(first.changes(0).after(), 1216);
  EXPECT_EQ(first.changes(0).k(), 32);
  EXPECT_EQ(first.changes(1).after(), 1184);
  EXPECT_EQ(first.changes(1).expected(), 0.5);
  v1::ApplyResultResponse again;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, request, &again), "OK");
  EXPECT_EQ(again.SerializeAsString(), first.SerializeAsString());

  v1::GetRatingRequest own;
  own.set_variant(common::VARIANT_SHOGI);
  v1::GetRatingResponse rating;
  EXPECT_EQ(Call(With(alice), &Stub::GetRating, own, &rating), "OK");
  EXPECT_EQ(rating.rating().elo(), 1216);
  EXPECT_EQ(rating.rating().games(), 1);
  EXPECT_TRUE(rating.rating().provisional());
  EXPECT_TRUE(rating.rating().unrated());
  EXPECT_EQ(rating.rating().grade(), "");

  v1::ApplyResultRequest other = request;
  other.mutable_result()->set_outcome(common::OUTCOME_DRAW);
  v1::ApplyResultResponse refused;
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, other, &refused), "GAME_RATED_DIFFERENTLY");
}

TEST_P(RatingServiceTest, OnlyServicesApplyResults) {
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  v1::ApplyResultResponse response;
  const v1::ApplyResultRequest request = Won("game1", alice, bob);
  EXPECT_EQ(Call(Nobody(), &Stub::ApplyResult, request, &response), "UNAUTHENTICATED");
  EXPECT_EQ(Call(With(alice), &Stub::ApplyResult, request, &response), "PERMISSION_DENIED");
}

TEST_P(RatingServiceTest, CasualGamesAndGuestsAreAcknowledgedWithoutAChange) {
  const v1::Session alice = TestPlayer("alice");
  v1::ApplyResultResponse response;
  v1::ApplyResultRequest casual = Won("game1", alice, TestPlayer("bob"));
  casual.set_rated(false);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, casual, &response), "OK");
  EXPECT_EQ(response.changes_size(), 0);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, Won("game2", alice, Guest("g")), &response), "OK");
  EXPECT_EQ(response.changes_size(), 0);
  EXPECT_EQ(Call(Service(), &Stub::ApplyResult, Won("game3", alice, alice), &response),
            "SELF_PLAY");
}

TEST_P(RatingServiceTest, HistoryIsPaged) {
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  for (int i = 1; i <= 3; ++i) {
    v1::ApplyResultResponse response;
    ASSERT_EQ(
        Call(Service(), &Stub::ApplyResult, Won("game" + std::to_string(i), alice, bob), &response),
        "OK");
  }
  v1::ListRatingHistoryRequest request;
  request.set_player_id(bob.player().player_id());
  request.set_variant(common::VARIANT_SHOGI);
  request.set_page_size(2);
  v1::ListRatingHistoryResponse page;
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
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  for (int i = 0; i < 18; ++i) {
    v1::ApplyResultRequest request = Won("game" + std::to_string(i), alice, bob);
    if (i % 3 == 0) request.mutable_result()->set_outcome(common::OUTCOME_SECOND_WINS);
    v1::ApplyResultResponse response;
    ASSERT_EQ(Call(Service(), &Stub::ApplyResult, request, &response), "OK");
  }
  v1::ListLeaderboardRequest request;
  request.set_variant(common::VARIANT_SHOGI);
  request.set_page_size(1);
  v1::ListLeaderboardResponse page;
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
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  v1::ComparePlayersRequest request;
  request.set_player_id(bob.player().player_id());
  request.set_opponent_id(alice.player().player_id());
  request.set_variant(common::VARIANT_SHOGI);
  v1::ComparePlayersResponse response;
  EXPECT_EQ(Call(Nobody(), &Stub::ComparePlayers, request, &response), "OK");
  EXPECT_EQ(response.expected(), 0.5);
  EXPECT_EQ(response.suggested_handicap(), "");
  for (int i = 0; i < 6; ++i) {
    v1::ApplyResultResponse applied;
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
  const v1::Session alice = TestPlayer("alice");
  const v1::Session bob = TestPlayer("bob");
  const SystemTimeSource time;
  const std::int64_t now = ToUnixMillis(time.Now());
  v1::CheckRatedGameRequest pair;
  pair.set_player_id(alice.player().player_id());
  pair.set_opponent_id(bob.player().player_id());
  v1::CheckRatedGameResponse check;
  EXPECT_EQ(Call(Service(), &Stub::CheckRatedGame, pair, &check), "OK");
  EXPECT_TRUE(check.allowed());
  EXPECT_EQ(check.limit(), 2);
  for (int i = 1; i <= 3; ++i) {
    v1::ApplyResultRequest game = Won("game" + std::to_string(i), alice, bob);
    game.set_ended_at_ms(now - 1000 * (4 - i));
    game.mutable_result()->set_plies(10);
    v1::ApplyResultResponse applied;
    ASSERT_EQ(Call(Service(), &Stub::ApplyResult, game, &applied), "OK");
  }
  EXPECT_EQ(Call(Service(), &Stub::CheckRatedGame, pair, &check), "OK");
  EXPECT_FALSE(check.allowed());
  EXPECT_EQ(check.games(), 3);
  EXPECT_EQ(check.allowed_again_at_ms(), now - 2000 + 24 * 3'600'000);

  v1::ComparePlayersRequest compare;
  compare.set_player_id(bob.player().player_id());
  compare.set_opponent_id(alice.player().player_id());
  compare.set_variant(common::VARIANT_SHOGI);
  v1::ComparePlayersResponse compared;
  EXPECT_EQ(Call(Nobody(), &Stub::ComparePlayers, compare, &compared), "OK");
  EXPECT_EQ(compared.games(), 3);
  EXPECT_EQ(compared.losses(), 3);
  EXPECT_EQ(compared.wins(), 0);

  v1::GetRatingChartRequest chart_of;
  chart_of.set_variant(common::VARIANT_SHOGI);
  v1::GetRatingChartResponse chart;
  EXPECT_EQ(Call(With(bob), &Stub::GetRatingChart, chart_of, &chart), "OK");
  ASSERT_GE(chart.points_size(), 1);
  EXPECT_EQ(chart.points(chart.points_size() - 1).games(), 3);
  EXPECT_LT(chart.points(chart.points_size() - 1).elo(), 1200);

  v1::ListRatingSignalsRequest signals_of;
  signals_of.set_player_id(bob.player().player_id());
  signals_of.set_page_size(3);
  v1::ListRatingSignalsResponse signals;
  EXPECT_EQ(Call(With(bob), &Stub::ListRatingSignals, signals_of, &signals), "PERMISSION_DENIED");
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "OK");
  // Three early losses, and the third game was one too many.
  ASSERT_EQ(signals.signals_size(), 3);
  EXPECT_EQ(signals.signals(0).game_id(), "game3");
  EXPECT_EQ(signals.signals(0).kind(), v1::RATING_SIGNAL_KIND_REPEATED_PAIR);
  EXPECT_EQ(signals.signals(1).kind(), v1::RATING_SIGNAL_KIND_EARLY_LOSS);
  signals_of.set_page_token(signals.next_page_token());
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "OK");
  ASSERT_EQ(signals.signals_size(), 1);
  EXPECT_EQ(signals.signals(0).game_id(), "game1");
  EXPECT_EQ(signals.next_page_token(), "");
  signals_of.set_page_token("1~cheating~game1");
  EXPECT_EQ(Call(Service(), &Stub::ListRatingSignals, signals_of, &signals), "INVALID_PAGE_TOKEN");
}

TEST_P(RatingServiceTest, QuestionsAboutNobodyAreRefused) {
  v1::GetProfileResponse profile;
  EXPECT_EQ(Call(Nobody(), &Stub::GetProfile, v1::GetProfileRequest(), &profile),
            "PLAYER_REQUIRED");
  v1::GetProfileRequest unknown;
  unknown.set_player_id("p-unknown");
  EXPECT_EQ(Call(Nobody(), &Stub::GetProfile, unknown, &profile), "PLAYER_NOT_FOUND");
  v1::GetRatingRequest request;
  request.set_player_id("p-unknown");
  v1::GetRatingResponse rating;
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "UNKNOWN_VARIANT");
  request.set_variant(common::VARIANT_XIANGQI);
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "OK");
  EXPECT_EQ(rating.rating().elo(), 1200);
  request.set_player_id(std::string(1000, 'x'));
  EXPECT_EQ(Call(Nobody(), &Stub::GetRating, request, &rating), "INVALID_PLAYER_ID");
}

TEST_P(RatingServiceTest, AVerifiedCallerUnknownHereHasAProfileAllTheSame) {
  v1::GetProfileResponse profile;
  EXPECT_EQ(Call(server_->ContextAs(CallerKind::kPlayer, "oidc-sub"), &Stub::GetProfile,
                 v1::GetProfileRequest(), &profile),
            "OK");
  EXPECT_EQ(profile.player().player_id(), "oidc-sub");
  EXPECT_EQ(profile.player().kind(), common::PLAYER_KIND_PERSON);
}

}  // namespace
}  // namespace komadai::rating
