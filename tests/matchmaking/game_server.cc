#include "tests/matchmaking/game_server.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

namespace komadai::matchmaking {
namespace {

constexpr std::chrono::seconds kPatience{30};

}  // namespace

void GameBook::SetHold(Hold hold) {
  const MutexLock lock(mutex_);
  hold_ = hold;
  held_by_ = -1;
}

int GameBook::AwaitHeld() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(mutex_);
  while (held_by_ < 0 && changed_.WaitUntil(lock, until)) {
  }
  return held_by_;
}

void GameBook::Release() {
  const MutexLock lock(mutex_);
  hold_ = Hold::kNo;
  changed_.NotifyAll();
}

std::map<std::string, std::string> GameBook::games() const {
  const MutexLock lock(mutex_);
  return games_;
}

grpc::Status GameBook::Create(int server, const game::v1::CreateGameRequest& request,
                              game::v1::CreateGameResponse& response) {
  MutexLock lock(mutex_);
  const Hold hold = hold_;
  if (hold != Hold::kBeforeCreation) {
    const std::string& game_id =
        games_.try_emplace(request.request_id(), "game" + std::to_string(games_.size()))
            .first->second;
    response.mutable_game()->set_game_id(game_id);
  }
  if (hold == Hold::kNo) return grpc::Status::OK;
  held_by_ = server;
  changed_.NotifyAll();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (hold_ != Hold::kNo && changed_.WaitUntil(lock, until)) {
  }
  return {grpc::StatusCode::UNAVAILABLE, "the caller is dead"};
}

class GameServer::Games final : public game::v1::GameService::Service {
 public:
  Games(GameBook& book, int number) : book_(book), number_(number) {}
  grpc::Status CreateGame(grpc::ServerContext*, const game::v1::CreateGameRequest* request,
                          game::v1::CreateGameResponse* response) override {
    return book_.Create(number_, *request, *response);
  }

 private:
  GameBook& book_;
  const int number_;
};

class GameServer::Ratings final : public rating::v1::RatingService::Service {
  grpc::Status GetRating(grpc::ServerContext*, const rating::v1::GetRatingRequest*,
                         rating::v1::GetRatingResponse* response) override {
    response->mutable_rating()->set_elo(1200);
    return grpc::Status::OK;
  }
};

GameServer::GameServer(GameBook& book, int number)
    : games_(std::make_unique<Games>(book, number)), ratings_(std::make_unique<Ratings>()) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
  builder.RegisterService(games_.get());
  builder.RegisterService(ratings_.get());
  server_ = builder.BuildAndStart();
}

GameServer::~GameServer() {
  if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now());
}

}  // namespace komadai::matchmaking
