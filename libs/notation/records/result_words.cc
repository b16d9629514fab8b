#include "libs/notation/records/result_words.h"

#include <span>
#include <string>

namespace komadai::notation {
namespace {

using rules::Side;
using rules::Variant;

// Who wins, seen from the side to move where the word stands.
enum class Winner : std::uint8_t { kMover, kOpponent, kDraw, kNobody, kUnknown };

struct Word {
  std::string_view word;
  RecordEnding ending;
  Winner winner;
};

constexpr Word kCsaWords[] = {
    {"TORYO", RecordEnding::kResignation, Winner::kOpponent},
    {"CHUDAN", RecordEnding::kInterrupted, Winner::kUnknown},
    {"SENNICHITE", RecordEnding::kRepetition, Winner::kDraw},
    {"TIME_UP", RecordEnding::kTimeOut, Winner::kOpponent},
    {"ILLEGAL_MOVE", RecordEnding::kIllegalMove, Winner::kOpponent},
    {"JISHOGI", RecordEnding::kImpasse, Winner::kDraw},
    {"KACHI", RecordEnding::kImpasse, Winner::kMover},
    {"HIKIWAKE", RecordEnding::kAgreedDraw, Winner::kDraw},
    {"TSUMI", RecordEnding::kCheckmate, Winner::kOpponent},
    {"MAX_MOVES", RecordEnding::kPlyLimit, Winner::kDraw},
    {"FUZUMI", RecordEnding::kUnknown, Winner::kUnknown},
    {"MATTA", RecordEnding::kUnknown, Winner::kUnknown},
    {"ERROR", RecordEnding::kUnknown, Winner::kUnknown},
};

constexpr Word kKifWords[] = {
    {"投了", RecordEnding::kResignation, Winner::kOpponent},
    {"中断", RecordEnding::kInterrupted, Winner::kUnknown},
    {"千日手", RecordEnding::kRepetition, Winner::kDraw},
    {"持将棋", RecordEnding::kImpasse, Winner::kDraw},
    {"詰み", RecordEnding::kCheckmate, Winner::kOpponent},
    {"詰", RecordEnding::kCheckmate, Winner::kOpponent},
    {"切れ負け", RecordEnding::kTimeOut, Winner::kOpponent},
    {"Time-up", RecordEnding::kTimeOut, Winner::kOpponent},
    {"反則負け", RecordEnding::kIllegalMove, Winner::kOpponent},
    {"反則勝ち", RecordEnding::kIllegalMove, Winner::kMover},
    {"入玉勝ち", RecordEnding::kImpasse, Winner::kMover},
    {"不戦勝", RecordEnding::kAbandoned, Winner::kMover},
    {"不戦敗", RecordEnding::kAbandoned, Winner::kOpponent},
    {"封じ手", RecordEnding::kInterrupted, Winner::kUnknown},
    {"不詰", RecordEnding::kUnknown, Winner::kUnknown},
};

constexpr Word kUsiWords[] = {
    {"resign", RecordEnding::kResignation, Winner::kOpponent},
    {"rep_draw", RecordEnding::kRepetition, Winner::kDraw},
    {"draw", RecordEnding::kAgreedDraw, Winner::kDraw},
    {"timeout", RecordEnding::kTimeOut, Winner::kOpponent},
    {"break", RecordEnding::kInterrupted, Winner::kUnknown},
    {"win", RecordEnding::kImpasse, Winner::kMover},
};

RecordOutcome OutcomeOf(Winner winner, Side to_move) {
  switch (winner) {
    case Winner::kMover:
      return WonBy(to_move);
    case Winner::kOpponent:
      return WonBy(rules::Opponent(to_move));
    case Winner::kDraw:
      return RecordOutcome::kDraw;
    case Winner::kNobody:
      return RecordOutcome::kNoResult;
    case Winner::kUnknown:
      return RecordOutcome::kUnknown;
  }
  return RecordOutcome::kUnknown;
}

// In minishogi a plain repetition is lost by the first side.
void ApplyVariant(Variant variant, RecordResult& result) {
  if (variant == Variant::kMinishogi && result.ending == RecordEnding::kRepetition) {
    result.outcome = RecordOutcome::kSecondWins;
  }
}

std::optional<RecordResult> Find(std::span<const Word> words, std::string_view word,
                                 Variant variant, Side to_move) {
  for (const Word& known : words) {
    if (known.word != word) continue;
    RecordResult result{known.ending, OutcomeOf(known.winner, to_move), std::string(word)};
    ApplyVariant(variant, result);
    return result;
  }
  return std::nullopt;
}

}  // namespace

RecordOutcome WonBy(Side side) {
  return side == Side::kFirst ? RecordOutcome::kFirstWins : RecordOutcome::kSecondWins;
}

std::optional<RecordResult> ResultOfCsa(std::string_view word, Variant variant, Side to_move) {
  if (word.starts_with('%')) word.remove_prefix(1);
  if (word == "+ILLEGAL_ACTION" || word == "-ILLEGAL_ACTION") {  // the sign is the offender's
    const Side offender = word[0] == '+' ? Side::kFirst : Side::kSecond;
    return RecordResult{RecordEnding::kIllegalMove, WonBy(rules::Opponent(offender)),
                        std::string(word)};
  }
  return Find(kCsaWords, word, variant, to_move);
}

std::optional<RecordResult> ResultOfKif(std::string_view word, Variant variant, Side to_move) {
  return Find(kKifWords, word, variant, to_move);
}

std::optional<RecordResult> ResultOfUsi(std::string_view word, Variant variant, Side to_move) {
  return Find(kUsiWords, word, variant, to_move);
}

std::optional<RecordResult> ResultOfSentence(std::string_view sentence, Variant variant,
                                             Side to_move) {
  const auto says = [sentence](std::string_view text) {
    return sentence.find(text) != std::string_view::npos;
  };
  const bool first = says("先手") || says("下手");
  const bool second = says("後手") || says("上手");
  RecordResult result;
  result.word = sentence;
  if (says("反則負け")) {
    result.ending = RecordEnding::kIllegalMove;
    if (first != second) result.outcome = WonBy(first ? Side::kSecond : Side::kFirst);
  } else if (says("勝ち")) {
    result.ending = says("反則")       ? RecordEnding::kIllegalMove
                    : says("時間切れ") ? RecordEnding::kTimeOut
                    : says("入玉")     ? RecordEnding::kImpasse
                                       : RecordEnding::kUnknown;
    if (first != second) result.outcome = WonBy(first ? Side::kFirst : Side::kSecond);
  } else if (says("千日手")) {
    result.ending = RecordEnding::kRepetition;
    result.outcome = RecordOutcome::kDraw;
    ApplyVariant(variant, result);
  } else if (says("持将棋")) {
    result.ending = RecordEnding::kImpasse;
    result.outcome = RecordOutcome::kDraw;
  } else if (says("中断")) {
    result.ending = RecordEnding::kInterrupted;
  } else if (says("投了")) {
    result.ending = RecordEnding::kResignation;
    result.outcome = WonBy(rules::Opponent(to_move));
  } else if (says("詰") && !says("不詰")) {
    result.ending = RecordEnding::kCheckmate;
    result.outcome = WonBy(rules::Opponent(to_move));
  } else {
    return std::nullopt;
  }
  return result;
}

namespace {

// The word of an ending, as long as the winner is the one it implies.
std::string_view WordFor(std::span<const Word> words, const RecordResult& result, Side to_move) {
  for (const Word& word : words) {
    if (word.ending != result.ending || word.ending == RecordEnding::kUnknown) continue;
    const bool same = OutcomeOf(word.winner, to_move) == result.outcome;
    const bool implied_by_variant = result.ending == RecordEnding::kRepetition;
    if (same || implied_by_variant) return word.word;
  }
  return {};
}

// Endings without a word of their own, by who wins.
std::string_view PoorWord(std::span<const Word> words, RecordOutcome outcome, Side to_move) {
  const auto word = [words](RecordEnding ending, Winner winner) -> std::string_view {
    for (const Word& known : words) {
      if (known.ending == ending && known.winner == winner) return known.word;
    }
    return {};
  };
  if (outcome == WonBy(rules::Opponent(to_move))) {
    return word(RecordEnding::kResignation, Winner::kOpponent);
  }
  if (outcome == WonBy(to_move)) return word(RecordEnding::kIllegalMove, Winner::kMover);
  if (outcome == RecordOutcome::kDraw) {
    const std::string_view draw = word(RecordEnding::kAgreedDraw, Winner::kDraw);
    return draw.empty() ? word(RecordEnding::kImpasse, Winner::kDraw) : draw;
  }
  return word(RecordEnding::kInterrupted, Winner::kUnknown);
}

std::string_view Choose(std::span<const Word> words, const RecordResult& result, Side to_move,
                        bool& exact) {
  exact = true;
  if (!result.known()) return {};
  const std::string_view word = WordFor(words, result, to_move);
  if (!word.empty()) return word;
  exact = false;
  return PoorWord(words, result.outcome, to_move);
}

}  // namespace

std::string KifSentenceFor(const RecordResult& result, int plies, bool handicap, bool& exact) {
  const bool first_wins = result.outcome == RecordOutcome::kFirstWins;
  const bool decided = first_wins || result.outcome == RecordOutcome::kSecondWins;
  const auto name = [handicap](bool first) -> std::string {
    if (handicap) return first ? "下手" : "上手";
    return first ? "先手" : "後手";
  };
  exact = true;
  std::string end;
  if (!result.known()) return {};
  if (!decided) {
    switch (result.ending) {
      case RecordEnding::kRepetition:
        end = "千日手";
        break;
      case RecordEnding::kImpasse:
        end = "持将棋";
        break;
      case RecordEnding::kInterrupted:
        end = "中断";
        break;
      default:
        exact = false;
        end = result.outcome == RecordOutcome::kDraw ? "持将棋" : "中断";
    }
  } else if (result.ending == RecordEnding::kTimeOut) {
    end = "時間切れにより" + name(first_wins) + "の勝ち";
  } else if (result.ending == RecordEnding::kIllegalMove) {
    end = name(!first_wins) + "の反則負け";
  } else if (result.ending == RecordEnding::kImpasse) {
    end = name(first_wins) + "の入玉勝ち";
  } else {
    exact = result.ending == RecordEnding::kResignation;
    end = name(first_wins) + "の勝ち";
  }
  return "まで" + std::to_string(plies) + "手で" + end;
}

std::string_view CsaWordFor(const RecordResult& result, Side to_move, bool& exact) {
  const bool action =
      result.ending == RecordEnding::kIllegalMove && result.outcome == WonBy(to_move);
  if (action) {  // the opponent's offence
    exact = true;
    return to_move == Side::kFirst ? "-ILLEGAL_ACTION" : "+ILLEGAL_ACTION";
  }
  const std::string_view word = Choose(kCsaWords, result, to_move, exact);
  if (!word.empty() || exact) return word;
  return to_move == Side::kFirst ? "-ILLEGAL_ACTION" : "+ILLEGAL_ACTION";
}

std::string_view KifWordFor(const RecordResult& result, Side to_move, bool& exact) {
  return Choose(kKifWords, result, to_move, exact);
}

}  // namespace komadai::notation
