#include "tests/conformance/record_check.h"

#include <algorithm>
#include <exception>

#include "libs/rules/game_state.h"
#include "libs/rules/perft.h"
#include "libs/rules/repetition.h"
#include "tests/conformance/record_text.h"

namespace komadai::conformance {
namespace {

using nlohmann::json;
using rules::GameState;
using rules::ImpasseAsk;
using rules::MoveList;
using rules::Position;
using rules::Side;
using rules::Variant;

// The one way a check fails; caught in CheckRecord, as what the JSON library throws is.
struct Mismatch {
  std::string message;
};

[[noreturn]] void Fail(std::string message) { throw Mismatch{std::move(message)}; }

template <class T>
T Need(Result<T> result) {
  if (!result) Fail(result.error().ToString());
  return std::move(result).value();
}

template <class T>
std::string Show(const T& value) {
  return json(value).dump();
}

template <class T>
void ExpectEqual(const T& actual, const T& expected, const std::string& what) {
  if (actual != expected) Fail(what + ": got " + Show(actual) + ", want " + Show(expected));
}

Variant VariantOf(const json& record) {
  const auto variant = rules::FindVariant(record.at("variant").get<std::string>());
  if (!variant) Fail("unknown variant");
  return *variant;
}

Position PositionOf(const json& record) {
  return Need(ReadPosition(VariantOf(record), record.at("position").get<std::string>()));
}

// Listing, counting and asking about single moves are three pieces of code that must agree.
void ExpectConsistentMoves(const Position& position) {
  MoveList moves;
  position.LegalMoves(moves);
  ExpectEqual(position.CountLegalMoves(), static_cast<int>(moves.size()), "counted moves");
  for (const rules::Move& move : moves) {
    if (!position.IsLegal(move)) Fail("a listed move is not legal");
  }
}

void CheckPerft(const json& record) {
  const Position position = PositionOf(record);
  ExpectConsistentMoves(position);
  ExpectEqual(rules::Perft(position, record.at("depth").get<int>()),
              record.at("nodes").get<std::uint64_t>(), "nodes");
}

void CheckMoveLegality(const Position& position, const json& move_record) {
  const Variant variant = position.variant();
  const rules::Move move = Need(ReadMove(variant, move_record.at("move").get<std::string>()));
  const auto illegal = position.WhyIllegal(move);
  ExpectEqual(!illegal.has_value(), move_record.at("legal").get<bool>(), "legal");
  MoveList moves;
  position.LegalMoves(moves);
  const bool listed = std::find(moves.begin(), moves.end(), move) != moves.end();
  ExpectEqual(listed, !illegal.has_value(), "listed");
  std::vector<std::string> reasons = {move_record.at("why").get<std::string>()};
  if (move_record.contains("also")) {
    const json& also = move_record.at("also");
    for (const json& reason : also.is_array() ? also : json::array({also})) {
      reasons.push_back(reason.get<std::string>());
    }
  }
  const std::string why = WhyName(variant, illegal);
  if (std::find(reasons.begin(), reasons.end(), why) == reasons.end()) {
    Fail("why: got " + why + ", want " + Show(reasons));
  }
}

void CheckLegality(const json& record) {
  const Position position = PositionOf(record);
  ExpectConsistentMoves(position);
  CheckMoveLegality(position, record);
}

rules::Ruleset RulesetOf(const json& record) {
  return Need(ReadRuleset(VariantOf(record), record.value("ruleset", "standard")));
}

// Plays the moves; after each the state continues from its own stored bytes, as a service would.
GameState PlayAll(GameState state, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    const rules::Move move = Need(ReadMove(state.position().variant(), text));
    if (const auto played = state.Play(move); !played) {
      Fail("ply " + std::to_string(state.ply()) + " " + text + ": " + played.error().ToString());
    }
    state = Need(GameState::Resume(state.ruleset(), state.position(), state.history()));
  }
  return state;
}

GameState StartOf(const json& record) {
  const Position start = PositionOf(record);
  const int plies_before =
      record.value("ply_offset_from_sfen", false) ? start.move_number() - 1 : 0;
  return Need(GameState::Start(RulesetOf(record), start, plies_before));
}

void ExpectVerdict(Variant variant, const rules::Verdict& verdict, const json& expect) {
  ExpectEqual(StatusName(variant, verdict), expect.at("status").get<std::string>(), "status");
  ExpectEqual(WinnerName(variant, verdict.winner), expect.at("winner").get<std::string>(),
              "winner");
}

void CheckOutcome(const json& record) {
  const json& expect = record.at("expect");
  GameState state = PlayAll(StartOf(record), ReadMoveTexts(record.at("moves")));
  ExpectEqual(state.ply(), expect.at("at_ply").get<int>(), "at_ply");
  const Variant variant = VariantOf(record);
  if (!record.contains("action")) return ExpectVerdict(variant, state.verdict(), expect);

  const bool agreed = record.at("action") == "agree_impasse";
  const ImpasseAsk ask = agreed ? ImpasseAsk::kAgree : ImpasseAsk::kDeclare;
  Side by = state.position().side_to_move();
  if (record.contains("by")) by = FindSide(record.at("by").get<std::string>()).value_or(by);
  const rules::ImpasseReport report = state.Impasse(ask, by);
  const auto declared = state.DeclareImpasse(ask, by);
  ExpectEqual(declared.has_value(), report.accepted(), "declaration as announced");
  if (!declared) {
    ExpectEqual(std::string("declaration_refused"), expect.at("status").get<std::string>(),
                "status");
    return;
  }
  ExpectVerdict(variant, state.verdict(), expect);
}

void CheckRepetitionTable(const json& record) {
  using rules::Offence;
  const auto offence = [&record](const char* field) {
    return record.at(field).get<bool>() ? Offence::kCheck : Offence::kNone;
  };
  const rules::Verdict verdict =
      rules::JudgeRepetition({offence("sente_checked_with_every_move_since_first"),
                              offence("gote_checked_with_every_move_since_first")},
                             RulesetOf(record));
  ExpectVerdict(VariantOf(record), verdict, record.at("expect"));
}

void ExpectFinalPosition(const Position& position, const json& record) {
  for (const char* field : {"final_sfen", "final_fen"}) {
    if (record.contains(field)) {
      ExpectEqual(WritePosition(position), record.at(field).get<std::string>(), field);
    }
  }
}

void ExpectTakesBackToStart(GameState state, const GameState& start) {
  if (const auto taken = state.TakeBack(state.ply()); !taken) Fail(taken.error().ToString());
  if (!(state.position() == start.position()) || state.position().key() != start.position().key()) {
    Fail("taking everything back does not lead to the start position");
  }
}

void CheckGame(const json& record) {
  const GameState start = StartOf(record);
  const auto moves = ReadMoveTexts(record.at("moves"));
  const GameState state = PlayAll(start, moves);
  ExpectFinalPosition(state.position(), record);
  ExpectTakesBackToStart(state, start);
  if (record.contains("status_by_ttakji_rules")) {
    ExpectVerdict(VariantOf(record), state.verdict(), record.at("status_by_ttakji_rules"));
  }
  if (record.contains("board_status")) {
    ExpectEqual(StatusName(VariantOf(record), state.verdict()),
                record.at("board_status").get<std::string>(), "board_status");
  }
  if (record.contains("next_move")) CheckMoveLegality(state.position(), record.at("next_move"));
}

// Random games: repetition is ignored where the record says nothing about it.
void CheckPlayout(const json& record) {
  Position position = PositionOf(record);
  const auto moves = ReadMoveTexts(record.at("moves"));
  const auto counts = record.at("legal_counts").get<std::vector<int>>();
  ExpectEqual(counts.size(), moves.size() + 1, "number of legal_counts");
  for (std::size_t ply = 0; ply <= moves.size(); ++ply) {
    ExpectConsistentMoves(position);
    ExpectEqual(position.CountLegalMoves(), counts[ply],
                "legal moves at ply " + std::to_string(ply));
    if (ply == moves.size()) break;
    const rules::Move move = Need(ReadMove(position.variant(), moves[ply]));
    if (!position.IsLegal(move)) Fail("ply " + std::to_string(ply) + " is illegal");
    position.PlayUnchecked(move);
    const Position rebuilt = Need(Position::From(position.ToSetup(), rules::Kings::kOptional));
    if (!(rebuilt == position) || rebuilt.key() != position.key()) Fail("the key has drifted");
  }
  ExpectFinalPosition(position, record);
  if (record.contains("final_check")) {
    ExpectEqual(position.InCheck(), record.at("final_check").get<bool>(), "final_check");
  }
  const std::string end = record.value("end", "");
  if (end == "checkmate" || end == "no_legal_move") {
    ExpectEqual(std::string(position.InCheck() ? "checkmate" : "no_legal_move"), end, "end");
  }
  if (record.contains("expect")) CheckOutcome(record);
}

CheckResult Check(const json& record, const CheckOptions& options) {
  if (record.contains("nodes")) {
    if (record.at("nodes").get<std::uint64_t>() > options.max_perft_nodes) {
      return {Outcome::kSkipped, "more nodes than asked for"};
    }
    CheckPerft(record);
  } else if (record.contains("wxf") || record.contains("western")) {
    return {Outcome::kSkipped, "about notation"};
  } else if (record.contains("legal")) {
    CheckLegality(record);
  } else if (record.contains("occurrences")) {
    CheckRepetitionTable(record);
  } else if (record.contains("legal_counts") && !record.contains("board_status")) {
    CheckPlayout(record);
  } else if (record.contains("expect")) {
    CheckOutcome(record);
  } else if (record.contains("moves")) {
    CheckGame(record);
    if (record.contains("legal_counts")) CheckPlayout(record);
  } else {
    Fail("the record is of no known kind");
  }
  return {};
}

}  // namespace

CheckResult CheckRecord(const json& record, const CheckOptions& options) {
  try {
    return Check(record, options);
  } catch (const Mismatch& mismatch) {
    return {Outcome::kFailed, mismatch.message};
  } catch (const std::exception& malformed) {
    return {Outcome::kFailed, std::string("malformed record: ") + malformed.what()};
  }
}

}  // namespace komadai::conformance
