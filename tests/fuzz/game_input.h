// The input of fuzz_game: variant, ruleset, start position, then what happens in the game. Shared
// with the maker of its seeds.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"
#include "tests/fuzz/bytes.h"

namespace komadai::fuzz {

enum class StartKind : std::uint8_t { kHandicap, kText, kPieces };
inline constexpr int kStartKinds = 3;

// A step's first byte. Below kOtherSteps it is, with the byte behind it, the index of a legal move.
inline constexpr int kOtherSteps = 128;
enum class Step : std::uint8_t {
  kAnyMove,       // three bytes, probably illegal
  kTakeBack,      // how many plies
  kResume,        // from position and history
  kDeclare,       // impasse
  kLookBack,      // at the move of a ply
  kHostileBytes,  // a damaged history is resumed and used
};
inline constexpr int kSteps = 6;

rules::Variant TakeVariant(Bytes& bytes);
// A named ruleset, perhaps with lower limits, so that short games reach them.
rules::Ruleset TakeRuleset(Bytes& bytes, rules::Variant variant);
// Nothing if the bytes describe an impossible position; that it is refused properly is checked.
std::optional<rules::Position> TakeStart(Bytes& bytes, rules::Variant variant);
rules::Move TakeMove(Bytes& bytes);

}  // namespace komadai::fuzz
