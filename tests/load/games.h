// Games: games in progress that a load run moves in, opened as players open them: by a challenge
// that is accepted. Each plays a random legal game; at its end somebody resigns and the next
// begins.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "cli/connection.h"
#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/base/task.h"
#include "libs/rules/types.h"
#include "tests/bench/load_loop.h"
#include "tests/load/watchers.h"
#include "tests/play/attempts.h"
#include "tests/play/people.h"

namespace komadai::load {

class Games {
 public:
  struct Settings {
    rules::Variant variant = rules::Variant::kShogi;
    int plies = 120;   // of a game, if the rules do not end it before
    int watchers = 0;  // of each game
    bool rated = false;
  };

  // Two people for each game. `targets`, `errors` and `watchers` must outlive this.
  Games(const cli::Targets& targets, std::vector<play::Person> people, Settings settings,
        play::ErrorCounts& errors, Watchers& watchers);

  // Opens all games; the first error if one cannot be opened.
  Status Open();
  // The next call of a game: a move, which counts, or the end of it and the opening of the next.
  void Next(int game, bench::Done done);
  int size() const { return static_cast<int>(tables_.size()); }
  std::int64_t finished() const { return finished_; }

 private:
  struct Table {
    const play::Person* players[2];
    std::string game_id;
    std::vector<std::string> moves;  // what will be played
    int ply = 0;
    int number = 0;  // of games so far
  };

  Task<Status> OpenNext(Table* table);
  Task<bench::Ended> Step(Table* table);
  Task<Status> Resign(Table* table);

  const Settings settings_;
  std::unique_ptr<game::v1::GameService::StubInterface> game_;
  std::unique_ptr<matchmaking::v1::MatchmakingService::StubInterface> matchmaking_;
  const std::vector<play::Person> people_;
  play::ErrorCounts& errors_;
  Watchers& watchers_;
  SeededRandom random_{20240501};
  const std::string run_;  // part of request ids: another in every run
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<std::int64_t> finished_{0};
};

}  // namespace komadai::load
