// SFEN and FEN: a setup that is read is written in a normal form that reads back as the same; a
// possible position is sound; everything else is refused with a reason.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/position_text.h"
#include "tests/fuzz/checks.h"

using namespace komadai;  // a program of one function

namespace {

void CheckSetup(const rules::Setup& setup) {
  const std::string normal = notation::FormatSetup(setup);
  KOMADAI_CHECK(normal.size() <= notation::kMaxPositionBytes);
  const Result<rules::Setup> again = notation::ParseSetup(setup.variant, normal);
  KOMADAI_CHECK(again.has_value());
  KOMADAI_CHECK(notation::FormatSetup(*again) == normal);
  KOMADAI_CHECK(again->board == setup.board && again->hands == setup.hands);
  KOMADAI_CHECK(again->side_to_move == setup.side_to_move);
  KOMADAI_CHECK(again->quiet_plies == setup.quiet_plies);
  KOMADAI_CHECK(again->move_number == setup.move_number);
}

// A position that may miss kings; with both it is a position of a game too, and the same one.
void CheckPossible(const rules::Setup& setup, const rules::Position& position) {
  fuzz::CheckPosition(position);
  KOMADAI_CHECK(notation::FormatPosition(position) == notation::FormatSetup(setup));
  const bool both = position.king(rules::Side::kFirst) && position.king(rules::Side::kSecond);
  const auto in_game = rules::Position::From(setup, rules::Kings::kBoth);
  KOMADAI_CHECK(in_game.has_value() == both);
  if (in_game) {
    fuzz::CheckSame(*in_game, position);
  } else {
    KOMADAI_CHECK(in_game.error().reason() == "MISSING_KING");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const rules::Variant variant : rules::kVariants) {
    const Result<rules::Setup> setup = notation::ParseSetup(variant, text);
    const auto position = notation::ParsePosition(variant, text, rules::Kings::kOptional);
    if (!setup) {
      fuzz::CheckRefusal(setup.error());
      KOMADAI_CHECK(!position && position.error().reason() == setup.error().reason());
      continue;
    }
    CheckSetup(*setup);
    if (position) {
      CheckPossible(*setup, *position);
    } else {
      fuzz::CheckRefusal(position.error());
    }
  }
  return 0;
}
