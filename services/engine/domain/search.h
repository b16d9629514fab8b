// The values of a search: what an engine is asked and what it answers. Pure data; times are
// milliseconds, moves are in plain notation (USI in shogi and minishogi, UCCI in xiangqi).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "libs/rules/types.h"

namespace komadai::engine {

// What one side may still use on its clock, as its next move sees it.
struct SideTime {
  Millis main_left{0};
  Millis byoyomi{0};    // what is left of the running period, or a full one while main time is left
  Millis increment{0};  // Fischer: added after the move
  Millis delay{0};      // simple delay: free before the clock runs

  // The most this move may take before the side loses on time (or uses up a byo-yomi period).
  Millis Available() const { return main_left + byoyomi + delay; }
};

// Both clocks, by Index(Side).
using Clocks = std::array<SideTime, 2>;

// The first limit reached ends the search.
struct Limits {
  std::optional<Millis> time;
  std::optional<std::int64_t> nodes;
  std::optional<int> depth;

  bool empty() const { return !time && !nodes && !depth; }
};

// A position with the moves played since, both validated: the engine is never shown anything else.
struct GameSoFar {
  rules::Variant variant = rules::Variant::kShogi;
  std::string position;  // SFEN or FEN in normal form
  std::vector<std::string> moves;
  rules::Side side_to_move = rules::Side::kFirst;  // after the moves
};

// The one way a search is described to a worker.
struct SearchRequest {
  GameSoFar game;
  Limits limits;
  // With `clocks` the engine manages its own time and `limits.time` is only the server's cap.
  std::optional<Clocks> clocks;
  std::optional<int> skill;  // Fairy-Stockfish's scale, -20 to 20; absent = full strength
  int line_count = 1;
  std::vector<std::string> only_moves;  // restricts the first move; empty = all
};

struct Score {
  enum class Kind { kNone, kCentipawns, kMatePlies };
  Kind kind = Kind::kNone;
  int value = 0;  // from the side to move's view; mate: plies, negative = it is mated

  friend bool operator==(const Score& a, const Score& b) {
    return a.kind == b.kind && a.value == b.value;
  }
};

// A principal variation.
struct Line {
  int rank = 1;
  int depth = 0;
  Score score;
  std::vector<std::string> moves;
  std::int64_t nodes = 0;
  Millis time{0};
};

// What an engine answers when a search ends.
struct BestMove {
  enum class Kind { kMove, kResigns, kDeclaresWin, kNone };
  Kind kind = Kind::kNone;
  std::string move;  // only for kMove
};

}  // namespace komadai::engine
