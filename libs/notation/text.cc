#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

constexpr char32_t kReplacement = U'\uFFFD';

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Length announced by the first byte of a UTF-8 sequence; 0 if it cannot start one.
std::size_t SequenceLength(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool IsScalar(char32_t c, std::size_t length) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return c >= kSmallest[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

}  // namespace

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool IsEmptyPocket(std::string_view field) { return field == "[]" || field == "[-]"; }

std::string_view WithoutEmptyPocket(std::string_view board) {
  const std::size_t pocket = board.rfind('[');
  const bool empty = pocket != std::string_view::npos && IsEmptyPocket(board.substr(pocket));
  return empty ? board.substr(0, pocket) : board;
}

std::vector<std::string_view> SplitBlanks(std::string_view text) {
  std::vector<std::string_view> parts;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    std::size_t length = 0;
    while (length < text.size() && !IsBlank(text[length])) ++length;
    parts.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return parts;
}

std::optional<int> ParseCount(std::string_view digits) {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

char32_t TakeCodePoint(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = SequenceLength(first);
  char32_t value = length == 1 ? first : first & (0xFF >> (length + 1));
  bool whole = length > 0 && length <= text.size();
  for (std::size_t i = 1; whole && i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    whole = (next & 0xC0) == 0x80;
    value = (value << 6) | (next & 0x3F);
  }
  if (!whole || !IsScalar(value, length)) {
    text.remove_prefix(1);
    return kReplacement;
  }
  text.remove_prefix(length);
  return value;
}

void AppendUtf8(char32_t c, std::string& out) {
  const auto tail = [&out, c](int shift) {
    out.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3F)));
  };
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (c >> 6)));
    tail(0);
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (c >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (c >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::u32string DecodeUtf8(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  while (!text.empty()) out.push_back(TakeCodePoint(text));
  return out;
}

std::string EncodeUtf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) AppendUtf8(c, out);
  return out;
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const bool says_so = text.starts_with("\xEF\xBF\xBD");
    if (TakeCodePoint(text) == kReplacement && !says_so) return false;
  }
  return true;
}

std::string Quoted(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= kMaxQuotedBytes) return out + "...";
    const char32_t c = TakeCodePoint(text);
    const bool printable = c >= 0x20 && c != 0x7F && !(c >= 0x80 && c < 0xA0) &&
                           c != kReplacement && c != 0x2028 && c != 0x2029;
    AppendUtf8(printable ? c : U'?', out);
  }
  return out;
}

}  // namespace komadai::notation
