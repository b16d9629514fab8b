// Tables: games in progress that a benchmark moves in, each between two guests of its own.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"
#include "tests/bench/load_loop.h"

namespace komadai::bench {

class Tables {
 public:
  // Opens `count` games on the server (cli/connection.h has the form of `target`). All play `moves`
  // and are replaced by new ones at their end.
  Tables(const std::string& target, int count, std::vector<std::string> moves);

  // The next move of a table. Opening its next game is a call too, but is not counted.
  void Move(int table, Done done);
  // Until every table has played `ply` moves of its game, or one more than others.
  void PlayTo(int ply);
  // Opens `count` more games without moves.
  void OpenIdle(int count);
  int ply(int table) const { return tables_[static_cast<std::size_t>(table)]->ply; }
  const std::string& game_id(int table) const {
    return tables_[static_cast<std::size_t>(table)]->game_id;
  }
  int size() const { return static_cast<int>(tables_.size()); }

 private:
  struct Table {
    std::string ids[2];
    std::string tokens[2];
    std::string game_id;
    int ply = 0;
    int games = 0;
  };

  static std::unique_ptr<Table> NewTable(const std::string& name);
  void Open(Table& table, Done done);
  void Complain(const char* what, const grpc::Status& status);

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<game::v1::GameService::Stub> stub_;
  const std::string service_;  // credentials
  const std::string run_;      // part of the players' names: another in every run
  const std::vector<std::string> moves_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<int> idle_{0};
  std::atomic<int> complaints_{0};
};

}  // namespace komadai::bench
