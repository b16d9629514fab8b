// Whole games: how they end, and how many moves there are on the way.
#include <algorithm>
#include <array>

#include "libs/conformance/checks.h"
#include "libs/conformance/pawn_drop_mate.h"
#include "libs/conformance/words.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/repetition.h"

namespace komadai::conformance {
namespace {

using rules::Ending;
using rules::Side;
using rules::Variant;

std::optional<Claim> ClaimOf(const Json& record) {
  if (!record.contains("action")) return std::nullopt;
  const std::string action = Text(record, "action");
  Claim claim;
  if (action == "agree_impasse") {
    claim.ask = rules::ImpasseAsk::kAgree;
  } else if (action != "declare") {
    Fail("unknown action " + Show(action));
  }
  if (record.contains("by")) {
    claim.by = FindSide(Text(record, "by"));
    if (!claim.by) Fail("unknown side " + Show(record["by"]));
  }
  return claim;
}

GameQuestion QuestionOf(const Json& record) {
  GameQuestion game;
  game.start = BoardOf(record);
  game.ruleset = RulesetOf(record);
  game.moves = MovesOf(record);
  game.claim = ClaimOf(record);
  constexpr char kOffset[] = "ply_offset_from_sfen";
  if (record.contains(kOffset) && Flag(record, kOffset)) {
    const auto setup = Need(notation::ParseSetup(game.start.variant, game.start.position));
    game.plies_before = setup.move_number - 1;
  }
  return game;
}

void ExpectStatus(Variant variant, const GameAnswer& answer, const std::string& status) {
  const std::string got = answer.claim_refused
                              ? std::string(kClaimRefused)
                              : std::string(StatusWord(variant, answer.verdict.ending));
  const std::optional<Ending> ending = FindEnding(status);
  if (!ending && status != kClaimRefused) Fail("unknown status " + Show(status));
  const bool same =
      ending ? !answer.claim_refused && *ending == answer.verdict.ending : answer.claim_refused;
  if (!same) Fail("status: got " + Show(got) + ", want " + Show(status));
}

void ExpectWinner(Variant variant, std::optional<Side> winner, const std::string& expected) {
  const std::optional<Side> side = FindSide(expected);
  if (!side && expected != "none") Fail("unknown winner " + Show(expected));
  if (winner != side) {
    Fail("winner: got " + Show(WinnerWord(variant, winner)) + ", want " + Show(expected));
  }
}

void ExpectVerdict(Variant variant, const GameAnswer& answer, const Json& expect) {
  ExpectStatus(variant, answer, Text(expect, "status"));
  ExpectWinner(variant, answer.verdict.winner, Text(expect, "winner"));
}

void ExpectFinalPosition(const std::string& position, const Json& record) {
  for (const char* field : {"final_sfen", "final_fen"}) {
    if (record.contains(field)) ExpectEqual(position, Text(record, field), field);
  }
}

void ExpectPlies(const Json& record, std::size_t plies) {
  if (!record.contains("plies")) return;
  ExpectEqual(static_cast<std::int64_t>(plies), Integer(record, "plies"), "plies");
}

std::string AtPly(std::string_view what, std::size_t ply) {
  return std::string(what) + " at ply " + std::to_string(ply);
}

// Whether a pawn drop there would be refused as a mate.
bool HasPawnDropMate(const Board& board, Judge& judge) {
  const rules::Position position =
      Need(notation::ParsePosition(board.variant, board.position, rules::Kings::kOptional));
  const std::optional<rules::Move> drop = CheckingPawnDrop(position);
  if (!drop) return false;
  const std::string text = notation::FormatPlainMove(board.variant, *drop);
  return Need(judge.WhyIllegal(board, text)) == rules::Illegal::kUchifuzume;
}

void ExpectEnd(const std::string& end, const Survey& last) {
  if (end == "cap") return;  // the source of the record stopped there
  const std::optional<Ending> ending = FindEnding(end);
  if (ending != Ending::kCheckmate && ending != Ending::kNoLegalMove) {
    Fail("unknown end " + Show(end));
  }
  ExpectEqual(last.moves, 0, "legal moves at the end");
  ExpectEqual(last.check, *ending == Ending::kCheckmate, "check at the end");
}

}  // namespace

void CheckOutcome(const Json& record, Judge& judge) {
  const GameQuestion game = QuestionOf(record);
  const GameAnswer answer = Need(judge.JudgeGame(game));
  const Json& expect = Object(record, "expect");
  ExpectVerdict(game.start.variant, answer, expect);
  ExpectEqual(static_cast<std::int64_t>(answer.plies), Integer(expect, "at_ply"), "at_ply");
}

void CheckRepetitionTable(const Json& record) {
  using rules::Offence;
  const rules::Ruleset ruleset = RulesetOf(record);
  const auto offence = [&record](const char* field) {
    return Flag(record, field) ? Offence::kCheck : Offence::kNone;
  };
  const std::array<Offence, 2> offences = {offence("sente_checked_with_every_move_since_first"),
                                           offence("gote_checked_with_every_move_since_first")};
  const bool ends =
      ruleset.repetition_count > 0 && Integer(record, "occurrences") >= ruleset.repetition_count;
  GameAnswer answer;
  if (ends) answer.verdict = rules::JudgeRepetition(offences, ruleset);
  ExpectVerdict(VariantOf(record), answer, Object(record, "expect"));
}

void CheckGame(const Json& record, Judge& judge) {
  const GameQuestion game = QuestionOf(record);
  const GameAnswer answer = Need(judge.JudgeGame(game));
  if (static_cast<std::size_t>(answer.plies) != game.moves.size()) {
    Fail("the game ends at ply " + std::to_string(answer.plies) + " of " +
         std::to_string(game.moves.size()));
  }
  ExpectPlies(record, game.moves.size());
  ExpectFinalPosition(answer.position, record);
  constexpr char kStatus[] = "status_by_ttakji_rules";
  if (record.contains(kStatus)) {
    const Json& expect = Object(record, kStatus);
    ExpectVerdict(game.start.variant, answer, expect);
    if (expect.contains("at_ply")) {
      ExpectEqual(static_cast<std::int64_t>(answer.plies), Integer(expect, "at_ply"), "at_ply");
    }
  }
  if (record.contains("board_status")) {
    ExpectStatus(game.start.variant, answer, Text(record, "board_status"));
  }
  if (record.contains("next_move")) {
    CheckLegality({game.start.variant, answer.position}, Object(record, "next_move"), judge);
  }
}

void CheckPlayout(const Json& record, Judge& judge) {
  Board board = BoardOf(record);
  const std::vector<std::string> moves = MovesOf(record);
  const std::vector<std::int64_t> counts = Integers(record, "legal_counts");
  ExpectEqual(counts.size(), moves.size() + 1, "number of legal_counts");
  ExpectPlies(record, moves.size());
  constexpr char kMates[] = "pawn_drop_mate_plies";
  const bool tells_mates = record.contains(kMates);
  std::vector<std::int64_t> mates;
  Survey survey;
  for (std::size_t ply = 0; ply <= moves.size(); ++ply) {
    survey = Need(judge.Look(board));
    ExpectEqual<std::int64_t>(survey.moves, counts[ply], AtPly("legal moves", ply));
    if (tells_mates && HasPawnDropMate(board, judge)) {
      mates.push_back(static_cast<std::int64_t>(ply));
    }
    if (ply < moves.size()) board.position = Need(judge.Play(board, moves[ply]));
  }
  if (moves.empty()) {
    board.position = notation::FormatPosition(
        Need(notation::ParsePosition(board.variant, board.position, rules::Kings::kOptional)));
  }
  ExpectFinalPosition(board.position, record);
  if (tells_mates) ExpectEqual(mates, Integers(record, kMates), kMates);
  if (record.contains("final_check")) {
    ExpectEqual(survey.check, Flag(record, "final_check"), "final_check");
  }
  // Games have an `end` too, in the words of their source.
  if (record.contains("end") && !record.contains("board_status")) {
    ExpectEnd(Text(record, "end"), survey);
  }
}

}  // namespace komadai::conformance
