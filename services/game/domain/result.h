// How games end, as the game service knows it: what the rules decide and what the players do.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/rules/types.h"

namespace komadai::game {

using rules::Side;
using rules::Variant;

// Same numbers as komadai.common.v1.Ending.
enum class Ending : std::uint8_t {
  kUnspecified = 0,
  kCheckmate = 1,
  kNoLegalMove = 2,
  kResignation = 3,
  kTimeOut = 4,
  kRepetition = 5,
  kPerpetualCheck = 6,
  kPerpetualChase = 7,
  kImpasse = 8,
  kAgreedDraw = 9,
  kPlyLimit = 10,
  kNoCapture = 11,
  kInsufficientMaterial = 12,
  kIllegalMove = 13,
  kAborted = 14,
  kAbandoned = 15,
};

// Same numbers as komadai.common.v1.Outcome.
enum class Outcome : std::uint8_t {
  kUnspecified = 0,
  kFirstWins = 1,
  kSecondWins = 2,
  kDraw = 3,
  kNoResult = 4,
};

inline Outcome WinFor(Side side) {
  return side == Side::kFirst ? Outcome::kFirstWins : Outcome::kSecondWins;
}

// Set once, never changed.
struct GameResult {
  Outcome outcome = Outcome::kUnspecified;
  Ending ending = Ending::kUnspecified;
  int plies = 0;  // played when it ended

  friend bool operator==(const GameResult&, const GameResult&) = default;
};

}  // namespace komadai::game
