#include "libs/notation/xiangqi/wxf.h"

#include <algorithm>
#include <optional>

#include "libs/notation/errors.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/xiangqi_moves.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::notation {
namespace {

namespace xiangqi = rules::xiangqi;
using rules::Kind;
using rules::Move;

// By the index of the kind; the second row holds the letters of other programs.
constexpr std::string_view kLetters = "?KAEHRCP";
constexpr std::string_view kAliases[] = {"", "", "G", "BM", "N", "", "", "S"};
constexpr std::string_view kSigns = "+-=";  // by Direction

Kind KindOfLetter(char letter) {
  for (std::size_t kind = 1; kind < kLetters.size(); ++kind) {
    if (kLetters[kind] == Upper(letter) ||
        kAliases[kind].find(Upper(letter)) != std::string_view::npos) {
      return static_cast<Kind>(kind);
    }
  }
  return Kind::kNone;
}

bool IsColumn(char c) { return c >= '1' && c <= '9'; }

}  // namespace

std::string FormatWxf(const rules::Position& position, Move move) {
  const MoveParts parts = PartsOf(position, move);
  std::string out;
  if (parts.in_tandem() && (parts.equals > 2 || parts.several_files)) {
    out = std::to_string(parts.place + 1) + std::to_string(parts.column);
  } else {
    out = kLetters[static_cast<std::size_t>(Index(parts.kind))];
    out += parts.in_tandem() ? kSigns[static_cast<std::size_t>(parts.place)]
                             : static_cast<char>('0' + parts.column);
  }
  out += kSigns[static_cast<std::size_t>(parts.direction)];
  return out + std::to_string(parts.number);
}

namespace {

// Full-width forms as ASCII, "." as "=".
std::string Normalize(std::string_view text) {
  std::string out;
  for (char32_t c : DecodeUtf8(text)) {
    if (c >= U'！' && c <= U'～') c -= U'！' - U'!';
    if (c == U'.') c = U'=';
    AppendUtf8(c, out);
  }
  return out;
}

// The first two characters: piece and column, or one of the ways to write a place.
std::optional<SaidParts> ReadPiece(char first, char second) {
  SaidParts said;
  const auto sign = [&said](char c) {
    if (c != '+' && c != '-') return false;
    said.place = c == '+' ? Place::kFront : Place::kRear;
    return true;
  };
  if (sign(first)) {
    std::swap(first, second);
  } else if (IsColumn(second) && !IsColumn(first)) {
    said.column = second - '0';
  } else if (IsColumn(first) && IsColumn(second)) {
    said.AddKind(xiangqi::kSoldier);
    said.place = Place::kNumbered;
    said.place_number = first - '0';
    said.column = second - '0';
    return said;
  } else if (!sign(second)) {
    return std::nullopt;
  }
  if (IsColumn(first)) {  // a soldier by its column and place, "3+"
    said.AddKind(xiangqi::kSoldier);
    said.column = first - '0';
    return said;
  }
  const Kind kind = KindOfLetter(first);
  if (kind == Kind::kNone) return std::nullopt;
  said.AddKind(kind);
  return said;
}

}  // namespace

Result<Move> ParseWxf(const rules::Position& position, std::string_view text) {
  text = Trim(text);
  const auto bad = [text] { return TextError(kInvalidMove, "not a WXF move", text); };
  if (text.size() > kMaxQuotedBytes) return bad();
  const std::string normal = Normalize(text);
  if (normal.size() != 4) return bad();
  std::optional<SaidParts> said = ReadPiece(normal[0], normal[1]);
  const std::size_t direction = kSigns.find(normal[2]);
  if (!said || direction == std::string_view::npos || !IsColumn(normal[3])) return bad();
  said->direction = static_cast<Direction>(direction);
  said->number = normal[3] - '0';
  return FindMove(position, *said, text);
}

}  // namespace komadai::notation
