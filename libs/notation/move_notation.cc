#include "libs/notation/move_notation.h"

#include <algorithm>
#include <array>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/csa_move.h"
#include "libs/notation/shogi/japanese.h"
#include "libs/notation/shogi/kif_move.h"
#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/shogi/usi.h"
#include "libs/notation/shogi/western.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/chinese.h"
#include "libs/notation/xiangqi/iccs.h"
#include "libs/notation/xiangqi/ucci.h"
#include "libs/notation/xiangqi/wxf.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Position;
using rules::Variant;

constexpr std::array<std::string_view, 11> kNames = {
    "usi", "ucci",    "western",    "japanese",        "kif", "csa",
    "wxf", "chinese", "vietnamese", "vietnamese_long", "iccs"};
constexpr Notation kShogiNotations[] = {Notation::kUsi, Notation::kWestern, Notation::kJapanese,
                                        Notation::kKif, Notation::kCsa};
constexpr Notation kXiangqiNotations[] = {Notation::kUcci,           Notation::kWxf,
                                          Notation::kChinese,        Notation::kVietnamese,
                                          Notation::kVietnameseLong, Notation::kIccs};

Error Wrong(Variant variant, Notation notation) {
  return Error(kWrongNotation,
               std::string(rules::VariantName(variant)) + " has no notation " +
                   std::string(NameOf(notation)),
               {{"variant", std::string(rules::VariantName(variant))},
                {"notation", std::string(NameOf(notation))}});
}

Result<Move> LegalOf(const Position& position, Result<Move> move, std::string_view text) {
  if (!move) return move;
  return Legal(position, *move, text);
}

}  // namespace

std::string_view NameOf(Notation notation) { return kNames[static_cast<std::size_t>(notation)]; }

std::optional<Notation> FindNotation(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Notation>(found - kNames.begin());
}

std::span<const Notation> NotationsOf(Variant variant) {
  if (variant == Variant::kXiangqi) return kXiangqiNotations;
  return kShogiNotations;
}

bool Has(Variant variant, Notation notation) {
  return std::ranges::count(NotationsOf(variant), notation) > 0;
}

Result<std::string> FormatMove(const Position& position, Move move, Notation notation,
                               const MoveContext& context) {
  if (!Has(position.variant(), notation)) return Wrong(position.variant(), notation);
  switch (notation) {
    case Notation::kUsi:
      return FormatUsi(move);
    case Notation::kUcci:
      return FormatUcci(move);
    case Notation::kWestern:
      return FormatWestern(position, move);
    case Notation::kJapanese:
      return FormatJapanese(position, move, context.previous_to);
    case Notation::kKif:
      return FormatKif(position, move, context.previous_to);
    case Notation::kCsa:
      return FormatCsa(position, move);
    case Notation::kWxf:
      return FormatWxf(position, move);
    case Notation::kChinese:
      return FormatChinese(position, move);
    case Notation::kVietnamese:
      return FormatVietnamese(position, move);
    case Notation::kVietnameseLong:
      return FormatVietnameseLong(position, move);
    case Notation::kIccs:
      return FormatIccs(move);
  }
  return Wrong(position.variant(), notation);
}

Result<Move> ParseMove(const Position& position, std::string_view text, Notation notation,
                       const MoveContext& context) {
  if (!Has(position.variant(), notation)) return Wrong(position.variant(), notation);
  switch (notation) {
    case Notation::kUsi:
      return LegalOf(position, ParseUsi(position.variant(), text), text);
    case Notation::kUcci:
    case Notation::kIccs:
      return LegalOf(position, ParseUcci(text), text);
    case Notation::kWestern:
      return ParseWestern(position, text);
    case Notation::kJapanese:
    case Notation::kKif:
      return ParseJapanese(position, text, context.previous_to);
    case Notation::kCsa:
      return ParseCsa(position, text);
    case Notation::kWxf:
      return ParseWxf(position, text);
    case Notation::kChinese:
      return ParseChinese(position, text);
    case Notation::kVietnamese:
      return ParseVietnamese(position, text, context.vietnamese);
    case Notation::kVietnameseLong:
      return ParseVietnameseLong(position, text);
  }
  return Wrong(position.variant(), notation);
}

namespace {

// A failure that says more than "not a move in this notation".
bool SaysMore(const Error& error) { return !error.Is(kInvalidMove); }

}  // namespace

Result<Move> ParseAnyMove(const Position& position, std::string_view text,
                          const MoveContext& context) {
  text = Trim(text);
  std::optional<Move> found;
  bool contradicted = false;
  std::optional<Error> why;
  for (const Notation notation : NotationsOf(position.variant())) {
    Result<Move> move = ParseMove(position, text, notation, context);
    if (!move) {
      if (!why || (SaysMore(move.error()) && !SaysMore(*why))) why = move.error();
      continue;
    }
    const Result<std::string> written = FormatMove(position, *move, notation, context);
    if (written && *written == text) return move;
    if (found && !(*found == *move)) contradicted = true;
    found = *move;
  }
  if (contradicted)
    return TextError(kAmbiguousMove, "the text means different moves in different notations", text);
  if (found) return *found;
  if (why && SaysMore(*why)) return *why;
  return TextError(kInvalidMove, "not a move in any notation of the game", text);
}

}  // namespace komadai::notation
