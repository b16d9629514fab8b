#include "cli/judge.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <ostream>
#include <sstream>

#include "libs/notation/position_text.h"
#include "libs/rules/game_state.h"

namespace komadai::cli {
namespace {

using nlohmann::json;
using rules::GameState;
using rules::ImpasseAsk;
using rules::Move;
using rules::Side;

constexpr char kJudgeName[] = "judge";

// A claim after the last move, explained.
struct Claimed {
  ImpasseAsk ask = ImpasseAsk::kDeclare;
  Side by = Side::kFirst;
  rules::ImpasseReport report;
};

struct Judgement {
  GameState state;
  int moves_after_end = 0;
  std::optional<Claimed> claimed;
};

// One text may hold several moves; where it is one with blanks in it ("pháo 2 bình 5") it is tried
// as a whole first.
class MoveReader {
 public:
  explicit MoveReader(GameState& state) : state_(state) {}

  Status Play(const std::string& text) {
    if (text.find(' ') == std::string::npos || state_.verdict().over()) return PlayWords(text);
    const Result<Move> whole = ReadMove(state_.position(), text, previous_to_);
    return whole ? PlayMove(*whole, text) : PlayWords(text);
  }
  int after_end() const { return after_end_; }

 private:
  Status PlayWords(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (state_.verdict().over()) {
        ++after_end_;
        continue;
      }
      const Result<Move> move = ReadMove(state_.position(), word, previous_to_);
      if (!move) return AtThisPly(move.error(), word);
      if (Status played = PlayMove(*move, word); !played) return played;
    }
    return {};
  }

  Status PlayMove(Move move, const std::string& text) {
    const Status played = state_.Play(move);
    // An illegal move may lose.
    if (!played && !state_.verdict().over()) return AtThisPly(played.error(), text);
    previous_to_ = move.to;
    return {};
  }

  Error AtThisPly(const Error& error, const std::string& text) const {
    return Error::FromWire(
        error.code(), error.reason(),
        "after " + std::to_string(state_.ply()) + " plies, " + text + ": " + error.message(),
        error.metadata());
  }

  GameState& state_;
  std::optional<rules::Square> previous_to_;
  int after_end_ = 0;
};

Status MakeClaim(const JudgeOptions& options, Judgement& judgement) {
  if (!options.declare && !options.agree) return {};
  Claimed claimed;
  claimed.ask = options.agree ? ImpasseAsk::kAgree : ImpasseAsk::kDeclare;
  claimed.by = judgement.state.position().side_to_move();
  if (!options.by.empty()) claimed.by = options.by == "first" ? Side::kFirst : Side::kSecond;
  claimed.report = judgement.state.Impasse(claimed.ask, claimed.by);
  const Status made = judgement.state.DeclareImpasse(claimed.ask, claimed.by);
  // A refused declaration changes nothing: the report says why.
  if (!made && !made.error().Is(rules::kImpasseRefused)) return made;
  judgement.claimed = std::move(claimed);
  return {};
}

Result<Judgement> Judge(const JudgeOptions& options) {
  const Result<rules::Position> start = ReadPosition(options.position);
  if (!start) return start.error();
  const Result<rules::Ruleset> ruleset = rules::FindRuleset(start->variant(), options.ruleset);
  if (!ruleset) return ruleset.error();
  Result<GameState> state = GameState::Start(*ruleset, *start);
  if (!state) return state.error();
  Judgement judgement{*std::move(state), 0, std::nullopt};
  MoveReader reader(judgement.state);
  for (const std::string& text : options.moves) {
    if (Status played = reader.Play(text); !played) return played.error();
  }
  judgement.moves_after_end = reader.after_end();
  if (Status claimed = MakeClaim(options, judgement); !claimed) return claimed.error();
  return judgement;
}

// "CHECKMATE, first wins", "REPETITION_DRAW".
std::string VerdictText(const rules::Verdict& verdict) {
  std::string text(rules::NameOf(verdict.ending));
  if (verdict.winner) text += ", " + std::string(SideWord(*verdict.winner)) + " wins";
  return text;
}

void PrintCount(std::string_view side, const rules::ImpasseCount& count, const Streams& streams) {
  streams.out << "  " << side << ": " << count.points << " points (" << count.points_needed
              << " needed";
  if (count.credit > 0) streams.out << ", " << count.credit << " had for the handicap";
  streams.out << "), " << count.pieces_in_zone << " pieces in the enemy camp, king "
              << (count.king_in_zone ? "inside" : "outside") << "\n";
}

void PrintClaim(const Claimed& claimed, const Streams& streams) {
  streams.out << "impasse: ";
  if (claimed.ask == ImpasseAsk::kAgree) {
    streams.out << "agreed";
  } else {
    streams.out << "declared by " << SideWord(claimed.by);
  }
  streams.out << (claimed.report.accepted() ? "" : ", refused") << "\n";
  PrintCount("first", claimed.report.sides[0], streams);
  PrintCount("second", claimed.report.sides[1], streams);
  for (const rules::ImpasseFailure failure : claimed.report.failures) {
    streams.out << "  not met: " << rules::NameOf(failure) << "\n";
  }
}

void Print(const Judgement& judgement, const Streams& streams) {
  const GameState& state = judgement.state;
  const rules::RepetitionInfo repetition = state.Repetition();
  streams.out << "position: " << notation::FormatPosition(state.position()) << "\n"
              << "ply: " << state.ply() << "\n"
              << "to move: " << SideWord(state.position().side_to_move()) << "\n"
              << "check: " << (state.position().InCheck() ? "yes" : "no") << "\n"
              << "ruleset: " << state.ruleset().id << "\n"
              << "verdict: " << rules::NameOf(state.verdict().ending) << "\n"
              << "winner: " << WinnerWord(state.verdict().winner) << "\n"
              << "occurrences: " << repetition.occurrences;
  if (repetition.limit > 0) streams.out << " of " << repetition.limit;
  streams.out << "\n";
  if (repetition.if_repeated.over() && !state.verdict().over()) {
    streams.out << "if repeated on: " << VerdictText(repetition.if_repeated) << "\n";
  }
  if (judgement.claimed) PrintClaim(*judgement.claimed, streams);
  if (judgement.moves_after_end > 0) {
    streams.out << "moves after the end, not counted: " << judgement.moves_after_end << "\n";
  }
}

json ToJson(const rules::Verdict& verdict) {
  return {{"verdict", rules::NameOf(verdict.ending)}, {"winner", WinnerJson(verdict.winner)}};
}

json ToJson(const rules::ImpasseCount& count) {
  return {{"points", count.points},
          {"points_needed", count.points_needed},
          {"handicap_credit", count.credit},
          {"pieces_in_zone", count.pieces_in_zone},
          {"king_in_zone", count.king_in_zone}};
}

json ToJson(const Claimed& claimed) {
  json failed = json::array();
  for (const rules::ImpasseFailure failure : claimed.report.failures) {
    failed.push_back(rules::NameOf(failure));
  }
  return {{"claim", claimed.ask == ImpasseAsk::kAgree ? "agree" : "declare"},
          {"by", SideWord(claimed.by)},
          {"accepted", claimed.report.accepted()},
          {"failed_conditions", failed},
          {"first", ToJson(claimed.report.sides[0])},
          {"second", ToJson(claimed.report.sides[1])}};
}

json ToJson(const Judgement& judgement) {
  const GameState& state = judgement.state;
  const rules::RepetitionInfo repetition = state.Repetition();
  json out = ToJson(state.verdict());
  out["variant"] = rules::VariantName(state.position().variant());
  out["ruleset"] = state.ruleset().id;
  out["position"] = notation::FormatPosition(state.position());
  out["ply"] = state.ply();
  out["side_to_move"] = SideWord(state.position().side_to_move());
  out["check"] = state.position().InCheck();
  out["occurrences"] = repetition.occurrences;
  out["occurrences_limit"] = repetition.limit;
  out["if_repeated"] = repetition.if_repeated.over() ? ToJson(repetition.if_repeated) : json();
  out["impasse"] = judgement.claimed ? ToJson(*judgement.claimed) : json();
  out["moves_after_end"] = judgement.moves_after_end;
  return out;
}

}  // namespace

CLI::App* AddJudge(CLI::App& app, JudgeOptions& options) {
  CLI::App* judge =
      app.add_subcommand(kJudgeName, "tell whether a game is over, how it ended and who won");
  AddPositionArguments(*judge, options.position);
  judge->add_option(
      "moves", options.moves,
      "the moves played, in any notation of the game; write -- before moves that begin "
      "with -");
  judge->add_option("--ruleset", options.ruleset,
                    "standard (default); for shogi also professional and csa27");
  CLI::Option* declare =
      judge->add_flag("--declare", options.declare, "then a side declares an impasse");
  judge->add_flag("--agree", options.agree, "then both sides agree to count (professional)")
      ->excludes(declare);
  judge->add_option("--by", options.by, "who declares; default: the side to move")
      ->check(CLI::IsMember({"first", "second"}))
      ->needs(declare);
  judge->add_flag("--json", options.json, "for programs");
  return judge;
}

int RunJudge(const JudgeOptions& options, const Streams& streams) {
  const Result<Judgement> judgement = Judge(options);
  if (!judgement) return Refuse(streams, kJudgeName, judgement.error());
  if (options.json) {
    WriteJson(streams, ToJson(*judgement));
  } else {
    Print(*judgement, streams);
  }
  return kExitOk;
}

}  // namespace komadai::cli
