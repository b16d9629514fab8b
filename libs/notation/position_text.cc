#include "libs/notation/position_text.h"

#include "libs/notation/errors.h"
#include "libs/notation/shogi/sfen.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/fen.h"

namespace komadai::notation {

using rules::Setup;
using rules::Variant;

Result<Setup> ParseSetup(Variant variant, std::string_view text) {
  if (text.size() > kMaxPositionBytes)
    return TextError(kInvalidPosition, "the position text is too long", text);
  text = Trim(text);
  if (text.empty()) text = "startpos";
  return variant == Variant::kXiangqi ? ParseFen(text) : ParseSfen(variant, text);
}

Result<rules::Position> ParsePosition(Variant variant, std::string_view text, rules::Kings kings) {
  Result<Setup> setup = ParseSetup(variant, text);
  if (!setup) return setup.error();
  return rules::Position::From(*setup, kings);
}

std::string FormatSetup(const Setup& setup) {
  return setup.variant == Variant::kXiangqi ? FormatFen(setup) : FormatSfen(setup);
}

std::string FormatPosition(const rules::Position& position) {
  return FormatSetup(position.ToSetup());
}

}  // namespace komadai::notation
