// Xiangqi in PGN (https://www.xqbase.com/protocol/cchess_pgn.htm).
#include <algorithm>
#include <cstdio>
#include <optional>

#include "libs/notation/errors.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/record_builder.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/chinese.h"
#include "libs/notation/xiangqi/fen.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Position;
using rules::Side;
using rules::Variant;

constexpr std::size_t kMaxTokenBytes = 64;
// Tags with a meaning of their own; the others are headers.
constexpr std::string_view kReserved[] = {"Game",   "Red", "White", "Black",
                                          "Result", "FEN", "Format"};

std::optional<RecordOutcome> OutcomeOf(std::string_view token) {
  if (token == "1-0") return RecordOutcome::kFirstWins;
  if (token == "0-1") return RecordOutcome::kSecondWins;
  if (token == "1/2-1/2") return RecordOutcome::kDraw;
  if (token == "*") return RecordOutcome::kUnknown;
  return std::nullopt;
}

// "12." or "3...", in front of a move or alone; taken off the token.
void TakeNumber(std::string_view& token) {
  std::size_t digits = 0;
  while (digits < token.size() && token[digits] >= '0' && token[digits] <= '9') ++digits;
  if (digits == 0 || digits == token.size() || token[digits] != '.') return;
  while (digits < token.size() && token[digits] == '.') ++digits;
  token.remove_prefix(digits);
}

class PgnReader {
 public:
  PgnReader(std::string_view text, Reading& reading) : text_(text), reading_(reading) {}

  Status Read() {
    while (SkipBlanks()) {
      if (text_[0] == '[') {
        if (Status tag = ReadTag(); !tag) return AtLine(tag.error(), line_);
      } else if (Status moves = ReadMoves(); !moves) {
        return AtLine(moves.error(), line_);
      }
    }
    if (!tags_.empty()) {
      if (Status game = ReadMoves(); !game) return AtLine(game.error(), line_);
    }
    if (reading_.games.empty()) return AtLine(Error(kBadRecord, "the file contains no game"), 1);
    return {};
  }

 private:
  // False at the end.
  bool SkipBlanks() {
    while (!text_.empty()) {
      const bool wide = text_.starts_with("\xE3\x80\x80");
      if (!wide && static_cast<unsigned char>(text_[0]) > ' ') return true;
      Advance(wide ? 3 : 1);
    }
    return false;
  }

  void Advance(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool lone_cr = text_[i] == '\r' && !(i + 1 < text_.size() && text_[i + 1] == '\n');
      if (text_[i] == '\n' || lone_cr) ++line_;
    }
    text_.remove_prefix(count);
  }

  // Up to the end of the line.
  std::string_view TakeLine() {
    const std::string_view line = text_.substr(0, text_.find_first_of("\r\n"));
    Advance(line.size());
    return line;
  }

  // [Key "value"], the value perhaps without its end.
  Status ReadTag() {
    const std::string_view line = Trim(TakeLine());
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos) return TextError(kBadRecord, "not a PGN tag", line);
    if (close == open) reading_.warnings.Add("a tag that is not closed", line_);
    const std::string_view key = Trim(line.substr(1, open - 1));
    const std::string_view value =
        close == open ? line.substr(open + 1) : line.substr(open + 1, close - open - 1);
    tags_.emplace_back(key, value);
    return {};
  }

  std::string Tag(std::string_view wanted, std::string_view also = {}) const {
    for (const auto& [key, value] : tags_) {
      if (key == wanted || (!also.empty() && key == also)) return value;
    }
    return {};
  }

  // A game's moves, up to its result or the next game's tags.
  Status ReadMoves() {
    const Result<Position> start =
        ParsePosition(Variant::kXiangqi, Tag("FEN"), rules::Kings::kBoth);
    if (!start) return start.error();
    if (reading_.games.size() >= kMaxRecordGames) {
      return Error(kRecordTooLarge, "the file contains too many games");
    }
    RecordBuilder builder(*start, reading_.warnings, reading_.nodes_left);
    builder.record().result.outcome = OutcomeOf(Tag("Result")).value_or(RecordOutcome::kUnknown);
    bool ended = false;
    while (!ended && SkipBlanks() && !(text_[0] == '[' && skipped_depth_ == 0)) {
      if (Status element = ReadElement(builder, ended); !element) return element;
    }
    if (ended) SkipToNextGame();
    Finish(builder);
    return {};
  }

  // What follows the result, the advertisement of a site for instance.
  void SkipToNextGame() {
    while (SkipBlanks() && text_[0] != '[') TakeLine();
  }

  Status ReadElement(RecordBuilder& builder, bool& ended) {
    switch (text_[0]) {
      case '{':
        return ReadComment(builder);
      case ';':
        Comment(builder, TakeLine().substr(1));
        return {};
      case '(':
        Advance(1);
        OpenVariation(builder);
        return {};
      case ')':
        Advance(1);
        CloseVariation(builder);
        return {};
      default:
        return ReadToken(builder, ended);
    }
  }

  Status ReadComment(RecordBuilder& builder) {
    const std::size_t close = text_.find('}');
    if (close == std::string_view::npos) return Error(kBadRecord, "a comment is not closed");
    Comment(builder, text_.substr(1, close - 1));
    Advance(close + 1);
    return {};
  }

  void Comment(RecordBuilder& builder, std::string_view text) {
    if (skipped_depth_ > 0) return;
    for (const TextLine& line : SplitLines(text)) {
      const std::string_view trimmed = TrimWide(line.text);
      if (!trimmed.empty()) builder.AddComment(trimmed);
    }
  }

  void OpenVariation(RecordBuilder& builder) {
    if (skipped_depth_ > 0 || !builder.BranchHere()) ++skipped_depth_;
  }
  void CloseVariation(RecordBuilder& builder) {
    if (skipped_depth_ > 0) {
      --skipped_depth_;
    } else {
      builder.EndVariation();
    }
  }

  Status ReadToken(RecordBuilder& builder, bool& ended) {
    std::size_t length = 0;
    while (length < text_.size() && static_cast<unsigned char>(text_[length]) > ' ' &&
           std::string_view("{}();[").find(text_[length]) == std::string_view::npos &&
           !text_.substr(length).starts_with("\xE3\x80\x80")) {
      ++length;
    }
    length = std::max<std::size_t>(length, 1);
    std::string_view token = text_.substr(0, length);
    const Status read = ReadMove(token, builder, ended);
    if (!read) return read;
    Advance(length);
    return {};
  }

  Status ReadMove(std::string_view token, RecordBuilder& builder, bool& ended) {
    if (skipped_depth_ > 0) return {};
    const std::optional<RecordOutcome> outcome = OutcomeOf(token);
    if (outcome) {
      if (!builder.on_main_line()) return {};
      if (*outcome != RecordOutcome::kUnknown) builder.record().result.outcome = *outcome;
      ended = true;
      return {};
    }
    TakeNumber(token);
    if (token.empty() || token[0] == '$' || token.find_first_not_of('.') == token.npos) return {};
    if (token.size() > kMaxTokenBytes) return TextError(kBadRecord, "not a move", token);
    MoveContext context;
    context.previous_to = builder.previous_to();
    const Result<Move> move = ParseAnyMove(builder.position(), token, context);
    if (!move) return move.error();
    return builder.AddMove(*move);
  }

  void Finish(RecordBuilder& builder) {
    GameRecord& record = builder.record();
    record.first_name = builder.Clean(Tag("Red", "White"));
    record.second_name = builder.Clean(Tag("Black"));
    for (const auto& [key, value] : tags_) {
      if (std::ranges::count(kReserved, key) == 0) builder.AddHeader(key, value);
    }
    tags_.clear();
    skipped_depth_ = 0;
    reading_.games.push_back(builder.Finish());
  }

  std::string_view text_;
  Reading& reading_;
  int line_ = 1;
  std::vector<std::pair<std::string, std::string>> tags_;
  int skipped_depth_ = 0;  // parentheses inside a variation that is left out
};

// Inside a tag.
std::string Quotable(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return text;
}

class PgnWriter {
 public:
  explicit PgnWriter(const GameRecord& record) : record_(record) {}

  std::string Write(Warnings& warnings) {
    Tag("Game", "Chinese Chess");
    for (const auto& [key, value] : record_.headers) {
      const bool plain =
          std::ranges::count(kReserved, key) == 0 && std::ranges::all_of(key, [](char c) {
            return IsLetter(c) || IsDigit(static_cast<unsigned char>(c));
          });
      if (plain) {
        Tag(key, value);
      } else {
        warnings.Add("PGN cannot hold a header with this name");
      }
    }
    Tag("Red", record_.first_name);
    Tag("Black", record_.second_name);
    Tag("Result", ResultToken());
    const std::string fen = FormatPosition(record_.start);
    if (fen != kXiangqiStart) Tag("FEN", fen);
    out_ += '\n';
    WriteComment(record_.comment);
    WriteLine(record_.moves, record_.variations, record_.start, 1);
    out_ += ResultToken() + "\n";
    const bool cause_lost = record_.result.ending != RecordEnding::kUnknown;
    if (cause_lost) warnings.Add("PGN says who won, but not why");
    if (times_lost_) warnings.Add("PGN has no times");
    return std::move(out_);
  }

 private:
  void Tag(const std::string& key, const std::string& value) {
    out_ += "[" + key + " \"" + Quotable(value) + "\"]\n";
  }

  std::string ResultToken() const {
    switch (record_.result.outcome) {
      case RecordOutcome::kFirstWins:
        return "1-0";
      case RecordOutcome::kSecondWins:
        return "0-1";
      case RecordOutcome::kDraw:
        return "1/2-1/2";
      default:
        return "*";
    }
  }

  // The number of a move counts both sides' moves.
  void WriteNumber(const Position& position, int ply, bool first) {
    const int offset = record_.start.side_to_move() == Side::kSecond ? 1 : 0;
    const int number = (ply + offset + 1) / 2;
    const bool red = position.side_to_move() == Side::kFirst;
    if (red || first) out_ += std::to_string(number) + (red ? ". " : "... ");
  }

  void WriteLine(const std::vector<RecordedMove>& moves, const std::vector<Variation>& variations,
                 Position position, int ply) {
    bool first = true;
    for (const RecordedMove& move : moves) {
      WriteNumber(position, ply, first);
      out_ += FormatChinese(position, move.move) + (ply % 10 == 0 ? "\n" : " ");
      first = !move.comment.empty();
      WriteComment(move.comment);
      times_lost_ = times_lost_ || move.used.has_value();
      for (const Variation& variation : variations) {
        if (variation.from_ply != ply) continue;
        out_ += "(";
        WriteLine(variation.moves, variation.variations, position, ply);
        out_ += ") ";
        first = true;
      }
      position.PlayUnchecked(move.move);
      ++ply;
    }
  }

  void WriteComment(std::string comment) {
    if (comment.empty()) return;
    std::ranges::replace(comment, '}', ')');
    out_ += "{" + comment + "} ";
  }

  const GameRecord& record_;
  std::string out_;
  bool times_lost_ = false;
};

}  // namespace

Status ReadPgn(std::string_view text, Reading& reading) { return PgnReader(text, reading).Read(); }

std::string WritePgn(const GameRecord& record, Warnings& warnings) {
  return PgnWriter(record).Write(warnings);
}

}  // namespace komadai::notation
