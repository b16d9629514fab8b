// A whole game through everything, as a user plays it: real binaries, real stores, real sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/connection.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"

namespace komadai {
namespace {

using cli::Connection;
using cli::Targets;
using testing::ChildProcess;
using ::testing::HasSubstr;
using testing::LocalStack;
using testing::ServerProcess;
using testing::TempDir;

namespace game_pb = ::komadai::game::v1;
namespace rating_pb = ::komadai::rating::v1;

constexpr int kDemoPlies = 117;

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// `komadai demo` as a process.
std::unique_ptr<ChildProcess> StartDemo(const std::string& target, const std::string& log,
                                        int pause_ms) {
  ChildProcess::Options options;
  options.command = {ServerProcess::BinDir() + "/komadai",
                     "demo",
                     "--target",
                     target,
                     "--pause-ms",
                     std::to_string(pause_ms)};
  options.log_file = log;
  Result<std::unique_ptr<ChildProcess>> demo = ChildProcess::Start(options);
  EXPECT_TRUE(demo) << demo.error().ToString();
  return demo ? *std::move(demo) : nullptr;
}

void ExpectDemoPlays(const std::string& target, const TempDir& dir) {
  const std::string log = dir.File("demo.log");
  const std::unique_ptr<ChildProcess> demo = StartDemo(target, log, 0);
  ASSERT_NE(demo, nullptr);
  EXPECT_EQ(demo->Wait(), 0) << TextOf(log);
  const std::string text = TextOf(log);
  EXPECT_THAT(text, HasSubstr("demo: ok plies=117 result=FIRST_WINS/RESIGNATION kifu="));
  EXPECT_THAT(text, HasSubstr("ratings:"));
}

std::unique_ptr<ServerProcess> StartAllInOne(const TempDir& dir) {
  Result<std::unique_ptr<ServerProcess>> server = ServerProcess::Start(
      {"komadai",
       {"--data", dir.File("data"), "--allow-test-players", "--log-level", "warning"},
       dir.File("server.log")});
  EXPECT_TRUE(server) << server.error().ToString();
  return server ? *std::move(server) : nullptr;
}

Connection Connect(const std::string& target) {
  Result<Targets> targets = Targets::Parse(target);
  return Connection(*targets);
}

// Waits until the demo's game has at least `plies`; its id.
std::string AwaitLiveGame(Connection& connection, int plies) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until) {
    const Result<game_pb::ListLiveGamesResponse> live =
        connection.Call<game_pb::ListLiveGamesResponse>(game_pb::ListLiveGamesRequest());
    if (live && live->games_size() > 0 && live->games(0).ply() >= plies) {
      return live->games(0).game_id();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ADD_FAILURE() << "no game reached ply " << plies;
  return "";
}

TEST(FirstGameTest, TheDemoPlaysAgainstTheAllInOne) {
  const TempDir dir;
  const std::unique_ptr<ServerProcess> server = StartAllInOne(dir);
  ASSERT_NE(server, nullptr);
  ExpectDemoPlays(server->address(), dir);
  EXPECT_EQ(server->Stop(), 0) << TextOf(dir.File("server.log"));
}

TEST(FirstGameTest, AKilledAllInOneGoesOnWithEveryAcknowledgedMove) {
  const TempDir dir;
  const std::unique_ptr<ServerProcess> server = StartAllInOne(dir);
  ASSERT_NE(server, nullptr);
  const std::string log = dir.File("demo.log");
  const std::unique_ptr<ChildProcess> demo = StartDemo(server->address(), log, 20);
  ASSERT_NE(demo, nullptr);
  Connection connection = Connect(server->address());
  const std::string game_id = AwaitLiveGame(connection, 25);
  server->Kill();
  const Status restarted = server->Restart();
  ASSERT_TRUE(restarted) << restarted.error().ToString();

  game_pb::GetGameRequest request;
  request.set_game_id(game_id);
  const Result<game_pb::GetGameResponse> game = connection.Call<game_pb::GetGameResponse>(request);
  ASSERT_TRUE(game) << game.error().ToString();
  EXPECT_GE(game->game().ply(), 25);
  // The demo itself checks the rest: every move it was told of is there once and in order, the
  // spectator missed nothing, the ratings moved once.
  EXPECT_EQ(demo->Wait(), 0) << TextOf(log) << TextOf(dir.File("server.log"));
  EXPECT_THAT(TextOf(log), HasSubstr("demo: ok plies=117"));
}

TEST(FirstGameTest, TheDemoPlaysAgainstSeparateProcessesAndLandsInPostgres) {
  Result<std::unique_ptr<LocalStack>> stack = LocalStack::Start();
  ASSERT_TRUE(stack) << stack.error().ToString();
  const TempDir dir;
  ExpectDemoPlays((*stack)->Targets(), dir);
  // One row, with the moves counted.
  const Status row = (*stack)->postgres().Command(
      "DO $$ BEGIN IF (SELECT COUNT(*) FROM kifus WHERE plies = " + std::to_string(kDemoPlies) +
      ") <> 1 THEN RAISE EXCEPTION 'no such row'; END IF; END $$");
  EXPECT_TRUE(row) << row.error().ToString();
}

TEST(FirstGameTest, AServerStopsInTimeWithOpenStreams) {
  const TempDir dir;
  const std::unique_ptr<ServerProcess> server = StartAllInOne(dir);
  ASSERT_NE(server, nullptr);
  const std::unique_ptr<ChildProcess> demo =
      StartDemo(server->address(), dir.File("demo.log"), 200);
  ASSERT_NE(demo, nullptr);
  Connection connection = Connect(server->address());
  AwaitLiveGame(connection, 3);  // the demo's spectator has a stream open
  EXPECT_EQ(server->Stop(), 0) << TextOf(dir.File("server.log"));
  demo->Signal(SIGKILL);
}

// A casual game of a guest against the computer, by hand.
class ErrorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = StartAllInOne(dir_);
    ASSERT_NE(server_, nullptr);
    connection_ = std::make_unique<Connection>(Connect(server_->address()));
    const Result<rating_pb::CreateGuestSessionResponse> session =
        connection_->Call<rating_pb::CreateGuestSessionResponse>(
            rating_pb::CreateGuestSessionRequest());
    ASSERT_TRUE(session) << session.error().ToString();
    connection_->SetToken(session->session().token());
    game_pb::CreateGameRequest request;
    request.set_request_id("first-game-of-this-test");
    request.mutable_setup()->set_variant(common::v1::VARIANT_SHOGI);
    *request.mutable_first() = session->session().player();
    request.mutable_second()->set_kind(common::v1::PLAYER_KIND_COMPUTER);
    const Result<game_pb::CreateGameResponse> created =
        connection_->Call<game_pb::CreateGameResponse>(request);
    ASSERT_TRUE(created) << created.error().ToString();
    game_id_ = created->game().game_id();
  }

  Result<game_pb::PlayMoveResponse> Play(const std::string& game_id, int ply,
                                         const std::string& move) {
    game_pb::PlayMoveRequest request;
    request.set_game_id(game_id);
    request.set_expected_ply(ply);
    request.set_move(move);
    return connection_->Call<game_pb::PlayMoveResponse>(request);
  }

  TempDir dir_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Connection> connection_;
  std::string game_id_;
};

TEST_F(ErrorsTest, WhatCannotBePlayedIsRefusedWithItsReason) {
  const auto reason = [](const Result<game_pb::PlayMoveResponse>& result) {
    return result ? "accepted" : result.error().reason();
  };
  EXPECT_EQ(reason(Play("nosuchgame", 0, "7g7f")), "GAME_NOT_FOUND");
  EXPECT_EQ(reason(Play("../etc", 0, "7g7f")), "GAME_NOT_FOUND");
  EXPECT_EQ(reason(Play(game_id_, 0, "7g7e")), "BAD_GEOMETRY");
  EXPECT_EQ(reason(Play(game_id_, 0, "P*5e")), "NOT_IN_HAND");
  EXPECT_EQ(reason(Play(game_id_, 0, "2h2d")), "BLOCKED");
  EXPECT_EQ(reason(Play(game_id_, 0, "castle")), "INVALID_MOVE");
  EXPECT_EQ(reason(Play(game_id_, 5, "7g7f")), "STALE_PLY");
  const Result<game_pb::PlayMoveResponse> played = Play(game_id_, 0, "7g7f");
  ASSERT_TRUE(played) << played.error().ToString();
  EXPECT_EQ(played->ply(), 1);
  // A repeat gets the same answer, even if the computer has moved meanwhile.
  const Result<game_pb::PlayMoveResponse> again = Play(game_id_, 0, "7g7f");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->sequence(), played->sequence());
  EXPECT_EQ(again->position(), played->position());
  EXPECT_EQ(reason(Play(game_id_, 0, "2g2f")), "STALE_PLY");
}

TEST_F(ErrorsTest, TheComputerAnswersAndMovesCanBeTakenBack) {
  const Result<game_pb::PlayMoveResponse> played = Play(game_id_, 0, "7g7f");
  ASSERT_TRUE(played) << played.error().ToString();
  game_pb::GetGameRequest get;
  get.set_game_id(game_id_);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int ply = 0;
  while (ply < 2 && std::chrono::steady_clock::now() < until) {
    const Result<game_pb::GetGameResponse> game = connection_->Call<game_pb::GetGameResponse>(get);
    ASSERT_TRUE(game) << game.error().ToString();
    ply = game->game().ply();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_EQ(ply, 2) << "the computer did not move\n" << TextOf(dir_.File("server.log"));
  game_pb::RequestTakebackRequest request;
  request.set_game_id(game_id_);
  request.set_expected_ply(2);
  const Result<game_pb::RequestTakebackResponse> taken =
      connection_->Call<game_pb::RequestTakebackResponse>(request);
  ASSERT_TRUE(taken) << taken.error().ToString();
  EXPECT_TRUE(taken->granted());
  EXPECT_EQ(taken->ply(), 0);
  const Result<game_pb::PlayMoveResponse> other = Play(game_id_, 0, "2g2f");
  EXPECT_TRUE(other) << other.error().ToString();
}

TEST_F(ErrorsTest, NobodyActsForSomebodyElse) {
  Connection stranger = Connect(server_->address());
  const Result<rating_pb::CreateGuestSessionResponse> session =
      stranger.Call<rating_pb::CreateGuestSessionResponse>(rating_pb::CreateGuestSessionRequest());
  ASSERT_TRUE(session) << session.error().ToString();
  game_pb::ResignRequest request;
  request.set_game_id(game_id_);
  const Result<game_pb::ResignResponse> anonymous = stranger.Call<game_pb::ResignResponse>(request);
  ASSERT_FALSE(anonymous);
  EXPECT_EQ(anonymous.error().code(), Code::kUnauthenticated);
  stranger.SetToken(session->session().token());
  const Result<game_pb::ResignResponse> other = stranger.Call<game_pb::ResignResponse>(request);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().reason(), "NOT_A_PLAYER");
}

}  // namespace
}  // namespace komadai
