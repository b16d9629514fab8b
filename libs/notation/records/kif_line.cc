#include "libs/notation/records/kif_line.h"

#include <algorithm>

#include "libs/notation/records/record_text.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

constexpr std::string_view kWideColon = "：";

// "key：value" or "key:value"; false if there is no colon.
bool SplitHeader(std::string_view line, KifLine& out) {
  const std::size_t wide = line.find(kWideColon);
  const std::size_t narrow = line.find(':');
  if (wide == std::string_view::npos && narrow == std::string_view::npos) return false;
  const bool is_wide = wide < narrow;
  const std::size_t at = is_wide ? wide : narrow;
  out.key = TrimWide(line.substr(0, at));
  out.value = TrimWide(line.substr(at + (is_wide ? kWideColon.size() : 1)));
  return !out.key.empty();
}

// The number in front of "手", in digits of either width.
int NumberIn(std::string_view text) {
  int number = 0;
  for (const char32_t c : DecodeUtf8(text)) {
    const bool zero = c == U'0' || c == U'０';
    const int digit = zero ? 0 : FileOf(c) + 1;
    if ((digit == 0 && !zero) || number > 100'000'000) break;
    number = number * 10 + digit;
  }
  return number;
}

std::optional<int> TimePart(std::string_view text) { return ParseCount(Trim(text)); }

// "0:16", "1:02:03"; seconds.
std::optional<int> SecondsOf(std::string_view text) {
  int seconds = 0;
  int parts = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    const std::optional<int> part = TimePart(text.substr(0, colon));
    if (!part || *part > 100'000 || seconds > 10'000'000) return std::nullopt;
    seconds = seconds * 60 + *part;
    ++parts;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts < 2 || parts > 3) return std::nullopt;
  return seconds;
}

// Takes "( 0:16/00:00:19)" off the end of `text`; an origin has no colon or slash.
void TakeTime(std::string_view& text, KifLine& out) {
  const std::size_t open = text.rfind('(');
  if (open == std::string_view::npos || open == 0) return;
  std::string_view inside = text.substr(open + 1);
  const std::size_t close = inside.find(')');
  if (inside.find('/') == std::string_view::npos && inside.find(':') == std::string_view::npos) {
    return;
  }
  inside = inside.substr(0, close);
  const std::optional<int> seconds = SecondsOf(inside.substr(0, inside.find('/')));
  if (seconds) out.used = std::chrono::seconds(*seconds);
  out.bad_time = !seconds;
  text = TrimWide(text.substr(0, open));
}

// The width of the number that moves begin with; 0 if there is none.
std::size_t NumberWidth(std::string_view line) {
  std::size_t width = 0;
  while (width < line.size() && line[width] >= '0' && line[width] <= '9') ++width;
  return width;
}

bool ParseMoveLine(std::string_view line, KifLine& out) {
  const std::size_t width = NumberWidth(line);
  if (width == 0 || width == line.size()) return false;
  const std::string_view after = line.substr(width);
  const bool blank = after[0] == ' ' || after[0] == '\t' || after.starts_with("\xE3\x80\x80");
  if (!blank) return false;
  out.number = ParseCount(line.substr(0, width)).value_or(0);
  std::string_view text = TrimWide(after);
  if (text.ends_with('+')) text = TrimWide(text.substr(0, text.size() - 1));
  TakeTime(text, out);
  bool dropped = false;
  out.text = CleanText(TrimWide(text), dropped);
  return !out.text.empty();
}

constexpr std::string_view kSideMarks[] = {"▲", "△", "☗", "☖", "▼", "▽"};

// The length of the side's mark that `text` begins with, 0 if there is none.
std::size_t MarkLength(std::string_view text) {
  for (const std::string_view mark : kSideMarks) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

constexpr std::string_view kIgnored[] = {"手数", "盤面反転", "先手番は", "KIFUS"};

}  // namespace

bool StartsLikeMove(std::u32string_view text) {
  if (text.empty()) return false;
  if (text[0] == U'同') return true;
  return text.size() > 1 && FileOf(text[0]) >= 0 && RankOf(text[1]) >= 0;
}

bool HasSideMark(std::string_view text) { return MarkLength(text) > 0; }

std::vector<std::string_view> SplitNames(std::string_view line) {
  std::vector<std::string_view> names;
  std::size_t start = 0;
  for (std::size_t at = MarkLength(line); at < line.size();) {
    const std::size_t mark = MarkLength(line.substr(at));
    if (mark > 0) {
      names.push_back(TrimWide(line.substr(start, at - start)));
      start = at;
    }
    at += std::max<std::size_t>(mark, 1);
  }
  names.push_back(TrimWide(line.substr(start)));
  return names;
}

KifLine ParseKifLine(std::string_view line) {
  KifLine out;
  const auto is = [&out](KifLine::Kind kind) {
    out.kind = kind;
    return out;
  };
  if (line.starts_with('|')) return is(KifLine::Kind::kRow);
  if (line.starts_with("+-")) return is(KifLine::Kind::kEdge);
  if (ParseMoveLine(line, out)) return is(KifLine::Kind::kMove);
  if (MarkLength(line) > 0) return is(KifLine::Kind::kNames);
  if (line.starts_with("変化")) {
    if (!SplitHeader(line, out)) return is(KifLine::Kind::kUnknown);
    out.number = NumberIn(out.value);
    return is(KifLine::Kind::kVariation);
  }
  if (line.starts_with("まで")) return is(KifLine::Kind::kSentence);
  if (line == "後手番" || line == "上手番" || line == "先手番" || line == "下手番") {
    out.side = line == "後手番" || line == "上手番" ? rules::Side::kSecond : rules::Side::kFirst;
    return is(KifLine::Kind::kSide);
  }
  if (line.starts_with("手数-") || line.starts_with("手数＝") || line.starts_with("手数=")) {
    return is(KifLine::Kind::kIgnored);
  }
  if (SplitHeader(line, out)) return is(KifLine::Kind::kHeader);
  const bool heading = line.starts_with("９") || line.starts_with("５");
  if (heading) return is(KifLine::Kind::kIgnored);
  for (const std::string_view prefix : kIgnored) {
    if (line.starts_with(prefix)) return is(KifLine::Kind::kIgnored);
  }
  return out;
}

}  // namespace komadai::notation
