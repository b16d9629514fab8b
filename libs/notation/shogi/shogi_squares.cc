#include "libs/notation/shogi/shogi_squares.h"

#include "libs/notation/text.h"
#include "libs/rules/setup.h"

namespace komadai::notation {
namespace {

constexpr std::u32string_view kFullWidth = U"１２３４５６７８９";
constexpr std::u32string_view kKanji = U"一二三四五六七八九";

int IndexIn(std::u32string_view digits, char32_t c) {
  const std::size_t found = digits.find(c);
  return found == std::u32string_view::npos ? -1 : static_cast<int>(found);
}

}  // namespace

int FileOf(char32_t c) {
  if (c >= U'1' && c <= U'9') return static_cast<int>(c - U'1');
  return IndexIn(kFullWidth, c);
}

int RankOf(char32_t c) {
  if (c >= U'a' && c <= U'i') return static_cast<int>(c - U'a');
  if (c >= U'A' && c <= U'I') return static_cast<int>(c - U'A');
  const int kanji = IndexIn(kKanji, c);
  return kanji >= 0 ? kanji : FileOf(c);
}

rules::Square SquareFrom(rules::Variant variant, char32_t file, char32_t rank) {
  const int x = FileOf(file);
  const int y = RankOf(rank);
  if (x < 0 || y < 0 || !rules::OnBoard(variant, rules::Square(x, y))) return {};
  return {x, y};
}

std::u32string_view FullWidthDigit(int value) {
  return kFullWidth.substr(static_cast<std::size_t>(value - 1), 1);
}

std::u32string_view KanjiDigit(int value) {
  return kKanji.substr(static_cast<std::size_t>(value - 1), 1);
}

}  // namespace komadai::notation
