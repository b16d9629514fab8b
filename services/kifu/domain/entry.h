// Entry: a game of the archive: its record, and what it is found by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "libs/rules/types.h"

namespace komadai::kifu {

// A position the game went through and the move played there.
struct Visit {
  std::int64_t position_key = 0;  // rules::Position::key(), as SQL has integers
  int ply = 0;                    // plies played before
  std::string move;               // plain notation; empty in the last position
};

struct Entry {
  std::string kifu_id;
  std::string game_id;  // empty: imported
  rules::Variant variant = rules::Variant::kShogi;
  std::string first_id;
  std::string second_id;
  std::string first_name;
  std::string second_name;
  int outcome = 0;  // numbers of komadai.common.v1
  int ending = 0;
  int plies = 0;
  bool rated = false;
  TimePoint ended_at{};
  TimePoint stored_at{};
  std::string record;  // serialised GameRecord
  std::vector<Visit> visits;
};

// How names are compared when searching: lower case where ASCII has one.
std::string FoldName(const std::string& name);

// What to find; all conditions hold together. Unset fields match everything.
struct Query {
  std::optional<rules::Variant> variant;
  std::string player_id;
  std::string name_prefix;  // folded
  int outcome = 0;
  int ending = 0;
  std::optional<TimePoint> from;
  std::optional<TimePoint> until;
  bool rated_only = false;
  std::optional<std::int64_t> position_key;
};

// A page begins after this entry, newest first.
struct Cursor {
  TimePoint ended_at;
  std::string kifu_id;
};

// What was played in a position.
struct Explored {
  std::string move;
  std::int64_t games = 0;
  std::int64_t first_wins = 0;
  std::int64_t second_wins = 0;
  std::int64_t draws = 0;
};

}  // namespace komadai::kifu
