// Promises P2 and P6 on real processes: a thousand games of fifty players, rated by four services
// at once, delivered late, twice and at the same time, while PostgreSQL and a service are killed.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/base/random.h"
#include "libs/rpc/auth/token.h"
#include "libs/rpc/error.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_postgres.h"

namespace komadai {
namespace {

namespace common = ::komadai::common::v1;
namespace pb = ::komadai::rating::v1;
using testing::ChildProcess;
using ::testing::HasSubstr;
using testing::ServerProcess;

constexpr int kGames = 1000;
constexpr int kPlayers = 50;
constexpr int kServices = 4;
constexpr int kSenders = 12;
constexpr std::uint64_t kSeed = 11;
constexpr std::chrono::milliseconds kPause{20};
constexpr std::chrono::seconds kPatience{240};

std::string PlayerId(std::uint64_t number) { return "player" + std::to_string(number); }

pb::ApplyResultRequest GameNumber(int number, Random& random) {
  const std::uint64_t first = random.Below(kPlayers);
  const std::uint64_t second = (first + 1 + random.Below(kPlayers - 1)) % kPlayers;
  pb::ApplyResultRequest request;
  request.set_game_id("game" + std::to_string(number));
  request.set_variant(random.Below(3) ? common::VARIANT_SHOGI : common::VARIANT_XIANGQI);
  const auto fill = [](common::Player& player, std::uint64_t id) {
    player.set_player_id(PlayerId(id));
    player.set_name("Name of " + std::to_string(id));
    player.set_kind(common::PLAYER_KIND_PERSON);
  };
  fill(*request.mutable_first(), first);
  fill(*request.mutable_second(), second);
  const common::Outcome outcomes[] = {common::OUTCOME_FIRST_WINS, common::OUTCOME_SECOND_WINS,
                                      common::OUTCOME_DRAW};
  request.mutable_result()->set_outcome(outcomes[random.Below(3)]);
  request.mutable_result()->set_ending(common::ENDING_RESIGNATION);
  request.mutable_result()->set_plies(static_cast<int>(2 + random.Below(150)));
  if (request.variant() == common::VARIANT_SHOGI && random.Below(4) == 0) {
    request.set_handicap("2_piece");
  }
  request.set_rated(true);
  request.set_ended_at_ms(1'700'000'000'000 + number * 60'000);
  return request;
}

class RatedGamesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto postgres = testing::TempPostgres::Start();
    ASSERT_TRUE(postgres) << postgres.error().ToString();
    postgres_ = *std::move(postgres);
    for (int i = 0; i < kServices; ++i) {
      auto service = ServerProcess::Start({"komadai-rating",
                                           {"--postgres-url", postgres_->url(), "--token-secret",
                                            testing::kTestTokenSecret, "--log-level", "warning"},
                                           dir_.File("rating" + std::to_string(i))});
      ASSERT_TRUE(service) << service.error().ToString();
      services_.push_back(*std::move(service));
      stubs_.push_back(pb::RatingService::NewStub(
          grpc::CreateChannel(services_.back()->address(), grpc::InsecureChannelCredentials())));
    }
    rpc::TokenSettings settings;
    settings.secret = testing::kTestTokenSecret;
    const SystemTimeSource time;
    authorization_ = "Bearer " + *rpc::TokenMinter(settings).Mint(
                                     {rpc::CallerKind::kService, "komadai-game", ""}, time.Now(),
                                     time.Now() + std::chrono::hours(1));
  }

  // Delivers one game until it is acknowledged, as the game service does. A valid game must not get
  // an error after which the game service would not send it again.
  void Deliver(const pb::ApplyResultRequest& request, Random& random) {
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < give_up) {
      grpc::ClientContext context;
      // Some answers come after the caller's deadline.
      const int patience_ms = random.Below(4) == 0 ? 1 + static_cast<int>(random.Below(30)) : 5000;
      context.set_deadline(std::chrono::system_clock::now() +
                           std::chrono::milliseconds(patience_ms));
      context.AddMetadata("authorization", authorization_);
      pb::ApplyResultResponse response;
      const grpc::Status status =
          stubs_[random.Below(kServices)]->ApplyResult(&context, request, &response);
      if (status.ok()) return Remember(request, response);
      const grpc::StatusCode code = status.error_code();
      const bool passing = code == grpc::UNAVAILABLE || code == grpc::ABORTED ||
                           code == grpc::DEADLINE_EXCEEDED || code == grpc::RESOURCE_EXHAUSTED;
      if (!passing) {
        ADD_FAILURE() << request.game_id() << ": " << rpc::FromGrpcStatus(status).ToString();
        return;
      }
      ++repeats_;
      std::this_thread::sleep_for(kPause);
    }
    ADD_FAILURE() << request.game_id() << " was never acknowledged";
  }

  // Every answer about a game must be the same.
  void Remember(const pb::ApplyResultRequest& request, const pb::ApplyResultResponse& response) {
    EXPECT_EQ(response.changes_size(), 2) << request.game_id();
    const MutexLock lock(mutex_);
    const auto [known, first] = answers_.emplace(request.game_id(), response.SerializeAsString());
    if (!first) {
      EXPECT_EQ(known->second, response.SerializeAsString()) << request.game_id();
    }
    acknowledged_ = static_cast<int>(answers_.size());
  }

  void Send(int sender, const std::vector<pb::ApplyResultRequest>& games) {
    SeededRandom random(kSeed + 1 + static_cast<std::uint64_t>(sender));
    for (;;) {
      const int number = next_++;
      if (number >= kGames) return;
      const pb::ApplyResultRequest& game = games[static_cast<std::size_t>(number)];
      Deliver(game, random);
      // Again at once, or one of long ago.
      if (random.Below(3) == 0) Deliver(game, random);
      if (random.Below(3) == 0) {
        Deliver(games[random.Below(static_cast<std::uint64_t>(number) + 1)], random);
      }
    }
  }

  void AwaitAcknowledged(int count) {
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (acknowledged_ < count && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(kPause);
    }
  }

  std::string Recompute() {
    ChildProcess::Options options;
    options.command = {ServerProcess::BinDir() + "/komadai", "rating", "recompute",
                       "--postgres-url", postgres_->url()};
    options.log_file = dir_.File("recompute");
    auto process = ChildProcess::Start(options);
    EXPECT_TRUE(process) << process.error().ToString();
    const int status = (*process)->Wait();
    std::ifstream file(options.log_file);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()) +
           "status " + std::to_string(status);
  }

  // Rated games of all players together, by their profiles.
  int GamesInProfiles() {
    int games = 0;
    for (std::uint64_t i = 0; i < kPlayers; ++i) {
      grpc::ClientContext context;
      context.set_wait_for_ready(true);  // the service may just have come back
      context.set_deadline(std::chrono::system_clock::now() + kPatience);
      pb::GetProfileRequest request;
      request.set_player_id(PlayerId(i));
      pb::GetProfileResponse profile;
      const grpc::Status status = stubs_[0]->GetProfile(&context, request, &profile);
      EXPECT_TRUE(status.ok()) << status.error_message();
      for (const pb::Rating& rating : profile.ratings()) games += rating.games();
    }
    return games;
  }

  testing::TempDir dir_;
  std::unique_ptr<testing::TempPostgres> postgres_;
  std::vector<std::unique_ptr<ServerProcess>> services_;
  std::vector<std::unique_ptr<pb::RatingService::Stub>> stubs_;
  std::string authorization_;
  std::atomic<int> next_{0};
  std::atomic<int> acknowledged_{0};
  std::atomic<int> repeats_{0};
  Mutex mutex_;
  std::map<std::string, std::string> answers_ KOMADAI_GUARDED_BY(mutex_);
};

TEST_F(RatedGamesTest, P2P6EveryGameCountsOnceHoweverItIsDelivered) {
  SeededRandom random(kSeed);
  std::vector<pb::ApplyResultRequest> games;
  for (int i = 0; i < kGames; ++i) games.push_back(GameNumber(i, random));
  std::vector<std::thread> senders;
  for (int i = 0; i < kSenders; ++i) senders.emplace_back([&, i] { Send(i, games); });
  for (const int progress : {100, 300, 500, 700, 900}) {
    AwaitAcknowledged(progress);
    postgres_->Kill();
    EXPECT_TRUE(postgres_->Restart());
    AwaitAcknowledged(progress + 60);
    ServerProcess& service = *services_[random.Below(kServices)];
    service.Kill();
    EXPECT_TRUE(service.Restart());
  }
  for (std::thread& sender : senders) sender.join();

  EXPECT_EQ(acknowledged_, kGames);
  EXPECT_EQ(GamesInProfiles(), 2 * kGames);
  const std::string recomputed = Recompute();
  EXPECT_THAT(recomputed, HasSubstr("rating: 1000 games, 2000 changes,"));
  EXPECT_THAT(recomputed, HasSubstr(" 0 findings, 0 repaired\nstatus 0"));
  RecordProperty("repeats", repeats_.load());
  std::printf("%s; %d deliveries were repeated after a failure\n", recomputed.c_str(),
              repeats_.load());
}

}  // namespace
}  // namespace komadai
