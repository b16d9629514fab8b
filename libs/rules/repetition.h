// Repetition: how often the current position has occurred, and what that means. Shared by all
// games. Internal to libs/rules.
#pragma once

#include <array>
#include <optional>

#include "libs/rules/history.h"
#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/verdict.h"

namespace komadai::rules {

// What a side did with every one of its moves in the window. A higher offence loses to a lower one.
enum class Offence : std::uint8_t { kNone, kChase, kCheck };

struct Occurrences {
  int count = 1;      // the current one included
  int first_ply = 0;  // plies played when the position first occurred
};

// Nothing if the history cannot have led to `current`. Half keys only nominate candidates: each is
// compared in full, so that no collision, even a constructed one, ends a game.
std::optional<Occurrences> FindOccurrences(const Position& current, const HistoryView& history);

// What both sides did after the first occurrence.
std::optional<std::array<Offence, 2>> FindOffences(const Position& current,
                                                   const HistoryView& history, int first_ply,
                                                   const Ruleset& ruleset);

// The verdict once the limit is reached.
Verdict JudgeRepetition(const std::array<Offence, 2>& offences, const Ruleset& ruleset);

}  // namespace komadai::rules
