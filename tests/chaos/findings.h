// Findings: what an audit has counted and what it holds against the servers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"

namespace komadai::chaos {

// What is promised, in the order of the report.
enum class Promise : std::uint8_t {
  kMoves,      // an acknowledged move is there once, in its place, for good
  kEnds,       // a game ends once, with the right result
  kArchive,    // a finished game is archived once, as it was played
  kRatings,    // a rated game changes both ratings once; ratings are the fold of their history
  kWatching,   // a watcher sees every event in order, without gap or repeat
  kFlags,      // no flag before its deadline
  kAnswers,    // every call is answered in the end, and refused only for a reason it can name
  kProcesses,  // nothing ends but what was ended
};
inline constexpr int kPromises = 8;
const char* NameOf(Promise promise);

struct Violation {
  Promise promise;
  std::string game_id;  // empty: of no game in particular
  std::string what;
};

struct Findings {
  std::vector<Violation> violations = {};

  std::int64_t games = 0;
  std::map<std::string, std::int64_t> endings = {};
  std::int64_t moves_acknowledged = 0;
  std::int64_t moves_found = 0;           // of those
  std::int64_t moves_unacknowledged = 0;  // in the journals, never acknowledged to their player
  std::int64_t repeats = 0;               // acknowledgements beyond the first of a call
  std::int64_t archived = 0;
  std::int64_t rated = 0;
  std::int64_t rating_changes = 0;
  std::int64_t watch_lists = 0;
  std::int64_t watched_events = 0;
  std::int64_t watch_connections = 0;
  std::int64_t flags = 0;
  std::optional<Millis> least_flag_margin = {};  // end of the game minus deadline
  std::optional<Millis> greatest_flag_margin = {};
  std::int64_t attempts = 0;  // of the players' calls

  void Violate(Promise promise, const std::string& game_id, const std::string& what) {
    violations.push_back({promise, game_id, what});
  }
  std::int64_t ViolationsOf(Promise promise) const;
};

}  // namespace komadai::chaos
