#include "libs/notation/plain_move.h"

#include "libs/notation/shogi/usi.h"
#include "libs/notation/xiangqi/ucci.h"

namespace komadai::notation {

Result<rules::Move> ParsePlainMove(rules::Variant variant, std::string_view text) {
  return variant == rules::Variant::kXiangqi ? ParseUcci(text) : ParseUsi(variant, text);
}

std::string FormatPlainMove(rules::Variant variant, rules::Move move) {
  return variant == rules::Variant::kXiangqi ? FormatUcci(move) : FormatUsi(move);
}

}  // namespace komadai::notation
