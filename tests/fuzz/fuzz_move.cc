// Move texts of every notation: what is read is a legal move, and its own text reads back as it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"

using namespace komadai;  // a program of one function

namespace {

const std::array<rules::Position, 6>& Positions() {
  using rules::Variant;
  static const std::array<rules::Position, 6> positions = {
      rules::StartPosition(Variant::kShogi),
      rules::StartPosition(Variant::kMinishogi),
      rules::StartPosition(Variant::kXiangqi),
      *notation::ParsePosition(Variant::kShogi, "8k/9/9/4G4/5G3/3G1G3/4p4/9/K8 b RBSNLP 1",
                               rules::Kings::kOptional),
      *notation::ParsePosition(Variant::kXiangqi, "5k3/9/2P3P2/2P3P2/2P6/9/9/9/9/3K5 w"),
      *notation::ParsePosition(Variant::kShogi, "8k/9/9/3+s1+s3/4P4/9/9/9/K8 w 2r2b 1",
                               rules::Kings::kOptional)};
  return positions;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const rules::Position& position = Positions()[data[0] % Positions().size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  notation::MoveContext context;
  if (position.variant() != rules::Variant::kXiangqi) context.previous_to = rules::Square(4, 4);
  for (const notation::Notation notation : notation::NotationsOf(position.variant())) {
    const Result<rules::Move> move = notation::ParseMove(position, text, notation, context);
    if (!move) {
      KOMADAI_CHECK(move.error().message().size() < 300);
      continue;
    }
    KOMADAI_CHECK(position.IsLegal(*move));
    const auto written = notation::FormatMove(position, *move, notation, context);
    KOMADAI_CHECK(written.has_value());
    const auto again = notation::ParseMove(position, *written, notation, context);
    KOMADAI_CHECK(again.has_value() && *again == *move);
  }
  const Result<rules::Move> any = notation::ParseAnyMove(position, text, context);
  KOMADAI_CHECK(!any || position.IsLegal(*any));
  return 0;
}
