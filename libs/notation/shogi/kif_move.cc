#include "libs/notation/shogi/kif_move.h"

#include "libs/notation/shogi/japanese.h"
#include "libs/notation/shogi/japanese_words.h"
#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/text.h"

namespace komadai::notation {

std::string FormatKif(const rules::Position& position, rules::Move move,
                      std::optional<rules::Square> previous) {
  std::u32string out = TargetWord(move.to, previous);
  out += JapaneseNameOf(MovedKind(position, move));
  if (move.is_drop()) return EncodeUtf8(out + U"打");
  if (move.promotes) out += U'成';
  out += U'(';
  out += static_cast<char32_t>(U'1' + move.from.file());
  out += static_cast<char32_t>(U'1' + move.from.rank());
  out += U')';
  return EncodeUtf8(out);
}

}  // namespace komadai::notation
