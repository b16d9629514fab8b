// Impasse (nyugyoku): the points count behind a declaration, explained before anybody confirms it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/verdict.h"

namespace komadai::rules {

// A condition of the ruleset that is not fulfilled.
enum class ImpasseFailure : std::uint8_t {
  kNoImpasseRule,    // the ruleset has none
  kAgreementNeeded,  // only both players together can end the game
  kNotYourTurn,
  kInCheck,
  kKingNotInZone,  // the declarer's
  kOpponentKingNotInZone,
  kTooFewPiecesInZone,  // 27-point rule: at least ten besides the king
  kTooFewPoints,        // the declarer's
};
std::string_view NameOf(ImpasseFailure failure);  // "KING_NOT_IN_ZONE", ...

struct ImpasseCount {
  int points = 0;  // what the ruleset counts, credit included
  int credit = 0;  // of these, for the pieces given as a handicap
  int points_needed = 0;
  int pieces_in_zone = 0;  // besides the king
  bool king_in_zone = false;
};

struct ImpasseReport {
  std::array<ImpasseCount, 2> sides;     // by Index(Side)
  std::vector<ImpasseFailure> failures;  // empty: every condition holds
  // What confirming would do. Ongoing: it would be refused.
  Verdict verdict;

  bool accepted() const { return verdict.over(); }
};

enum class ImpasseAsk : std::uint8_t { kDeclare, kAgree };

// Judges a declaration by `by` (or an agreement of both players, `by` being who proposed it).
// `credit` are the points of handicap pieces by side.
ImpasseReport JudgeImpasse(const Position& position, const Ruleset& ruleset, ImpasseAsk ask,
                           Side by, std::array<int, 2> credit = {0, 0});

// The points missing from a start position, which were uwate's: Second always gives the handicap.
// With them the points of both sides add up to a full set, in every start position.
std::array<int, 2> HandicapCredit(const Position& start);

}  // namespace komadai::rules
