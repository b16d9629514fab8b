#include "libs/notation/xiangqi/vietnamese_fold.h"

#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

struct Range {
  char32_t first;
  char32_t last;
  char base;
};

// Letters of Vietnamese in Unicode order; each range holds one base letter.
constexpr Range kRanges[] = {
    {U'À', U'Å', 'a'}, {U'È', U'Ë', 'e'}, {U'Ì', U'Ï', 'i'}, {U'Ò', U'Ö', 'o'}, {U'Ù', U'Ü', 'u'},
    {U'Ý', U'Ý', 'y'}, {U'à', U'å', 'a'}, {U'è', U'ë', 'e'}, {U'ì', U'ï', 'i'}, {U'ò', U'ö', 'o'},
    {U'ù', U'ü', 'u'}, {U'ý', U'ý', 'y'}, {U'Ă', U'ă', 'a'}, {U'Đ', U'đ', 'd'}, {U'Ĩ', U'ĩ', 'i'},
    {U'Ũ', U'ũ', 'u'}, {U'Ơ', U'ơ', 'o'}, {U'Ư', U'ư', 'u'}, {U'Ạ', U'ặ', 'a'}, {U'Ẹ', U'ệ', 'e'},
    {U'Ỉ', U'ị', 'i'}, {U'Ọ', U'ợ', 'o'}, {U'Ụ', U'ự', 'u'}, {U'Ỳ', U'ỹ', 'y'},
};

bool IsCombiningMark(char32_t c) { return c >= 0x300 && c <= 0x36F; }

char Fold(char32_t c) {
  if (c < 0x80) return Lower(static_cast<char>(c));
  if (c >= U'！' && c <= U'～') return Lower(static_cast<char>(c - U'！' + U'!'));
  for (const Range& range : kRanges) {
    if (c >= range.first && c <= range.last) return range.base;
  }
  return '?';
}

}  // namespace

std::string FoldVietnamese(std::string_view text) {
  std::string out;
  for (const char32_t c : DecodeUtf8(text)) {
    if (!IsCombiningMark(c)) out += Fold(c);
  }
  return out;
}

}  // namespace komadai::notation
