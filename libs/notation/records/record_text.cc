#include "libs/notation/records/record_text.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "libs/notation/errors.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

constexpr std::size_t kMaxWarnings = 50;

bool IsControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// The rest of a terminal's escape sequence, "[31m".
void SkipEscape(std::string_view& text) {
  if (!text.starts_with('[')) return;
  std::size_t end = 1;
  while (end < text.size() && end < 16 && text[end] >= 0x20 && text[end] < 0x40) ++end;
  text.remove_prefix(std::min(end + 1, text.size()));
}

}  // namespace

std::vector<TextLine> SplitLines(std::string_view text) {
  std::vector<TextLine> lines;
  int number = 1;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    lines.push_back({number++, text.substr(0, end)});
    if (end == std::string_view::npos) break;
    const bool crlf = text.substr(end).starts_with("\r\n");
    text.remove_prefix(end + (crlf ? 2 : 1));
  }
  return lines;
}

std::string CleanText(std::string_view text, bool& dropped) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char32_t c = TakeCodePoint(text);
    if (c == U'\x1B') {
      dropped = true;
      SkipEscape(text);
    } else if (c == U'\t') {
      out += ' ';
    } else if (IsControl(c)) {
      dropped = true;
    } else {
      AppendUtf8(c, out);
    }
  }
  return out;
}

std::string_view CutText(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string_view TrimWide(std::string_view text) {
  constexpr std::string_view kWideBlank = "\xE3\x80\x80";
  while (true) {
    text = Trim(text);
    if (text.starts_with(kWideBlank)) {
      text.remove_prefix(kWideBlank.size());
    } else if (text.ends_with(kWideBlank)) {
      text.remove_suffix(kWideBlank.size());
    } else {
      return text;
    }
  }
}

std::string DateText(std::chrono::milliseconds unix_time) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::milliseconds> at{unix_time};
  const auto day = floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{floor<std::chrono::seconds>(at - day)};
  char text[64];
  std::snprintf(text, sizeof text, "%04d/%02u/%02u %02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text;
}

Error AtLine(const Error& error, int line) {
  std::map<std::string, std::string> metadata = error.metadata();
  metadata.emplace("line", std::to_string(line));
  return Error::FromWire(error.code(), error.reason(),
                         "line " + std::to_string(line) + ": " + error.message(),
                         std::move(metadata));
}

Error BadLine(std::string_view what, const TextLine& line) {
  return AtLine(TextError(kBadRecord, what, line.text), line.number);
}

void Warnings::Add(const std::string& text, std::optional<int> line) {
  if (texts_.size() >= kMaxWarnings || std::ranges::count(seen_, text) > 0) return;
  seen_.push_back(text);
  texts_.push_back(line ? "line " + std::to_string(*line) + ": " + text : text);
}

}  // namespace komadai::notation
