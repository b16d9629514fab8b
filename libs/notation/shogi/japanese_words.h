// The words of Japanese move names and when they are needed.
#pragma once

#include <optional>
#include <string>

#include "libs/rules/position.h"

namespace komadai::notation {

// "７六", or "同　" where the move before went to the same square.
std::u32string TargetWord(rules::Square to, std::optional<rules::Square> previous);

// How a piece gets to its target, as the mover sees it.
enum class Motion : char32_t { kNone = 0, kUp = U'上', kSideways = U'寄', kBack = U'引' };
enum class Flank : char32_t { kNone = 0, kRight = U'右', kLeft = U'左', kStraight = U'直' };

struct Words {
  Motion motion = Motion::kNone;
  Flank flank = Flank::kNone;
  bool drop = false;  // 打

  friend bool operator==(const Words&, const Words&) = default;
};

// The words that tell `move` from the moves of its twins, no more than needed.
Words WordsFor(const rules::Position& position, rules::Move move);

// Whether the words hold for `move`, needed or not: 右 and 左 mean that no twin stands further to
// that side, 直 that the piece goes straight up.
bool Holds(const Words& words, const rules::Position& position, rules::Move move);

}  // namespace komadai::notation
