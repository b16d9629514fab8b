#include "libs/testing/local_stack.h"

#include <utility>

namespace komadai::testing {

Result<std::unique_ptr<LocalStack>> LocalStack::Start(Options options) {
  std::unique_ptr<LocalStack> stack(new LocalStack());
  Result<std::unique_ptr<TempRedis>> redis = TempRedis::Start();
  if (!redis) return std::move(redis).error();
  stack->redis_ = *std::move(redis);
  Result<std::unique_ptr<TempPostgres>> postgres = TempPostgres::Start();
  if (!postgres) return std::move(postgres).error();
  stack->postgres_ = *std::move(postgres);

  const std::vector<std::string> live{"--redis-url", stack->redis_->Url()};
  const std::vector<std::string> sql{"--postgres-url", stack->postgres_->url()};
  std::vector<std::string> rating = sql;
  rating.insert(rating.end(), {"--allow-test-players", "--guest-sessions-per-minute", "0"});
  std::vector<std::string> game = live;
  game.insert(game.end(), options.game_arguments.begin(), options.game_arguments.end());
  struct Plan {
    std::string name;
    std::vector<std::string> peers;
    std::vector<std::string> arguments;
  };
  const std::vector<Plan> plans{
      {"rules", {}, {}},
      {"engine", {}, {}},
      {"rating", {}, rating},
      {"kifu", {}, sql},
      {"clock", {}, live},
      {"game", {"rules", "clock", "kifu", "rating", "engine"}, game},
      {"matchmaking", {"game", "rating"}, live},
  };
  for (const Plan& plan : plans) {
    Status started = stack->StartService(plan.name, plan.peers, plan.arguments);
    if (!started) return std::move(started).error();
  }
  return stack;
}

Status LocalStack::StartService(const std::string& name, const std::vector<std::string>& peers,
                                std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--token-secret", kTestTokenSecret, "--log-level", "warning"});
  for (const std::string& peer : peers) {
    arguments.insert(arguments.end(), {"--peer-" + peer, services_.at(peer)->address()});
  }
  Result<std::unique_ptr<ServerProcess>> server =
      ServerProcess::Start({"komadai-" + name, std::move(arguments), dir_.File(name + ".log")});
  if (!server) return std::move(server).error();
  services_[name] = *std::move(server);
  return {};
}

std::string LocalStack::Targets() const {
  std::string targets;
  for (const auto& [name, server] : services_) {
    targets += (targets.empty() ? "" : ",") + name + "=" + server->address();
  }
  return targets;
}

}  // namespace komadai::testing
