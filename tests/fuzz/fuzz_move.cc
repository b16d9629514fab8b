// Moves in every notation: a legal move's text reads back as it; any text that is read gives a
// legal move; everything else is refused with a reason.
//
// Input: variant, choices, index of a move (two bytes), a line with the position, then texts of
// moves, one a line.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/position_text.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/game_input.h"

using namespace komadai;  // a program of one function

namespace {

using notation::MoveContext;
using notation::Notation;
using rules::Move;
using rules::Position;

constexpr int kMaxTexts = 16;

MoveContext TakeContext(const Position& position, int choices) {
  MoveContext context;
  if ((choices & 1) != 0) context.vietnamese = notation::VietnameseLetters::kFederation;
  // The last move ended on a piece of the other side: some such square.
  if ((choices & 2) == 0 || position.variant() == rules::Variant::kXiangqi) return context;
  int skip = choices >> 2;
  for (int file = 0; file < rules::FileCount(position.variant()); ++file) {
    for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
      const rules::Square square(file, rank);
      const rules::Piece piece = position.at(square);
      if (piece.empty() || piece.side == position.side_to_move()) continue;
      context.previous_to = square;
      if (skip-- == 0) return context;
    }
  }
  return context;
}

// `context` reads what Vietnamese software of the same letters would write.
void CheckWritten(const Position& position, Move move, const MoveContext& context) {
  for (const Notation notation : notation::NotationsOf(position.variant())) {
    const auto written = notation::FormatMove(position, move, notation, context);
    KOMADAI_CHECK(written.has_value() && !written->empty() && written->size() <= 64);
    fuzz::CheckCleanText(*written);
    // Writing knows the standard letters only.
    MoveContext standard = context;
    standard.vietnamese = notation::VietnameseLetters::kStandard;
    const auto again = notation::ParseMove(position, *written, notation, standard);
    KOMADAI_CHECK(again.has_value() && *again == move);
    // Of several notations the text may mean different moves, each written so in one of them.
    const auto any = notation::ParseAnyMove(position, *written, standard);
    KOMADAI_CHECK(any.has_value());
    bool written_so = *any == move;
    for (const Notation other : notation::NotationsOf(position.variant())) {
      written_so |= *notation::FormatMove(position, *any, other, standard) == *written;
    }
    KOMADAI_CHECK(written_so);
  }
}

// The number at the end of such a move (steps, or the target's column) cannot be read otherwise.
bool EndsInNumber(Notation notation, std::string_view text) {
  const bool counts = notation == Notation::kWxf || notation == Notation::kVietnamese ||
                      notation == Notation::kVietnameseLong;
  return counts && !text.empty() && text.back() >= '1' && text.back() <= '9';
}

void CheckText(const Position& position, std::string_view text, const MoveContext& context) {
  bool read = false;
  for (const Notation notation : notation::NotationsOf(position.variant())) {
    const auto move = notation::ParseMove(position, text, notation, context);
    if (move) {
      KOMADAI_CHECK(position.IsLegal(*move));
      CheckWritten(position, *move, context);
      const auto written = notation::FormatMove(position, *move, notation, context);
      KOMADAI_CHECK(!EndsInNumber(notation, text) || text.back() == written->back());
    } else {
      fuzz::CheckRefusal(move.error());
    }
    read |= move.has_value();
  }
  const auto any = notation::ParseAnyMove(position, text, context);
  if (any) {
    KOMADAI_CHECK(position.IsLegal(*any));
  } else {
    fuzz::CheckRefusal(any.error());
    KOMADAI_CHECK(!read || any.error().reason() == "AMBIGUOUS_MOVE");
  }
}

// A notation that the game does not have is refused, for writing and for reading.
void CheckForeign(const Position& position, Move move, std::string_view text) {
  for (int i = 0; i <= static_cast<int>(Notation::kIccs); ++i) {
    const auto notation = static_cast<Notation>(i);
    if (notation::Has(position.variant(), notation)) continue;
    const auto written = notation::FormatMove(position, move, notation);
    KOMADAI_CHECK(!written && written.error().reason() == "WRONG_NOTATION");
    const auto read = notation::ParseMove(position, text, notation);
    KOMADAI_CHECK(!read && read.error().reason() == "WRONG_NOTATION");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(std::string_view(reinterpret_cast<const char*>(data), size));
  const rules::Variant variant = fuzz::TakeVariant(bytes);
  const int choices = bytes.Byte();
  const auto index = static_cast<std::size_t>(bytes.Word());
  const auto position = notation::ParsePosition(variant, bytes.Line(), rules::Kings::kOptional);
  if (!position) return 0;  // fuzz_position looks at refusals
  const MoveContext context = TakeContext(*position, choices);
  rules::MoveList moves;
  position->LegalMoves(moves);
  if (!moves.empty()) {
    const Move move = moves[index % moves.size()];
    CheckWritten(*position, move, context);
    CheckForeign(*position, move, bytes.Rest().substr(0, 64));
  }
  for (int i = 0; i < kMaxTexts && !bytes.empty(); ++i) {
    CheckText(*position, bytes.Line(), context);
  }
  return 0;
}
