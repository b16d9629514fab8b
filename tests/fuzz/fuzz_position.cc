// SFEN and FEN: whatever is read is written in a normal form that reads back as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/position_text.h"

using namespace komadai;  // a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const rules::Variant variant : rules::kVariants) {
    const Result<rules::Setup> setup = notation::ParseSetup(variant, text);
    if (!setup) continue;
    const std::string normal = notation::FormatSetup(*setup);
    const Result<rules::Setup> again = notation::ParseSetup(variant, normal);
    // A normal form may be longer than what is read: many pieces in hand spelled out.
    if (normal.size() > notation::kMaxPositionBytes) continue;
    KOMADAI_CHECK(again.has_value());
    KOMADAI_CHECK(notation::FormatSetup(*again) == normal);
    const auto position = rules::Position::From(*setup, rules::Kings::kOptional);
    if (position) KOMADAI_CHECK(notation::FormatPosition(*position) == normal);
  }
  return 0;
}
