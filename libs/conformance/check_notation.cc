// One move in every notation: written so, and read from every spelling.
#include <string>

#include "libs/conformance/checks.h"
#include "libs/conformance/words.h"

namespace komadai::conformance {
namespace {

using notation::Notation;

constexpr std::string_view kAlternative = "_alt";

// A record about one move; `move` is its plain notation.
class NotationCheck {
 public:
  NotationCheck(const Json& record, Judge& judge)
      : record_(record), judge_(judge), board_(BoardOf(record)), move_(Text(record, "move")) {}

  void Run() {
    const std::optional<rules::Illegal> illegal = Need(judge_.WhyIllegal(board_, move_));
    if (illegal) Fail("the move is illegal: " + WhyWord(board_.variant, illegal));
    ReadPreviousTarget();
    for (const auto& [name, value] : record_.items()) CheckField(name);
  }

 private:
  void ReadPreviousTarget() {
    if (!record_.contains("last_to") || record_["last_to"].is_null()) return;
    const std::string text = Text(record_, "last_to");
    if (board_.variant == rules::Variant::kXiangqi || text.size() != 2) {
      Fail("malformed record: last_to is not a square");
    }
    const rules::Square square(text[0] - '1', text[1] - 'a');
    const bool near = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
    if (!near || !rules::OnBoard(board_.variant, square)) {
      Fail("malformed record: last_to is not a square");
    }
    previous_to_ = square;
  }

  Spelling SpellingOf(Notation notation) const {
    Spelling spelling;
    spelling.notation = notation;
    spelling.context.previous_to = previous_to_;
    return spelling;
  }

  void CheckField(const std::string& name) {
    if (name == "alt") return CheckAlternatives();
    if (name == "western_numeric") {
      Spelling digits = SpellingOf(Notation::kWestern);
      digits.squares = notation::WesternSquares::kDigits;
      return CheckBothWays(digits, name);
    }
    if (const auto notation = notation::FindNotation(name)) {
      return CheckBothWays(SpellingOf(*notation), name);
    }
    if (!name.ends_with(kAlternative)) return;
    const auto notation =
        notation::FindNotation(std::string_view(name).substr(0, name.size() - kAlternative.size()));
    if (!notation) return;
    for (const std::string& text : Texts(record_, name.c_str())) {
      ExpectRead(text, SpellingOf(*notation), name);
    }
  }

  void CheckBothWays(const Spelling& spelling, const std::string& name) {
    const std::string expected = Text(record_, name.c_str());
    ExpectEqual(Need(judge_.Write(board_, move_, spelling)), expected, name);
    ExpectRead(expected, spelling, name);
  }

  void CheckAlternatives() {
    const Json& alternatives = Object(record_, "alt");
    for (const auto& [name, value] : alternatives.items()) {
      const auto notation = notation::FindNotation(name);
      if (!notation) Fail("unknown notation " + Show(name));
      Spelling spelling = SpellingOf(*notation);
      for (const std::string& text : Texts(alternatives, name.c_str())) {
        // The federation's letters are another system and must be asked for: T is another piece.
        if (*notation == Notation::kVietnamese && !Reads(text, spelling)) {
          spelling.context.vietnamese = notation::VietnameseLetters::kFederation;
        }
        ExpectRead(text, spelling, "alt." + name);
      }
    }
  }

  bool Reads(const std::string& text, const Spelling& spelling) {
    const Result<std::string> read = judge_.Read(board_, text, spelling);
    return read && *read == move_;
  }

  void ExpectRead(const std::string& text, const Spelling& spelling, const std::string& name) {
    const Result<std::string> read = judge_.Read(board_, text, spelling);
    const std::string got = read ? *read : read.error().ToString();
    if (got != move_) {
      Fail(name + " " + Show(text) + " read: got " + Show(got) + ", want " + Show(move_));
    }
  }

  const Json& record_;
  Judge& judge_;
  const Board board_;
  const std::string move_;
  std::optional<rules::Square> previous_to_;
};

}  // namespace

bool IsAboutNotation(const Json& record) {
  if (!record.contains("move")) return false;
  if (record.contains("alt")) return true;
  for (const auto& [name, value] : record.items()) {
    if (notation::FindNotation(name)) return true;
  }
  return false;
}

void CheckNotation(const Json& record, Judge& judge) { NotationCheck(record, judge).Run(); }

}  // namespace komadai::conformance
