// CSA 2.2 (http://www2.computer-shogi.org/protocol/record_v22.html), with what version 3 adds.
#include <cmath>
#include <optional>

#include "libs/notation/errors.h"
#include "libs/notation/records/csa_board.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/record_builder.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/shogi/csa_move.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Position;
using rules::Side;

constexpr double kMaxSeconds = 1e7;

// With tenths and hundredths, as in version 3; nullopt if it is not a time.
std::optional<std::chrono::milliseconds> TimeOf(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (whole.empty() || whole.size() > 8) return std::nullopt;
  double seconds = 0;
  for (const char c : whole) {
    if (c < '0' || c > '9') return std::nullopt;
    seconds = seconds * 10 + (c - '0');
  }
  double digit = 0.1;
  for (const char c : point == std::string_view::npos ? "" : text.substr(point + 1, 3)) {
    if (c < '0' || c > '9') return std::nullopt;
    seconds += digit * (c - '0');
    digit /= 10;
  }
  if (seconds > kMaxSeconds) return std::nullopt;
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

// One game: header lines, the side to move, moves. Fed statement by statement.
class CsaGame {
 public:
  explicit CsaGame(Reading& reading) : reading_(reading), board_(reading.variant) {}

  Status Add(const TextLine& statement) {
    const std::string_view text = statement.text;
    switch (text[0]) {
      case '\'':
        return AddComment(text);
      case 'V':
        return AddVersion(text, statement.number);
      case 'N':
        return AddName(text);
      case '$':
        return AddHeader(text);
      case 'P':
        if (builder_) return Error(kBadRecord, "a position line comes after the first move");
        started_ = true;
        return board_.AddLine(text);
      case '+':
      case '-':
        return text.size() == 1 ? SetSide(text) : AddMove(text);
      case 'T':
        return AddTime(text, statement.number);
      case '%':
        return AddResult(text, statement.number);
      default:
        return TextError(kBadRecord, "not a CSA line", text);
    }
  }

  // Nothing if there was no game.
  Status Finish() {
    if (!started_) return {};
    if (!builder_) return Error(kBadRecord, "the line with the side to move is missing");
    builder_->record().first_name = builder_->Clean(names_[0]);
    builder_->record().second_name = builder_->Clean(names_[1]);
    for (const auto& [key, value] : headers_) builder_->AddHeader(key, value);
    if (reading_.games.size() >= kMaxRecordGames) {
      return Error(kRecordTooLarge, "the file contains too many games");
    }
    reading_.games.push_back(builder_->Finish());
    return {};
  }

 private:
  Status AddComment(std::string_view text) {
    // "'*" is a comment on the game; the rest is for the eyes of programmers.
    if (!text.starts_with("'*")) return {};
    if (builder_) {
      builder_->AddComment(text.substr(2));
    } else {
      early_comments_.emplace_back(text.substr(2));
    }
    return {};
  }
  Status AddVersion(std::string_view text, int line) {
    const bool known = text.size() > 1 && text[1] >= '1' && text[1] <= '3';
    if (!known) reading_.warnings.Add("unknown version, read as version 2.2", line);
    return {};
  }
  Status AddName(std::string_view text) {
    const bool valid = text.size() > 1 && (text[1] == '+' || text[1] == '-');
    if (!valid) return TextError(kBadRecord, "not a CSA line", text);
    started_ = true;
    names_[text[1] == '-' ? 1U : 0U] = std::string(text.substr(2));
    return {};
  }
  Status AddHeader(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    headers_.emplace_back(text.substr(1, colon == std::string_view::npos ? colon : colon - 1),
                          value);
    return {};
  }
  Status SetSide(std::string_view text) {
    if (builder_) return Error(kBadRecord, "there is a second line with the side to move");
    Result<Position> start = board_.Finish(text == "+" ? Side::kFirst : Side::kSecond);
    if (!start) return start.error();
    started_ = true;
    builder_.emplace(*start, reading_.warnings, reading_.nodes_left);
    for (const std::string& comment : early_comments_) builder_->AddComment(comment);
    return {};
  }
  Status AddMove(std::string_view text) {
    if (!builder_) return Error(kBadRecord, "the line with the side to move is missing");
    if (ended_) return TextError(kBadRecord, "a move comes after the end of the game", text);
    const Result<Move> move = ParseCsa(builder_->position(), text);
    if (!move) return move.error();
    return builder_->AddMove(*move);
  }
  Status AddTime(std::string_view text, int line) {
    const auto used = TimeOf(Trim(text.substr(1)));
    if (!used) {
      reading_.warnings.Add("an invalid time was left out", line);
    } else if (builder_ && !ended_) {
      builder_->SetUsed(*used);
    }
    return {};
  }
  Status AddResult(std::string_view text, int line) {
    if (!builder_) return Error(kBadRecord, "the line with the side to move is missing");
    if (ended_) return {};
    ended_ = true;
    const Position& position = builder_->position();
    const auto result = ResultOfCsa(Trim(text), position.variant(), position.side_to_move());
    if (!result) reading_.warnings.Add("an unknown ending was kept as text", line);
    builder_->record().result = result.value_or(RecordResult{.word = builder_->Clean(text)});
    return {};
  }

  Reading& reading_;
  CsaBoard board_;
  std::optional<RecordBuilder> builder_;
  std::array<std::string, 2> names_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> early_comments_;
  bool started_ = false;
  bool ended_ = false;
};

// Commas join statements, but not in names, headers and comments.
std::vector<TextLine> StatementsOf(const TextLine& line) {
  const bool whole =
      line.text.starts_with('N') || line.text.starts_with('$') || line.text.starts_with('\'');
  if (whole) return {line};
  std::vector<TextLine> statements;
  std::string_view rest = line.text;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (comma != 0) statements.push_back({line.number, rest.substr(0, comma)});
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return statements;
}

}  // namespace

Status ReadCsa(std::string_view text, Reading& reading) {
  std::optional<CsaGame> game(std::in_place, reading);
  int last = 1;
  for (const TextLine& line : SplitLines(text)) {
    last = line.number;
    const TextLine trimmed{line.number, Trim(line.text)};
    if (trimmed.text.empty()) continue;
    if (trimmed.text == "/") {
      if (Status finished = game->Finish(); !finished) {
        return AtLine(finished.error(), line.number);
      }
      game.emplace(reading);
      continue;
    }
    for (const TextLine& statement : StatementsOf(trimmed)) {
      if (Status added = game->Add(statement); !added) return AtLine(added.error(), line.number);
    }
  }
  if (Status finished = game->Finish(); !finished) return AtLine(finished.error(), last);
  if (reading.games.empty()) return AtLine(Error(kBadRecord, "the file contains no game"), 1);
  return {};
}

}  // namespace komadai::notation
