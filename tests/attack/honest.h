// Honest: people who play while somebody attacks, and how long their moves take.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "cli/connection.h"
#include "libs/base/result.h"
#include "tests/bench/load_loop.h"
#include "tests/load/games.h"
#include "tests/load/watchers.h"
#include "tests/play/attempts.h"

namespace komadai::attack {

class Honest {
 public:
  static constexpr int kGames = 8;
  static constexpr double kMovesPerSecond = 60;

  struct Played {
    bench::LoadResult moves;
    std::map<std::string, std::int64_t> errors;
    // The part of the moves that were due that were answered well.
    double done = 0;
  };

  // Signs in and opens the games.
  static Result<std::unique_ptr<Honest>> Start(const std::string& server);
  // Moves at an even pace, whether or not earlier moves were answered.
  Played Play(std::chrono::milliseconds duration);

 private:
  explicit Honest(cli::Targets targets) : targets_(std::move(targets)) {}

  const cli::Targets targets_;
  play::ErrorCounts errors_;
  std::unique_ptr<load::Watchers> watchers_;
  std::unique_ptr<load::Games> games_;
};

}  // namespace komadai::attack
