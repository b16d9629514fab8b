#include "tests/conformance/record_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "libs/notation/fen.h"
#include "libs/notation/sfen.h"
#include "libs/notation/ucci.h"
#include "libs/notation/usi.h"

namespace komadai::conformance {

using rules::Ending;
using rules::Side;
using rules::Variant;

Result<rules::Position> ReadPosition(Variant variant, const std::string& text) {
  const auto setup = variant == Variant::kXiangqi
                         ? notation::ParseFen(text == "startpos" ? notation::kXiangqiStart : text)
                         : notation::ParseSfen(variant, text);
  if (!setup) return setup.error();
  return rules::Position::From(*setup, rules::Kings::kOptional);
}

Result<rules::Move> ReadMove(Variant variant, const std::string& text) {
  return variant == Variant::kXiangqi ? notation::ParseUcci(text)
                                      : notation::ParseUsi(variant, text);
}

std::string WritePosition(const rules::Position& position) {
  const rules::Setup setup = position.ToSetup();
  return setup.variant == Variant::kXiangqi ? notation::FormatFen(setup)
                                            : notation::FormatSfen(setup);
}

std::vector<std::string> ReadMoveTexts(const nlohmann::json& moves) {
  if (moves.is_array()) return moves.get<std::vector<std::string>>();
  std::istringstream words(moves.get<std::string>());
  std::vector<std::string> texts;
  for (std::string word; words >> word;) texts.push_back(word);
  return texts;
}

Result<rules::Ruleset> ReadRuleset(Variant variant, const std::string& name) {
  if (name == "ttakji" || name == "chessplayx") return rules::FindRuleset(variant, "standard");
  if (name == "wikipedia") return rules::FindRuleset(variant, "professional");
  return rules::FindRuleset(variant, name);
}

std::string StatusName(Variant variant, const rules::Verdict& verdict) {
  switch (verdict.ending) {
    case Ending::kOngoing:
      return "ongoing";
    case Ending::kCheckmate:
      return "checkmate";
    case Ending::kNoLegalMove:
      return variant == Variant::kXiangqi ? "stalemate_loss" : "no_legal_move";
    case Ending::kRepetitionDraw:
      return "repetition_draw";
    case Ending::kRepetitionLoss:
      return "repetition_gote_win";
    case Ending::kPerpetualCheck:
      return "perpetual_check_loss";
    case Ending::kPerpetualChase:
      return "perpetual_chase_loss";
    case Ending::kNoCaptureDraw:
      return "no_capture_draw";
    case Ending::kInsufficientMaterial:
      return "insufficient_material_draw";
    case Ending::kPlyLimitDraw:
      return "max_moves_draw";
    case Ending::kPlyLimitPoints:
      return "max_moves_points";
    case Ending::kDeclarationWin:
      return "declaration_win";
    case Ending::kDeclarationLoss:
      return "declaration_loss";
    case Ending::kDeclarationDraw:
      return "declaration_draw";
    case Ending::kIllegalMove:
      return "illegal_move";
  }
  return "?";
}

std::string WinnerName(Variant variant, const std::optional<Side>& winner) {
  if (!winner) return "none";
  const bool first = *winner == Side::kFirst;
  if (variant == Variant::kXiangqi) return first ? "red" : "black";
  return first ? "sente" : "gote";
}

std::optional<Side> FindSide(std::string_view name) {
  if (name == "sente" || name == "red") return Side::kFirst;
  if (name == "gote" || name == "black") return Side::kSecond;
  return std::nullopt;
}

std::string WhyName(Variant variant, const std::optional<rules::Illegal>& illegal) {
  if (!illegal) return "ok";
  if (variant == Variant::kXiangqi && *illegal == rules::Illegal::kBadGeometry) return "geometry";
  std::string name(rules::NameOf(*illegal));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace komadai::conformance
