// LocalStack: the seven services as processes, with a real Redis and PostgreSQL of their own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_postgres.h"
#include "libs/testing/temp_redis.h"

namespace komadai::testing {

// What the servers of a test sign and check tokens with.
inline constexpr char kTestTokenSecret[] = "a-secret-for-tests-and-benchmarks-only";

class LocalStack {
 public:
  struct Options {
    std::vector<std::string> game_arguments = {};  // more of komadai-game's
    std::map<std::string, int> replicas = {};      // of a service; 1 where nothing is said
    std::string log_dir = {};                      // kept; empty: a temporary one
    std::string log_level = "warning";
  };
  static Result<std::unique_ptr<LocalStack>> Start(Options options);
  static Result<std::unique_ptr<LocalStack>> Start() { return Start(Options()); }

  // "rules=127.0.0.1:...,game=...", as the command line takes it: the first replica of each.
  std::string Targets() const;
  // By name, e.g. "game" for its first replica, "game/1" for its second.
  ServerProcess& service(const std::string& name) { return *services_.at(name); }
  std::vector<std::string> names() const;
  // Of all replicas of a service.
  std::vector<std::string> Addresses(const std::string& service) const;
  TempRedis& redis() { return *redis_; }
  TempPostgres& postgres() { return *postgres_; }

 private:
  explicit LocalStack(Options options) : options_(std::move(options)) {}
  Status StartService(const std::string& name, const std::vector<std::string>& peers,
                      std::vector<std::string> arguments);

  const Options options_;
  TempDir dir_;
  std::unique_ptr<TempRedis> redis_;
  std::unique_ptr<TempPostgres> postgres_;
  std::map<std::string, std::unique_ptr<ServerProcess>> services_;
};

}  // namespace komadai::testing
