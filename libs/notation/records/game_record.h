// GameRecord: a whole game as a value (kifu), independent of the file format.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/rules/handicap.h"
#include "libs/rules/position.h"
#include "libs/rules/types.h"

namespace komadai::notation {

struct RecordedMove {
  rules::Move move;
  // Used for the move; nothing if the file does not say.
  std::optional<std::chrono::milliseconds> used = std::nullopt;
  std::string comment = {};  // on the position after the move
};

// Another line of play.
struct Variation {
  int from_ply = 1;  // the ply (1: the first move of the game) that its first move replaces
  std::vector<RecordedMove> moves;
  std::vector<Variation> variations;  // branching off this one
};

// What ended a recorded game.
enum class RecordEnding : std::uint8_t {
  kUnknown,  // the record does not say, or says something no format defines
  kCheckmate,
  kNoLegalMove,
  kResignation,
  kTimeOut,
  kRepetition,
  kPerpetualCheck,
  kPerpetualChase,
  kImpasse,
  kAgreedDraw,
  kPlyLimit,
  kNoCapture,
  kInsufficientMaterial,
  kIllegalMove,
  kAborted,
  kAbandoned,  // also a game won because the opponent did not come
  kInterrupted,
};

enum class RecordOutcome : std::uint8_t { kUnknown, kFirstWins, kSecondWins, kDraw, kNoResult };
RecordOutcome WonBy(rules::Side side);

struct RecordResult {
  RecordEnding ending = RecordEnding::kUnknown;
  RecordOutcome outcome = RecordOutcome::kUnknown;
  std::string word = {};  // as the file has it

  bool known() const {
    return ending != RecordEnding::kUnknown || outcome != RecordOutcome::kUnknown;
  }
};

struct GameRecord {
  std::string ruleset = {};   // id; empty: not said
  std::string handicap = {};  // id of rules::HandicapsOf; empty: none, or a position
  rules::Position start = rules::StartPosition(rules::Variant::kShogi);
  std::string first_name = {};
  std::string second_name = {};
  // Unix time; written where the headers do not say it. Files name no time zone, so that readers
  // leave their dates in the headers.
  std::optional<std::chrono::milliseconds> started_at = std::nullopt;
  std::optional<std::chrono::milliseconds> ended_at = std::nullopt;
  std::string comment = {};              // before the first move
  std::vector<RecordedMove> moves = {};  // legal, each after the ones before it
  RecordResult result = {};
  std::map<std::string, std::string> headers = {};  // what else the file says, by its own keys
  std::vector<Variation> variations = {};

  rules::Variant variant() const { return start.variant(); }
};

}  // namespace komadai::notation
