#include "libs/conformance/words.h"

#include <algorithm>
#include <cctype>

namespace komadai::conformance {
namespace {

using rules::Ending;
using rules::Illegal;
using rules::Side;
using rules::Variant;

struct StatusRow {
  std::string_view word;
  Ending ending;
};

// The first word of an ending is the one that is written.
constexpr StatusRow kStatuses[] = {
    {"ongoing", Ending::kOngoing},
    {"checkmate", Ending::kCheckmate},
    {"no_legal_move", Ending::kNoLegalMove},
    {"stalemate_loss", Ending::kNoLegalMove},
    {"repetition_draw", Ending::kRepetitionDraw},
    {"repetition_gote_win", Ending::kRepetitionLoss},
    {"perpetual_check_loss", Ending::kPerpetualCheck},
    {"perpetual_chase_loss", Ending::kPerpetualChase},
    {"no_capture_draw", Ending::kNoCaptureDraw},
    {"insufficient_material_draw", Ending::kInsufficientMaterial},
    {"max_moves_draw", Ending::kPlyLimitDraw},
    {"max_moves_points", Ending::kPlyLimitPoints},
    {"declaration_win", Ending::kDeclarationWin},
    {"declaration_loss", Ending::kDeclarationLoss},
    {"declaration_draw", Ending::kDeclarationDraw},
    {"illegal_move", Ending::kIllegalMove},
    {"illegal_move_loss", Ending::kIllegalMove},
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

Result<rules::Ruleset> NamedRuleset(Variant variant, std::string_view name) {
  if (name == "ttakji" || name == "chessplayx") return rules::FindRuleset(variant, "standard");
  if (name == "wikipedia") return rules::FindRuleset(variant, "professional");
  return rules::FindRuleset(variant, name);
}

std::string_view StatusWord(Variant variant, Ending ending) {
  if (variant == Variant::kXiangqi && ending == Ending::kNoLegalMove) return "stalemate_loss";
  const auto* const row = std::ranges::find(kStatuses, ending, &StatusRow::ending);
  return row == std::end(kStatuses) ? rules::NameOf(ending) : row->word;
}

std::optional<Ending> FindEnding(std::string_view status) {
  const auto* const row = std::ranges::find(kStatuses, status, &StatusRow::word);
  if (row == std::end(kStatuses)) return std::nullopt;
  return row->ending;
}

std::string_view WinnerWord(Variant variant, std::optional<Side> winner) {
  if (!winner) return "none";
  const bool first = *winner == Side::kFirst;
  if (variant == Variant::kXiangqi) return first ? "red" : "black";
  return first ? "sente" : "gote";
}

std::optional<Side> FindSide(std::string_view name) {
  if (name == "sente" || name == "red" || name == "first") return Side::kFirst;
  if (name == "gote" || name == "black" || name == "second") return Side::kSecond;
  return std::nullopt;
}

std::string WhyWord(Variant variant, std::optional<Illegal> illegal) {
  if (!illegal) return "ok";
  if (variant == Variant::kXiangqi && *illegal == Illegal::kBadGeometry) return "geometry";
  return Lower(rules::NameOf(*illegal));
}

bool MeansWhy(std::string_view word, std::optional<Illegal> illegal) {
  if (!illegal) return word == "ok";
  if (word == Lower(rules::NameOf(*illegal))) return true;
  return *illegal == Illegal::kBadGeometry && word == "geometry";
}

}  // namespace komadai::conformance
