// The letters of shogi pieces in SFEN and USI.
#pragma once

#include "libs/rules/shogi/kinds.h"
#include "libs/rules/types.h"

namespace komadai::notation {

// The unpromoted kind of a letter in either case, Kind::kNone if there is none.
rules::Kind ShogiKindOfLetter(char letter);
// The upper-case letter of a kind, promoted or not.
char LetterOfShogiKind(rules::Kind kind);

}  // namespace komadai::notation
