#include "libs/testing/local_stack.h"

#include <algorithm>

#include "libs/testing/free_port.h"

namespace komadai::testing {
namespace {

std::string NameOf(const std::string& service, int replica) {
  return replica == 0 ? service : service + "/" + std::to_string(replica);
}

// All replicas as one target of gRPC.
std::string TargetOf(const std::vector<std::string>& addresses) {
  if (addresses.size() == 1) return addresses.front();
  std::string target = "ipv4:";
  for (const std::string& address : addresses) {
    target += (&address == &addresses.front() ? "" : ",") + address;
  }
  return target;
}

}  // namespace

Result<std::unique_ptr<LocalStack>> LocalStack::Start(Options options) {
  std::unique_ptr<LocalStack> stack(new LocalStack(std::move(options)));
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
  game.insert(game.end(), stack->options_.game_arguments.begin(),
              stack->options_.game_arguments.end());
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
  arguments.insert(arguments.end(),
                   {"--token-secret", kTestTokenSecret, "--log-level", options_.log_level});
  for (const std::string& peer : peers) {
    arguments.insert(arguments.end(), {"--peer-" + peer, TargetOf(Addresses(peer))});
  }
  const auto wanted = options_.replicas.find(name);
  const int replicas = wanted == options_.replicas.end() ? 1 : wanted->second;
  for (int replica = 0; replica < replicas; ++replica) {
    const std::string full_name = NameOf(name, replica);
    std::string log_name = full_name + ".log";
    std::replace(log_name.begin(), log_name.end(), '/', '-');
    const std::string log_dir = options_.log_dir.empty() ? dir_.path() : options_.log_dir;
    ServerProcess::Options server{"komadai-" + name, arguments, log_dir + "/" + log_name};
    server.listen = "127.0.0.1:" + std::to_string(FreeFixedPort());
    Result<std::unique_ptr<ServerProcess>> started = ServerProcess::Start(std::move(server));
    if (!started) return std::move(started).error();
    services_[full_name] = *std::move(started);
  }
  return {};
}

std::vector<std::string> LocalStack::names() const {
  std::vector<std::string> names;
  for (const auto& [name, server] : services_) names.push_back(name);
  return names;
}

std::vector<std::string> LocalStack::Addresses(const std::string& service) const {
  std::vector<std::string> addresses;
  for (int replica = 0;; ++replica) {
    const auto found = services_.find(NameOf(service, replica));
    if (found == services_.end()) return addresses;
    addresses.push_back(found->second->address());
  }
}

std::string LocalStack::Targets() const {
  std::string targets;
  for (const auto& [name, server] : services_) {
    if (name.find('/') != std::string::npos) continue;
    targets += (targets.empty() ? "" : ",") + name + "=" + server->address();
  }
  return targets;
}

}  // namespace komadai::testing
