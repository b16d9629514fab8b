#include "libs/sql/check_params.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "libs/sql/errors.h"

namespace komadai::sql {
namespace {

bool IsContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Length of the well-formed UTF-8 sequence (Unicode table 3-7) at `at`; 0 if there is none.
std::size_t SequenceLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t left = text.size() - at;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && IsContinuation(byte(1)) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (left < 3 || !IsContinuation(byte(1)) || !IsContinuation(byte(2))) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (left < 4) return 0;
    if (!IsContinuation(byte(1)) || !IsContinuation(byte(2)) || !IsContinuation(byte(3))) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
    return 4;
  }
  return 0;
}

bool IsStorableText(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    if (length == 0 || text[at] == '\0') return false;
    at += length;
  }
  return true;
}

bool IsStorable(const Value& value) {
  if (value.as_text() != nullptr) return IsStorableText(*value.as_text());
  if (value.as_double() != nullptr) return std::isfinite(*value.as_double());
  return true;
}

}  // namespace

Status CheckParams(const Params& params) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (IsStorable(params[i])) continue;
    const std::string position = std::to_string(i + 1);
    return Error(kInvalidValue, "parameter $" + position + " cannot be stored",
                 {{"parameter", position}});
  }
  return Status();
}

}  // namespace komadai::sql
