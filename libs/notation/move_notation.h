// Every notation of moves behind one front: write a move in any of them, read it from any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/notation/xiangqi/vietnamese.h"
#include "libs/rules/position.h"

namespace komadai::notation {

enum class Notation : std::uint8_t {
  kUsi,
  kUcci,
  kWestern,
  kJapanese,
  kKif,
  kCsa,
  kWxf,
  kChinese,
  kVietnamese,
  kVietnameseLong,
  kIccs,
};

// "usi", "western", "vietnamese_long", ...
std::string_view NameOf(Notation notation);
std::optional<Notation> FindNotation(std::string_view name);
// The notations a variant has, its plain one first.
std::span<const Notation> NotationsOf(rules::Variant variant);
bool Has(rules::Variant variant, Notation notation);

// What a move text may need besides the position.
struct MoveContext {
  // Target of the move before, for 同. Nothing before the first move.
  std::optional<rules::Square> previous_to = std::nullopt;
  VietnameseLetters vietnamese = VietnameseLetters::kStandard;
};

// `move` is legal in `position`. WRONG_NOTATION if the variant does not have the notation.
Result<std::string> FormatMove(const rules::Position& position, rules::Move move, Notation notation,
                               const MoveContext& context = {});

// The legal move that `text` (at most 64 bytes) means; leading move numbers are not read.
// INVALID_ARGUMENT: WRONG_NOTATION, INVALID_MOVE, AMBIGUOUS_MOVE, or the reason of the rule that
// the move would break (NIFU, HORSE_LEG, ...).
Result<rules::Move> ParseMove(const rules::Position& position, std::string_view text,
                              Notation notation, const MoveContext& context = {});

// The same for a text in any notation of the variant, recognised by its form; AMBIGUOUS_MOVE if two
// notations read it as different moves and neither would write it so.
Result<rules::Move> ParseAnyMove(const rules::Position& position, std::string_view text,
                                 const MoveContext& context = {});

}  // namespace komadai::notation
