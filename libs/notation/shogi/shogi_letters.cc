#include "libs/notation/shogi/shogi_letters.h"

#include <string_view>

#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

// By the index of the kind.
constexpr std::string_view kLetters = "?PLNSBRGK";

}  // namespace

rules::Kind ShogiKindOfLetter(char letter) {
  const std::size_t found = kLetters.find(Upper(letter), 1);
  return found == std::string_view::npos ? rules::Kind::kNone : static_cast<rules::Kind>(found);
}

char LetterOfShogiKind(rules::Kind kind) {
  return kLetters[static_cast<std::size_t>(Index(rules::shogi::Unpromoted(kind)))];
}

}  // namespace komadai::notation
