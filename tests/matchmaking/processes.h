// MatchProcessesTest: three matchmaking processes over one Redis, each with a game service of its
// own that knows the same games.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>

#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_redis.h"
#include "tests/matchmaking/game_server.h"

namespace komadai::matchmaking {

namespace pb = ::komadai::matchmaking::v1;
namespace common_pb = ::komadai::common::v1;

// A context of this player with a deadline of 40 seconds.
std::unique_ptr<grpc::ClientContext> As(const std::string& player);

class MatchProcessesTest : public ::testing::Test {
 protected:
  static constexpr int kProcesses = 3;

  void SetUp() override;

  static pb::CreateSeekRequest SeekRequest(const std::string& player);
  // The id of the player's seek.
  std::string Seek(int server, const std::string& player) {
    return Seek(server, player, SeekRequest(player));
  }
  std::string Seek(int server, const std::string& player, const pb::CreateSeekRequest& request);
  // The seek as it stands when its stream ends.
  pb::Seek Follow(int server, const std::string& player);

  pb::MatchmakingService::Stub& Stub(int server) { return *At(server).stub; }
  testing::ServerProcess& Process(int server) { return *At(server).process; }

  GameBook book_;

 private:
  struct Replica {
    std::unique_ptr<GameServer> games;
    std::unique_ptr<testing::ServerProcess> process;
    std::unique_ptr<pb::MatchmakingService::Stub> stub;
  };
  Replica& At(int server) { return replicas_[static_cast<std::size_t>(server % kProcesses)]; }

  testing::TempDir dir_;
  std::unique_ptr<testing::TempRedis> redis_;
  std::array<Replica, kProcesses> replicas_;
  std::map<std::string, std::string> seeks_;  // by player
};

}  // namespace komadai::matchmaking
