#include <algorithm>
#include <cstdio>
#include <vector>

#include "libs/notation/kif_move.h"
#include "libs/notation/records/kif_board.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/text.h"
#include "libs/rules/handicap.h"

namespace komadai::notation {
namespace {

using rules::Position;
using rules::Side;
using rules::Square;
using std::chrono::milliseconds;

// The state of a line of play at some ply: what a variation goes on from.
struct LineState {
  Position position;
  std::optional<Square> previous;
  std::array<milliseconds, 2> total{};
};

class KifWriter {
 public:
  KifWriter(const GameRecord& record, Warnings& warnings) : record_(record), warnings_(warnings) {}

  std::string Write(TextEncoding encoding) {
    out_ = encoding == TextEncoding::kUtf8 ? "#KIF version=2.0 encoding=UTF-8\n"
                                           : "#KIF version=2.0 encoding=Shift_JIS\n";
    WriteHeaders();
    out_ += "手数----指手---------消費時間--\n";
    WriteComment(record_.comment);
    LineState start{record_.start, std::nullopt};
    WriteLine(record_.moves, record_.variations, start, 1, true);
    return std::move(out_);
  }

 private:
  void WriteHeaders() {
    for (const auto& [key, value] : record_.headers) out_ += key + "：" + value + "\n";
    WriteDate("開始日時", record_.started_at);
    WriteDate("終了日時", record_.ended_at);
    const bool uwate_moves = record_.start.side_to_move() == Side::kSecond;
    const std::string_view name = HandicapName();
    if (!name.empty()) {
      out_ += "手合割：" + std::string(name) + "\n";
    } else {
      if (record_.variant() == rules::Variant::kMinishogi) out_ += "手合割：5五将棋\n";
      out_ += FormatKifBoard(record_.start);
    }
    const bool handicap = uwate_moves && !name.empty();
    out_ += (handicap ? "下手：" : "先手：") + record_.first_name + "\n";
    out_ += (handicap ? "上手：" : "後手：") + record_.second_name + "\n";
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
    const std::string_view word = KifWordFor(record_.result, end.position.side_to_move(), exact);
    if (!exact) warnings_.Add("KIF has no word for this ending");
    if (word.empty()) return;
    WriteNumbered(ply, std::string(word), false);
    out_ += '\n';
  }

  const GameRecord& record_;
  Warnings& warnings_;
  std::string out_;
};

}  // namespace

std::string WriteKif(const GameRecord& record, TextEncoding encoding, Warnings& warnings) {
  return KifWriter(record, warnings).Write(encoding);
}

}  // namespace komadai::notation
