// What players do beside moving, against the real all-in-one: two people in a game by challenge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/connection.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"

namespace komadai {
namespace {

using cli::Connection;
using cli::Targets;
using testing::ServerProcess;
using testing::TempDir;

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;
namespace match_pb = ::komadai::matchmaking::v1;
namespace rating_pb = ::komadai::rating::v1;

// Somebody with an account of the development server.
class Person {
 public:
  Person(const std::string& target, const std::string& name)
      : connection_(*Targets::Parse(target)) {
    rating_pb::CreateTestSessionRequest request;
    request.set_name(name);
    const Result<rating_pb::CreateTestSessionResponse> session =
        connection_.Call<rating_pb::CreateTestSessionResponse>(request);
    EXPECT_TRUE(session) << session.error().ToString();
    if (!session) return;
    connection_.SetToken(session->session().token());
    id_ = session->session().player().player_id();
  }

  const std::string& id() const { return id_; }
  Connection& connection() { return connection_; }

  // A call about one game.
  template <typename Request, typename Response>
  Result<Response> Do(const std::string& game_id, const std::function<void(Request&)>& fill = {}) {
    Request request;
    request.set_game_id(game_id);
    if (fill) fill(request);
    return connection_.Call<Response>(request);
  }
  Result<game_pb::PlayMoveResponse> Play(const std::string& game_id, int ply,
                                         const std::string& move) {
    return Do<game_pb::PlayMoveRequest, game_pb::PlayMoveResponse>(game_id, [&](auto& request) {
      request.set_expected_ply(ply);
      request.set_move(move);
    });
  }

 private:
  Connection connection_;
  std::string id_;
};

template <typename T>
std::string ReasonOf(const Result<T>& result) {
  return result ? "accepted" : result.error().reason();
}

class GameActionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<ServerProcess>> server = ServerProcess::Start(
        {"komadai",
         {"--data", dir_.File("data"), "--allow-test-players", "--log-level", "warning"},
         dir_.File("server.log")});
    ASSERT_TRUE(server) << server.error().ToString();
    server_ = *std::move(server);
    ann_ = std::make_unique<Person>(server_->address(), "Ann");
    bob_ = std::make_unique<Person>(server_->address(), "Bob");
  }

  // Ann (first) against Bob.
  std::string Begin(const match_pb::GameTerms& terms) {
    match_pb::CreateChallengeRequest request;
    request.set_request_id(cli::NewRequestId());
    *request.mutable_terms() = terms;
    request.set_side(match_pb::SIDE_WISH_FIRST);
    request.set_opponent_id(bob_->id());
    const auto challenge = ann_->connection().Call<match_pb::CreateChallengeResponse>(request);
    EXPECT_TRUE(challenge) << challenge.error().ToString();
    match_pb::AcceptChallengeRequest accept;
    accept.set_challenge_id(challenge->challenge().challenge_id());
    const auto accepted = bob_->connection().Call<match_pb::AcceptChallengeResponse>(accept);
    EXPECT_TRUE(accepted) << accepted.error().ToString();
    return accepted->challenge().game_id();
  }
  static match_pb::GameTerms Terms(const std::string& ruleset = "") {
    match_pb::GameTerms terms;
    terms.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
    terms.mutable_setup()->mutable_ruleset()->set_id(ruleset);
    terms.mutable_time_control()->mutable_first()->set_main_ms(300'000);
    terms.mutable_time_control()->mutable_lag_compensation()->set_per_move_ms(500);
    terms.mutable_time_control()->mutable_lag_compensation()->set_per_game_ms(5'000);
    terms.mutable_options()->set_claim_after_ms(15'000);
    return terms;
  }
  game_pb::Game Get(const std::string& game_id) {
    const auto game = ann_->Do<game_pb::GetGameRequest, game_pb::GetGameResponse>(game_id);
    EXPECT_TRUE(game) << game.error().ToString();
    return game ? game->game() : game_pb::Game();
  }
  bool Eventually(const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < until) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  TempDir dir_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Person> ann_;
  std::unique_ptr<Person> bob_;
};

TEST_F(GameActionsTest, AGameIsPausedAndGoesOn) {
  const std::string id = Begin(Terms());
  EXPECT_EQ(Get(id).options().first_move_ms(), 60'000) << "the server's default";
  EXPECT_GT(Get(id).first_move_deadline_ms(), 0);
  ASSERT_TRUE(ann_->Play(id, 0, "7g7f"));
  const auto offered =
      ann_->Do<game_pb::OfferPauseRequest, game_pb::OfferPauseResponse>(id, [](auto& request) {
        request.set_expected_ply(1);
        request.set_pause_ms(3'600'000);
      });
  ASSERT_TRUE(offered) << offered.error().ToString();
  EXPECT_EQ(offered->offers_left(), 2);
  const std::int64_t offer = Get(id).pause_offer().sequence();
  const auto paused =
      bob_->Do<game_pb::AnswerPauseRequest, game_pb::AnswerPauseResponse>(id, [&](auto& request) {
        request.set_accept(true);
        request.set_offer_sequence(offer);
      });
  ASSERT_TRUE(paused) << paused.error().ToString();
  EXPECT_GT(paused->pause().until_ms(), paused->pause().since_ms());
  EXPECT_EQ(ReasonOf(bob_->Play(id, 1, "3c3d")), "GAME_PAUSED");
  EXPECT_TRUE(Eventually([&] { return Get(id).clock().paused(); }));
  for (Person* person : {ann_.get(), bob_.get()}) {
    const auto resumed = person->Do<game_pb::ResumeGameRequest, game_pb::ResumeGameResponse>(
        id, [](auto& request) { request.set_expected_ply(1); });
    ASSERT_TRUE(resumed) << resumed.error().ToString();
  }
  EXPECT_FALSE(Get(id).has_pause());
  const auto played = bob_->Play(id, 1, "3c3d");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(played->clock().running(), common_pb::SIDE_FIRST);
}

TEST_F(GameActionsTest, WhoWatchesIsPresentAndWhoIsGoneCanBeClaimedAgainst) {
  const std::string id = Begin(Terms());
  ASSERT_TRUE(ann_->Play(id, 0, "7g7f"));
  ASSERT_TRUE(bob_->Play(id, 1, "3c3d"));
  const auto ann_is_there = [&] {
    const auto presence = bob_->Do<game_pb::GetPresenceRequest, game_pb::GetPresenceResponse>(id);
    EXPECT_TRUE(presence) << presence.error().ToString();
    return presence && presence->first_present();
  };
  EXPECT_FALSE(ann_is_there());
  const std::unique_ptr<grpc::ClientContext> context = ann_->connection().StreamContext();
  game_pb::WatchGameRequest watch;
  watch.set_game_id(id);
  const auto stream = ann_->connection().Open(*context, watch);
  game_pb::WatchGameResponse snapshot;
  ASSERT_TRUE(stream->Read(snapshot));
  EXPECT_TRUE(Eventually(ann_is_there));
  const auto claim = [&] {
    return bob_->Do<game_pb::ClaimVictoryRequest, game_pb::ClaimVictoryResponse>(
        id, [](auto& request) { request.set_expected_ply(2); });
  };
  EXPECT_EQ(ReasonOf(claim()), "OPPONENT_PRESENT");
  context->TryCancel();
  (void)stream->Finish();
  EXPECT_TRUE(Eventually([&] { return !ann_is_there(); }));
  const auto early = claim();
  ASSERT_EQ(ReasonOf(early), "CLAIM_TOO_EARLY");
  EXPECT_NE(early.error().metadata().at("seconds_left"), "0");
  const auto other = bob_->Do<game_pb::ClaimDrawRequest, game_pb::ClaimDrawResponse>(
      id, [](auto& request) { request.set_expected_ply(1); });
  EXPECT_EQ(ReasonOf(other), "STALE_PLY");
}

TEST_F(GameActionsTest, WhoeverWatchesAHandicapGameSeesWhereItStarted) {
  constexpr char kTwoPieces[] = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
  match_pb::GameTerms terms = Terms();
  terms.mutable_setup()->set_handicap("2_piece");
  const std::string id = Begin(terms);
  const auto expect_shown = [&](const game_pb::Game& game, int ply) {
    EXPECT_EQ(game.start_position(), kTwoPieces);
    EXPECT_EQ(game.ply(), ply);
    EXPECT_THAT((std::vector{game.first().name(), game.second().name()}),
                ::testing::UnorderedElementsAre("Ann", "Bob"));
  };
  game_pb::Game at_first;
  game_pb::Game later;
  for (game_pb::Game* seen : {&at_first, &later}) {
    for (Person* watcher : {ann_.get(), bob_.get()}) {
      const std::unique_ptr<grpc::ClientContext> context = watcher->connection().StreamContext();
      game_pb::WatchGameRequest watch;
      watch.set_game_id(id);
      const auto stream = watcher->connection().Open(*context, watch);
      game_pb::WatchGameResponse snapshot;
      ASSERT_TRUE(stream->Read(snapshot));
      *seen = snapshot.snapshot();
      expect_shown(*seen, seen == &at_first ? 0 : 1);
      context->TryCancel();
      (void)stream->Finish();
    }
    if (seen == &later) break;
    EXPECT_EQ(seen->position(), kTwoPieces);
    ASSERT_EQ(seen->side_to_move(), common_pb::SIDE_SECOND) << "uwate begins";
    Person& uwate = seen->second().player_id() == ann_->id() ? *ann_ : *bob_;
    const auto played = uwate.Play(id, 0, "3c3d");
    ASSERT_TRUE(played) << played.error().ToString();
    expect_shown(Get(id), 1);
  }
  EXPECT_NE(later.position(), kTwoPieces);
}

TEST_F(GameActionsTest, AProfessionalDrawIsReplayedWithSidesSwapped) {
  const std::string id = Begin(Terms("professional"));
  ASSERT_TRUE(ann_->Play(id, 0, "7g7f"));
  const auto offered = ann_->Do<game_pb::OfferDrawRequest, game_pb::OfferDrawResponse>(
      id, [](auto& request) { request.set_expected_ply(1); });
  ASSERT_TRUE(offered) << offered.error().ToString();
  const std::int64_t offer = Get(id).draw_offer_sequence();
  for (int i = 0; i < 2; ++i) {  // the second is a repeat
    const auto drawn =
        bob_->Do<game_pb::AnswerDrawRequest, game_pb::AnswerDrawResponse>(id, [&](auto& request) {
          request.set_accept(true);
          request.set_offer_sequence(offer);
        });
    ASSERT_TRUE(drawn) << drawn.error().ToString();
    EXPECT_EQ(drawn->result().ending(), common_pb::ENDING_AGREED_DRAW);
  }
  const std::string replay = Get(id).replayed_by();
  ASSERT_FALSE(replay.empty());
  EXPECT_TRUE(Eventually([&] {
    return ReasonOf(ann_->Do<game_pb::GetGameRequest, game_pb::GetGameResponse>(replay)) ==
           "accepted";
  }));
  const game_pb::Game game = Get(replay);
  EXPECT_EQ(game.replay_of(), id);
  EXPECT_EQ(game.first().player_id(), bob_->id());
  EXPECT_LT(game.time_control().second().main_ms(), 300'000) << "what Ann had left";
  EXPECT_TRUE(bob_->Play(replay, 0, "7g7f"));
}

TEST_F(GameActionsTest, ReportedLagIsCompensated) {
  const std::string id = Begin(Terms());
  const auto played =
      ann_->Do<game_pb::PlayMoveRequest, game_pb::PlayMoveResponse>(id, [](auto& request) {
        request.set_move("7g7f");
        request.set_thinking_ms(0);
      });
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(played->clock().first().main_left_ms() + played->clock().first().used_ms(), 300'000);
  EXPECT_LE(played->clock().first().compensated_ms(), 500);
  EXPECT_GT(played->clock().first().compensated_ms(), 0) << "at least a call to the server";
}

}  // namespace
}  // namespace komadai
