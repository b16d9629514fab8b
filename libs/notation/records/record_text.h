// The text of a record file as lines, and text cleaned of what must not reach a terminal or a page.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/notation/records/record_file.h"

namespace komadai::notation {

struct TextLine {
  int number = 0;  // from 1
  std::string_view text;
};

// Lines end at CRLF, LF or CR. Empty ones are kept.
std::vector<TextLine> SplitLines(std::string_view text);

// Without control characters (tabs become blanks) and without the characters that turn the
// direction of text; says in `dropped` whether there were any.
std::string CleanText(std::string_view text, bool& dropped);

// The longest beginning of `text` that has at most `bytes` bytes and ends between characters.
std::string_view CutText(std::string_view text, std::size_t bytes);

// Blanks in the widest sense, U+3000 included, off both ends.
std::string_view TrimWide(std::string_view text);

// "2024/05/05 15:05:40", in UTC.
std::string DateText(std::chrono::milliseconds unix_time);

// `error` with the line to blame.
Error AtLine(const Error& error, int line);
Error BadLine(std::string_view what, const TextLine& line);

// Warnings of one file: each kind once, and not without end.
class Warnings {
 public:
  void Add(const std::string& text, std::optional<int> line = std::nullopt);
  std::vector<std::string> Take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> seen_;
};

}  // namespace komadai::notation
