// SFEN: positions of shogi and minishogi as text, "<board> <side> <hands> <move number>".
//
// Reading is lenient (hands in any order, unary or counted; hands and number may be missing;
// "startpos", a leading "sfen"); writing is the normal form, hands in the order RBGSNLP, Black
// first.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/setup.h"

namespace komadai::notation {

inline constexpr std::string_view kShogiStart =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
inline constexpr std::string_view kMinishogiStart = "rbsgk/4p/5/P4/KGSBR b - 1";

// INVALID_ARGUMENT/INVALID_POSITION. `variant` is shogi or minishogi. Says nothing about whether
// the position is possible: rules::Position::From does.
Result<rules::Setup> ParseSfen(rules::Variant variant, std::string_view text);
std::string FormatSfen(const rules::Setup& setup);

}  // namespace komadai::notation
