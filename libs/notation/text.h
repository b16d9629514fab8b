// Small tools for reading and writing text that comes from outside.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace komadai::notation {

inline constexpr std::size_t kMaxQuotedBytes = 64;

// `text` made safe for messages and logs: at most kMaxQuotedBytes of it, control characters and
// broken UTF-8 replaced by '?', "..." where it was cut.
std::string Quoted(std::string_view text);

// Without ASCII blanks at either end.
std::string_view Trim(std::string_view text);

// The parts between ASCII blanks; none is empty.
std::vector<std::string_view> SplitBlanks(std::string_view text);

// The empty pocket, "[]" or "[-]", of programs that write one for every variant: in a FEN or SFEN a
// field of its own, or at the end of the board.
bool IsEmptyPocket(std::string_view field);
std::string_view WithoutEmptyPocket(std::string_view board);

// A decimal number of at most 9 digits and nothing else.
std::optional<int> ParseCount(std::string_view digits);

// Takes the next code point off `text`, which must not be empty. A broken sequence costs one byte
// and is U+FFFD.
char32_t TakeCodePoint(std::string_view& text);
void AppendUtf8(char32_t code_point, std::string& out);
std::u32string DecodeUtf8(std::string_view text);
std::string EncodeUtf8(std::u32string_view text);
bool IsValidUtf8(std::string_view text);

constexpr bool IsDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace komadai::notation
