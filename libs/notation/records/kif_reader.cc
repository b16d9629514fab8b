// KIF (http://kakinoki.o.oo7.jp/kif_format.html) as programs really write it, and KI2, which has
// the same frame around moves by their Japanese names.
#include <array>
#include <optional>
#include <utility>

#include "libs/notation/errors.h"
#include "libs/notation/records/kif_board.h"
#include "libs/notation/records/kif_line.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/record_builder.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/shogi/japanese.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Position;
using rules::Side;

constexpr std::size_t kMaxMoveLineBytes = 4096;

class KifReader {
 public:
  explicit KifReader(Reading& reading) : reading_(reading) {}

  Status Read(std::string_view text) {
    lines_ = SplitLines(text);
    for (next_ = 0; next_ < lines_.size(); ++next_) {
      const TextLine& line = lines_[next_];
      if (Status added = AddLine(line); !added) {
        return WithLine(added.error(), line.number);
      }
    }
    const int last = lines_.empty() ? 1 : lines_.back().number;
    if (!builder_ && !board_.started() && headers_.empty() && !handicap_) {
      return AtLine(Error(kBadRecord, "the file contains no game"), 1);
    }
    if (Status started = Start(); !started) return WithLine(started.error(), last);
    Finish();
    return {};
  }

 private:
  // The line the error names already, or `line`.
  static Error WithLine(const Error& error, int line) {
    return error.metadata().contains("line") ? error : AtLine(error, line);
  }

  Status AddLine(const TextLine& line) {
    const std::string_view text = TrimWide(line.text);
    if (text.empty() || text[0] == '#') return {};
    if (text[0] == '*') return AddComment(text.substr(1));
    if (text[0] == '&') return AddBookmark();
    const KifLine parsed = ParseKifLine(text);
    switch (parsed.kind) {
      case KifLine::Kind::kVariation:
        return BeginVariation(parsed.number, line);
      case KifLine::Kind::kMove:
        return AddMove(parsed, line);
      case KifLine::Kind::kNames:
        return AddNames(text, line);
      case KifLine::Kind::kSentence:
        return AddSentence(text);
      case KifLine::Kind::kEdge:
        board_line_ = line.number;
        return board_.AddEdge();
      case KifLine::Kind::kRow:
        return board_.AddRow(text);
      case KifLine::Kind::kHeader:
        return AddHeader(parsed.key, parsed.value, line.number);
      case KifLine::Kind::kSide:
        board_.SetSide(parsed.side);
        return {};
      case KifLine::Kind::kIgnored:
        return {};
      case KifLine::Kind::kUnknown:
        return AddUnknown(line);
    }
    return {};
  }

  Status AddUnknown(const TextLine& line) {
    if (line.text.size() > kMaxMoveLineBytes || line.text.find('\0') != std::string_view::npos ||
        (!builder_ && headers_.empty() && !handicap_ && !board_.started())) {
      return BadLine("not a line of a KIF file", line);
    }
    reading_.warnings.Add("a line that says nothing known was left out", line.number);
    return {};
  }

  Status AddComment(std::string_view text) {
    if (skipping_) return {};
    if (builder_) {
      builder_->AddComment(text);
    } else {
      early_comments_.emplace_back(text);
    }
    return {};
  }

  Status AddBookmark() {
    reading_.warnings.Add("bookmarks were left out");
    return {};
  }

  Status AddHeader(std::string_view key, std::string_view value, int line) {
    if (key == "手合割") {
      handicap_line_ = line;
      handicap_name_ = value;
      handicap_ = FindKifHandicap(value);
    } else if (key == "先手の持駒" || key == "下手の持駒") {
      return board_.AddHand(Side::kFirst, value);
    } else if (key == "後手の持駒" || key == "上手の持駒") {
      return board_.AddHand(Side::kSecond, value);
    } else if (key == "先手" || key == "下手") {
      if (!value.empty() || names_[0].empty()) names_[0] = value;
    } else if (key == "後手" || key == "上手") {
      if (!value.empty() || names_[1].empty()) names_[1] = value;
    }
    headers_.emplace_back(key, value);
    return {};
  }

  // The start position, once the first line needs it.
  Status Start() {
    if (builder_) return {};
    Result<Position> start = StartPosition();
    if (!start) {
      if (board_.open()) return start.error();  // the file ends inside the board
      return AtLine(start.error(), board_.started() ? board_line_ : handicap_line_);
    }
    builder_.emplace(*start, reading_.warnings, reading_.nodes_left);
    if (handicap_ && !board_.started()) builder_->record().handicap = handicap_->id;
    for (const std::string& comment : early_comments_) builder_->AddComment(comment);
    return {};
  }

  Result<Position> StartPosition() const {
    if (board_.started()) return board_.Finish();
    if (handicap_) return handicap_->start;
    if (!handicap_name_.empty()) {
      return TextError(kBadRecord, "the handicap is unknown and there is no board", handicap_name_);
    }
    return rules::StartPosition(reading_.variant == rules::Variant::kMinishogi
                                    ? rules::Variant::kMinishogi
                                    : rules::Variant::kShogi);
  }

  Status BeginVariation(int ply, const TextLine& line) {
    if (Status started = Start(); !started) return started;
    const Result<bool> begun = builder_->BeginVariation(ply);
    if (!begun) return AtLine(begun.error(), line.number);
    skipping_ = !*begun;
    ended_ = false;
    return {};
  }

  Status AddMove(const KifLine& parsed, const TextLine& line) {
    if (line.text.find('\0') != std::string_view::npos) {
      return BadLine("a line with NUL bytes", line);
    }
    if (skipping_) return {};
    if (Status started = Start(); !started) return started;
    if (ended_) {
      reading_.warnings.Add("what follows the end of a line of play was left out", line.number);
      return {};
    }
    const Position& position = builder_->position();
    const auto result = ResultOfKif(parsed.text, position.variant(), position.side_to_move());
    if (result) {
      End(*result);
      return {};
    }
    if (parsed.number != builder_->next_ply()) {
      reading_.warnings.Add("move numbers that do not fit were ignored", line.number);
    }
    const Result<Move> move = ParseJapanese(position, parsed.text, builder_->previous_to());
    if (move) {
      if (Status added = builder_->AddMove(*move); !added) return added;
      if (parsed.used) builder_->SetUsed(*parsed.used);
      if (parsed.bad_time) reading_.warnings.Add("an invalid time was left out", line.number);
      return {};
    }
    return AddUnplayable(parsed, move.error(), line);
  }

  // Moves by name, as KI2 has them.
  Status AddNames(std::string_view names, const TextLine& line) {
    if (line.text.find('\0') != std::string_view::npos) {
      return BadLine("a line with NUL bytes", line);
    }
    by_name_ = true;
    for (const std::string_view name : SplitNames(names)) {
      KifLine move;
      move.text = name;
      const std::string_view unmarked = name.substr(kMarkBytes);
      const Position* position = builder_ ? &builder_->position() : nullptr;
      const bool word = position != nullptr &&
                        ResultOfKif(unmarked, position->variant(), position->side_to_move());
      if (word) move.text = unmarked;
      if (!skipping_) {
        if (Status started = Start(); !started) return started;
        move.number = builder_->next_ply();
      }
      if (Status added = AddMove(move, line); !added) return added;
    }
    return {};
  }

  // A text in place of a move that is not a legal move.
  Status AddUnplayable(const KifLine& parsed, const Error& error, const TextLine& line) {
    const std::optional<rules::Side> offender = IllegalEnd();
    if (!error.Is(kInvalidMove) && builder_->on_main_line() && offender) {
      reading_.warnings.Add("the last move is illegal: the game was lost by it", line.number);
      End({RecordEnding::kIllegalMove, WonBy(rules::Opponent(*offender)), "反則"});
      return {};
    }
    if (!builder_->on_main_line()) {
      reading_.warnings.Add("a variation with an illegal move was cut there", line.number);
      ended_ = true;
      return {};
    }
    if (IsWord(parsed.text)) {
      reading_.warnings.Add("an unknown ending was kept as text", line.number);
      End({.word = builder_->Clean(parsed.text)});
      return {};
    }
    return AtLine(error, line.number);
  }

  // Whether the move of this line is the last one and what follows says that it was illegal: the
  // word 反則勝ち, or a comment that speaks of a foul.
  std::optional<Side> IllegalEnd() const {
    const Side mover = builder_->position().side_to_move();
    bool foul = false;
    for (std::size_t i = next_ + 1; i < lines_.size(); ++i) {
      const std::string_view text = TrimWide(lines_[i].text);
      const KifLine parsed = ParseKifLine(text);
      if (parsed.kind == KifLine::Kind::kVariation) break;
      if (parsed.kind == KifLine::Kind::kMove && parsed.text != "反則勝ち") return std::nullopt;
      foul = foul || text.find("反則") != std::string_view::npos;
    }
    return foul ? std::optional<Side>(mover) : std::nullopt;
  }

  // A word rather than a broken move: without a square and without an origin.
  static bool IsWord(std::string_view text) {
    if (HasSideMark(text)) text.remove_prefix(kMarkBytes);
    const std::u32string decoded = DecodeUtf8(text);
    return !decoded.empty() && decoded.size() <= 16 && !StartsLikeMove(decoded) &&
           decoded.find(U'(') == std::u32string::npos && decoded[0] > 0x7F;
  }

  void End(RecordResult result) {
    ended_ = true;
    if (builder_->on_main_line()) builder_->record().result = std::move(result);
  }

  Status AddSentence(std::string_view text) {
    if (Status started = Start(); !started) return started;
    GameRecord& record = builder_->record();
    if (!builder_->on_main_line() || record.result.known() || !record.result.word.empty()) {
      return {};
    }
    const Position& position = builder_->position();
    auto result = ResultOfSentence(text, position.variant(), position.side_to_move());
    if (!result) return {};
    // In KI2 there is no other place for a resignation; without moves it looks like KIF.
    const bool only_winner =
        result->ending == RecordEnding::kUnknown && result->outcome != RecordOutcome::kUnknown;
    const bool no_word = by_name_ || builder_->next_ply() == 1;
    if (no_word && only_winner) result->ending = RecordEnding::kResignation;
    record.result = *result;
    record.result.word = builder_->Clean(text);
    ended_ = true;
    return {};
  }

  void Finish() {
    builder_->record().first_name = builder_->Clean(names_[0]);
    builder_->record().second_name = builder_->Clean(names_[1]);
    for (const auto& [key, value] : headers_) {
      const bool told_elsewhere =
          key == "手合割" || key == "先手" || key == "後手" || key == "下手" || key == "上手";
      if (!told_elsewhere) builder_->AddHeader(key, value);
    }
    reading_.games.push_back(builder_->Finish());
  }

  Reading& reading_;
  std::vector<TextLine> lines_;
  std::size_t next_ = 0;
  KifBoard board_;
  int board_line_ = 1;
  std::string handicap_name_;
  int handicap_line_ = 1;
  std::optional<KifHandicap> handicap_;
  std::array<std::string, 2> names_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> early_comments_;
  std::optional<RecordBuilder> builder_;
  bool by_name_ = false;   // moves have names: KI2
  bool ended_ = false;     // this line of play has its terminal word
  bool skipping_ = false;  // inside a variation that is left out
};

}  // namespace

Status ReadKif(std::string_view text, Reading& reading) { return KifReader(reading).Read(text); }

}  // namespace komadai::notation
