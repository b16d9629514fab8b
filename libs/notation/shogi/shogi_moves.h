// What the notations of shogi and minishogi share: which pieces could go where, and finding the
// move that a text names by piece and target.
#pragma once

#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/types.h"

namespace komadai::notation {

// The kind that moves or is dropped, as it was before the move.
rules::Kind MovedKind(const rules::Position& position, rules::Move move);

// Squares of the side to move's pieces of `kind` that could go to `to` if their king did not
// matter. That is how far the federation's rules of disambiguation look, and so do all notations
// here.
std::vector<rules::Square> Reaching(const rules::Position& position, rules::Kind kind,
                                    rules::Square to);

// A move as far as a text says it.
struct SaidMove {
  rules::Kind kind = rules::Kind::kNone;
  rules::Square to;
  rules::Square from;  // not valid(): not said
  bool drop = false;   // said to be a drop
  bool promotes = false;
};

// The legal moves that fit.
std::vector<rules::Move> LegalMatches(const rules::Position& position, const SaidMove& said);

// Why no legal move fits: the reason of the rule if one move was meant, else INVALID_MOVE.
Error WhyNoMatch(const rules::Position& position, const SaidMove& said, std::string_view text);

// `move` if it is legal, else the rule's reason.
Result<rules::Move> Legal(const rules::Position& position, rules::Move move, std::string_view text);

}  // namespace komadai::notation
