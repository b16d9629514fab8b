// GameServer: stands in for the game and rating services of one matchmaking process, so that a test
// can stop that process between pairing two seeks and creating their game.
#pragma once

#include <grpcpp/server.h>

#include <map>
#include <memory>
#include <string>

#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/mutex.h"

namespace komadai::matchmaking {

// The games that all game servers know.
class GameBook {
 public:
  enum class Hold {
    kNo,
    kBeforeCreation,  // calls wait, and then fail
    kAfterCreation,   // the game is created, but its answer waits and is lost
  };

  void SetHold(Hold hold);
  // Waits until a call is held and returns which server holds it; -1 after half a minute.
  int AwaitHeld();
  // Lets held calls fail and later calls pass.
  void Release();
  // By request id, each counted once however many calls created it.
  std::map<std::string, std::string> games() const;

  grpc::Status Create(int server, const game::v1::CreateGameRequest& request,
                      game::v1::CreateGameResponse& response);

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  Hold hold_ KOMADAI_GUARDED_BY(mutex_) = Hold::kNo;
  int held_by_ KOMADAI_GUARDED_BY(mutex_) = -1;
  std::map<std::string, std::string> games_ KOMADAI_GUARDED_BY(mutex_);
};

class GameServer {
 public:
  GameServer(GameBook& book, int number);
  ~GameServer();
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  class Games;
  class Ratings;
  std::unique_ptr<Games> games_;
  std::unique_ptr<Ratings> ratings_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace komadai::matchmaking
