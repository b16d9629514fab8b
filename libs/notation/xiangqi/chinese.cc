#include "libs/notation/xiangqi/chinese.h"

#include <optional>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/xiangqi_moves.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::notation {
namespace {

namespace xiangqi = rules::xiangqi;
using rules::Kind;
using rules::Move;
using rules::Side;

// By the index of the kind: what Red and Black write, then everything that is understood.
constexpr std::u32string_view kRedNames = U"？帥仕相馬車炮兵";
constexpr std::u32string_view kBlackNames = U"？將士象馬車炮卒";
constexpr std::u32string_view kUnderstood[] = {U"",       U"帥帅將将", U"仕士",   U"相象",
                                               U"馬马傌", U"車车俥",   U"炮砲包", U"兵卒"};
constexpr std::u32string_view kDirections = U"進退平";  // by Direction

Kind KindOfName(char32_t c) {
  for (std::size_t kind = 1; kind < std::size(kUnderstood); ++kind) {
    if (kUnderstood[kind].find(c) != std::u32string_view::npos) return static_cast<Kind>(kind);
  }
  return Kind::kNone;
}

// 1 to 9, or 0 if `c` is no number.
int NumberOf(char32_t c) {
  if (c >= U'a' && c <= U'i') return 0;
  if (c >= U'A' && c <= U'I') return 0;
  return RankOf(c) + 1;
}

std::u32string Number(Side side, int value) {
  if (side == Side::kFirst) return std::u32string(KanjiDigit(value));
  return std::u32string(1, static_cast<char32_t>(U'0' + value));
}

// 前 中 後, or 前 二 三 四 後 where there are more than three.
std::u32string PlaceWord(const MoveParts& parts) {
  if (parts.place == 0) return U"前";
  if (parts.place == parts.equals - 1) return U"後";
  return parts.equals == 3 ? U"中" : std::u32string(KanjiDigit(parts.place + 1));
}

}  // namespace

std::string FormatChinese(const rules::Position& position, Move move) {
  const Side side = position.side_to_move();
  const MoveParts parts = PartsOf(position, move);
  std::u32string out;
  if (parts.in_tandem()) out += PlaceWord(parts);
  out +=
      (side == Side::kFirst ? kRedNames : kBlackNames)[static_cast<std::size_t>(Index(parts.kind))];
  if (!parts.in_tandem() || parts.several_files) out += Number(side, parts.column);
  out += kDirections[static_cast<std::size_t>(parts.direction)];
  out += Number(side, parts.number);
  return EncodeUtf8(out);
}

namespace {

// 前 中 後 or a number in front of the piece.
bool ReadPlace(char32_t c, SaidParts& said) {
  if (c == U'前') {
    said.place = Place::kFront;
  } else if (c == U'中') {
    said.place = Place::kMiddle;
  } else if (c == U'後' || c == U'后') {
    said.place = Place::kRear;
  } else {
    said.place_number = NumberOf(c);
    said.place = said.place_number == 0 ? Place::kNotSaid : Place::kNumbered;
  }
  return said.place != Place::kNotSaid;
}

bool ReadDirection(char32_t c, SaidParts& said) {
  if (c == U'进') c = U'進';
  const std::size_t found = kDirections.find(c);
  if (found == std::u32string_view::npos) return false;
  said.direction = static_cast<Direction>(found);
  return true;
}

// The part in front of the direction: piece and column, place and piece, or all three.
bool ReadPiece(std::u32string_view text, SaidParts& said) {
  Kind kind = KindOfName(text[0]);
  if (kind == Kind::kNone) {
    if (!ReadPlace(text[0], said)) return false;
    text.remove_prefix(1);
    kind = KindOfName(text[0]);
    if (kind == Kind::kNone) {  // 前四平五: a soldier
      said.AddKind(xiangqi::kSoldier);
      said.column = NumberOf(text[0]);
      return text.size() == 1 && said.column != 0;
    }
  } else if (text.size() == 1) {
    return false;
  }
  said.AddKind(kind);
  text.remove_prefix(1);
  if (text.empty()) return true;
  said.column = NumberOf(text[0]);
  return text.size() == 1 && said.column != 0;
}

}  // namespace

Result<Move> ParseChinese(const rules::Position& position, std::string_view text) {
  text = Trim(text);
  const auto bad = [text] { return TextError(kInvalidMove, "not a Chinese move", text); };
  if (text.size() > kMaxQuotedBytes) return bad();
  std::u32string decoded = DecodeUtf8(text);
  std::erase_if(decoded, [](char32_t c) { return c == U' ' || c == U'　'; });
  if (decoded.size() < 4 || decoded.size() > 5) return bad();
  const std::u32string_view view = decoded;
  SaidParts said;
  said.number = NumberOf(view.back());
  if (said.number == 0 || !ReadDirection(view[view.size() - 2], said) ||
      !ReadPiece(view.substr(0, view.size() - 2), said)) {
    return bad();
  }
  return FindMove(position, said, text);
}

}  // namespace komadai::notation
