#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "libs/notation/records/kif_board.h"
#include "libs/notation/records/kif_line.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/shogi/japanese.h"
#include "libs/notation/shogi/kif_move.h"
#include "libs/notation/text.h"
#include "libs/rules/handicap.h"

namespace komadai::notation {
namespace {

using rules::Position;
using rules::Side;
using rules::Square;
using std::chrono::milliseconds;

// The state of a line of play at some ply, from which a variation may start.
struct LineState {
  Position position;
  std::optional<Square> previous;
  std::array<milliseconds, 2> total{};
};

// KI2 has the same frame as KIF, but several moves a line, by name and without times.
enum class KifStyle : bool { kNumbered, kNames };
constexpr int kNamesPerLine = 6;

// Whether a line with this header would be read as this header and nothing else.
bool IsPlainHeader(const std::string& key, const std::string& value) {
  constexpr std::string_view kReserved[] = {"手合割",     "先手",       "後手",
                                            "下手",       "上手",       "先手の持駒",
                                            "後手の持駒", "下手の持駒", "上手の持駒"};
  const std::string line = key + "：" + value;
  const KifLine parsed = ParseKifLine(line);
  return std::ranges::count(kReserved, key) == 0 && parsed.kind == KifLine::Kind::kHeader &&
         parsed.key == key && std::string_view("#*&").find(key[0]) == std::string_view::npos;
}

class KifWriter {
 public:
  KifWriter(const GameRecord& record, KifStyle style, Warnings& warnings)
      : record_(record), style_(style), warnings_(warnings) {}

  std::string Write(TextEncoding encoding) {
    const bool numbered = style_ == KifStyle::kNumbered;
    if (numbered) {
      out_ = encoding == TextEncoding::kUtf8 ? "#KIF version=2.0 encoding=UTF-8\n"
                                             : "#KIF version=2.0 encoding=Shift_JIS\n";
    }
    // KI2 has no first line of its own: a header there could pass for another format.
    if (!numbered) WriteStart();
    WriteHeaders();
    if (numbered) WriteStart();
    WriteNames();
    out_ += numbered ? "手数----指手---------消費時間--\n" : "\n";
    WriteComment(record_.comment);
    LineState start{record_.start, std::nullopt};
    WriteLine(record_.moves, record_.variations, start, 1, true);
    return std::move(out_);
  }

 private:
  void WriteHeaders() {
    for (const auto& [key, value] : record_.headers) {
      if (IsPlainHeader(key, value)) {
        out_ += key + "：" + value + "\n";
      } else {
        warnings_.Add("KIF cannot hold a header with this name");
      }
    }
    WriteDate("開始日時", record_.started_at);
    WriteDate("終了日時", record_.ended_at);
  }

  void WriteStart() {
    const std::string_view name = HandicapName();
    if (!name.empty()) {
      out_ += "手合割：" + std::string(name) + "\n";
    } else {
      if (record_.variant() == rules::Variant::kMinishogi) out_ += "手合割：5五将棋\n";
      out_ += FormatKifBoard(record_.start);
    }
    names_uwate_ = record_.start.side_to_move() == Side::kSecond && !name.empty();
  }

  void WriteNames() {
    out_ += (names_uwate_ ? "下手：" : "先手：") + record_.first_name + "\n";
    out_ += (names_uwate_ ? "上手：" : "後手：") + record_.second_name + "\n";
  }

  void WriteDate(const std::string& key, std::optional<milliseconds> at) {
    if (at && !record_.headers.contains(key)) out_ += key + "：" + DateText(*at) + "\n";
  }

  // By the start position itself; what the record calls it does not matter.
  std::string_view HandicapName() const {
    for (const rules::Handicap& handicap : rules::HandicapsOf(record_.variant())) {
      const auto start = rules::StartPosition(record_.variant(), handicap.id);
      if (start && *start == record_.start) return KifNameOf(record_.variant(), handicap.id);
    }
    return {};
  }

  // A line of play, then what branches off it, the last branch first, as Kifu for Windows does: a
  // reader looks for the nearest line above that reaches the ply.
  void WriteLine(const std::vector<RecordedMove>& moves, const std::vector<Variation>& variations,
                 const LineState& from, int from_ply, bool main_line) {
    std::vector<LineState> states = {from};
    int ply = from_ply;
    for (const RecordedMove& move : moves) {
      const bool branches = std::ranges::any_of(
          variations, [ply](const Variation& variation) { return variation.from_ply == ply; });
      states.push_back(WriteMove(move, states.back(), ply++, branches));
    }
    EndRow();
    if (main_line) WriteResult(states.back(), ply);
    std::vector<const Variation*> order;
    for (const Variation& variation : variations) order.push_back(&variation);
    std::ranges::stable_sort(order, std::ranges::greater(), &Variation::from_ply);
    for (const Variation* variation : order) {
      const auto index = static_cast<std::size_t>(variation->from_ply - from_ply);
      if (variation->from_ply < from_ply || index >= states.size()) continue;
      out_ += "\n変化：" + std::to_string(variation->from_ply) + "手\n";
      WriteLine(variation->moves, variation->variations, states[index], variation->from_ply, false);
    }
  }

  LineState WriteMove(const RecordedMove& move, const LineState& before, int ply, bool branches) {
    if (style_ == KifStyle::kNames) return WriteName(move, before);
    LineState after = before;
    const std::string text = FormatKif(before.position, move.move, before.previous);
    WriteNumbered(ply, text, true);
    if (move.used) {
      milliseconds& total = after.total[static_cast<std::size_t>(before.position.side_to_move())];
      total += *move.used;
      if (move.used->count() % 1000 != 0) warnings_.Add("KIF has whole seconds");
      WriteTime(*move.used, total);
    }
    out_ += branches ? "+\n" : "\n";
    WriteComment(move.comment);
    after.position.PlayUnchecked(move.move);
    after.previous = move.move.to;
    return after;
  }

  LineState WriteName(const RecordedMove& move, const LineState& before) {
    if (in_row_ == kNamesPerLine) EndRow();
    if (in_row_++ > 0) out_ += "    ";
    out_ += FormatJapanese(before.position, move.move, before.previous);
    if (move.used) warnings_.Add("KI2 has no times");
    if (!move.comment.empty()) EndRow();
    WriteComment(move.comment);
    LineState after = before;
    after.position.PlayUnchecked(move.move);
    after.previous = move.move.to;
    return after;
  }

  void EndRow() {
    if (in_row_ > 0) out_ += '\n';
    in_row_ = 0;
  }

  // Padded so that the times stand in one column: characters of Japanese are two columns wide.
  void WriteNumbered(int ply, const std::string& text, bool padded) {
    char number[16];
    std::snprintf(number, sizeof number, "%4d ", ply);
    out_ += number;
    out_ += text;
    std::size_t width = 0;
    for (const char32_t c : DecodeUtf8(text)) width += c < 0x80 ? 1 : 2;
    if (padded && width < 13) out_.append(13 - width, ' ');
  }

  void WriteTime(milliseconds used, milliseconds total) {
    const auto seconds = used.count() / 1000;
    const auto all = total.count() / 1000;
    char text[96];
    std::snprintf(text, sizeof text, "(%2lld:%02lld/%02lld:%02lld:%02lld)",
                  static_cast<long long>(seconds / 60), static_cast<long long>(seconds % 60),
                  static_cast<long long>(all / 3600), static_cast<long long>(all / 60 % 60),
                  static_cast<long long>(all % 60));
    out_ += text;
  }

  void WriteComment(std::string_view comment) {
    while (!comment.empty()) {
      const std::size_t end = comment.find('\n');
      out_ += '*';
      out_ += comment.substr(0, end);
      out_ += '\n';
      comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
    }
  }

  void WriteResult(const LineState& end, int ply) {
    bool exact = true;
    if (style_ == KifStyle::kNames) {
      const std::string sentence = KifSentenceFor(record_.result, ply - 1, names_uwate_, exact);
      if (!exact) warnings_.Add("KI2 has no words for this ending");
      if (!sentence.empty()) out_ += sentence + "\n";
      return;
    }
    const std::string_view word = KifWordFor(record_.result, end.position.side_to_move(), exact);
    if (!exact) warnings_.Add("KIF has no word for this ending");
    if (word.empty()) return;
    WriteNumbered(ply, std::string(word), false);
    out_ += '\n';
  }

  const GameRecord& record_;
  KifStyle style_;
  Warnings& warnings_;
  std::string out_;
  bool names_uwate_ = false;  // 下手 and 上手 instead of 先手 and 後手
  int in_row_ = 0;            // names in the line being written
};

}  // namespace

std::string WriteKif(const GameRecord& record, TextEncoding encoding, Warnings& warnings) {
  return KifWriter(record, KifStyle::kNumbered, warnings).Write(encoding);
}

std::string WriteKi2(const GameRecord& record, Warnings& warnings) {
  return KifWriter(record, KifStyle::kNames, warnings).Write(TextEncoding::kUtf8);
}

}  // namespace komadai::notation
