// Vietnamese notation of xiangqi, short ("P2-5", "Xt.1") and long ("pháo 2 bình 5", "xe trước tấn
// 1").
//
// Short: P pháo, M mã, X xe, T tốt, S sĩ, Tg both tướng and tượng (no move of one can be taken for
// a move of the other); "." forward, "/" back, "-" sideways; t, g, s behind the letter: front,
// middle, rear.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

// Two systems of letters give T different meanings, so that a reader must say which it expects.
enum class VietnameseLetters : bool {
  kStandard,    // T tốt, Tg tượng; B is read as tốt and V as tượng too
  kFederation,  // T tượng, B tốt
};

// `move` is legal.
std::string FormatVietnamese(const rules::Position& position, rules::Move move);
std::string FormatVietnameseLong(const rules::Position& position, rules::Move move);

// Reads either case, full-width digits, composed and decomposed diacritics or none. INVALID_MOVE,
// AMBIGUOUS_MOVE or the reason of the rule.
Result<rules::Move> ParseVietnamese(const rules::Position& position, std::string_view text,
                                    VietnameseLetters letters = VietnameseLetters::kStandard);
Result<rules::Move> ParseVietnameseLong(const rules::Position& position, std::string_view text);

}  // namespace komadai::notation
