#include "cli/board_view.h"

#include <array>
#include <cstdio>
#include <optional>

#include "libs/notation/plain_move.h"
#include "libs/rules/setup.h"
#include "libs/rules/shogi/kinds.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::cli {
namespace {

using rules::Kind;
using rules::Piece;
using rules::Position;
using rules::Side;
using rules::Square;
using rules::Variant;

constexpr char kReset[] = "\033[0m";
constexpr char kReverse[] = "\033[7m";
constexpr char kRed[] = "\033[31m";

// By Index(Kind).
constexpr const char* kShogiPieces[] = {"・", "歩", "香", "桂", "銀", "角", "飛", "金",
                                        "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr const char* kRedPieces[] = {"十", "帥", "仕", "相", "傌", "俥", "炮", "兵"};
constexpr const char* kBlackPieces[] = {"十", "將", "士", "象", "馬", "車", "砲", "卒"};
constexpr const char* kWideDigits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};

std::optional<Square> TargetOf(Variant variant, const std::string& move) {
  if (move.empty()) return std::nullopt;
  const Result<rules::Move> parsed = notation::ParsePlainMove(variant, move);
  if (!parsed) return std::nullopt;
  return parsed->to;
}

std::string Cell(Variant variant, Piece piece, bool marked, bool colour) {
  const auto kind = static_cast<std::size_t>(rules::Index(piece.kind));
  std::string text;
  if (variant == Variant::kXiangqi) {
    const bool red = piece.side == Side::kFirst;
    const bool paint = colour && red && !piece.empty();
    text = std::string(" ") + (paint ? kRed : "") + (red ? kRedPieces : kBlackPieces)[kind] +
           (paint ? kReset : "");
  } else {
    const bool gote = !piece.empty() && piece.side == Side::kSecond;
    text = std::string(gote ? "v" : " ") + kShogiPieces[kind];
  }
  if (!marked) return text;
  return colour ? kReverse + text + kReset : text;
}

std::string FileLabel(Variant variant, int file) {
  if (variant == Variant::kXiangqi) return std::string("  ") + static_cast<char>('a' + file);
  return std::string(" ") + kWideDigits[file];
}

std::string RankLabel(Variant variant, int rank) {
  if (variant == Variant::kXiangqi) return std::to_string(rank);
  return std::string(1, static_cast<char>('a' + rank));
}

std::string Hand(const Position& position, Side side) {
  std::string text;
  for (const Kind kind : rules::shogi::kHandKinds) {
    const int count = position.hand(side, kind);
    if (count == 0) continue;
    text += std::string(" ") + kShogiPieces[rules::Index(kind)];
    if (count > 1) text += std::to_string(count);
  }
  return text.empty() ? " なし" : text;
}

std::string HandLine(const Position& position, Side side) {
  if (position.variant() == Variant::kXiangqi) return "";
  const char* mark = side == Side::kFirst ? "☗" : "☖";
  return std::string("  ") + mark + " 持駒:" + Hand(position, side) + "\n";
}

// The files from left to right and the ranks from top to bottom, as the viewer sees them.
struct View {
  bool files_descend;
  bool ranks_descend;
};
View ViewOf(Variant variant, bool turned) {
  // Shogi files count from sente's right; xiangqi ranks from red's side.
  const bool xiangqi = variant == Variant::kXiangqi;
  return {xiangqi ? turned : !turned, xiangqi ? !turned : turned};
}

}  // namespace

std::string DrawBoard(const Position& position, const std::string& last_move,
                      const BoardStyle& style) {
  const Variant variant = position.variant();
  const int files = rules::FileCount(variant);
  const int ranks = rules::RankCount(variant);
  const View view = ViewOf(variant, style.from_second_side);
  const std::optional<Square> target = TargetOf(variant, last_move);
  const Side top = style.from_second_side ? Side::kFirst : Side::kSecond;

  std::string labels = "  ";
  for (int i = 0; i < files; ++i) {
    labels += FileLabel(variant, view.files_descend ? files - 1 - i : i);
  }
  const std::string rule = "  +" + std::string(static_cast<std::size_t>(files) * 3, '-') + "+\n";
  std::string out = HandLine(position, top) + labels + "\n" + rule;
  for (int j = 0; j < ranks; ++j) {
    const int rank = view.ranks_descend ? ranks - 1 - j : j;
    out += "  |";
    for (int i = 0; i < files; ++i) {
      const Square square(view.files_descend ? files - 1 - i : i, rank);
      out += Cell(variant, position.at(square), target && *target == square, style.colour);
    }
    out += "| " + RankLabel(variant, rank) + "\n";
  }
  return out + rule + HandLine(position, rules::Opponent(top));
}

}  // namespace komadai::cli
