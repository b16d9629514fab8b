#include "libs/convert/record.h"

#include <map>
#include <string>
#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/record_file.h"
#include "libs/rules/handicap.h"

namespace komadai::convert {
namespace {

using notation::RecordEnding;
using notation::RecordOutcome;
using rules::Variant;
using std::chrono::milliseconds;

struct EndingPair {
  RecordEnding ours;
  pb::Ending theirs;
};
constexpr EndingPair kEndings[] = {
    {RecordEnding::kUnknown, pb::ENDING_UNSPECIFIED},
    {RecordEnding::kCheckmate, pb::ENDING_CHECKMATE},
    {RecordEnding::kNoLegalMove, pb::ENDING_NO_LEGAL_MOVE},
    {RecordEnding::kResignation, pb::ENDING_RESIGNATION},
    {RecordEnding::kTimeOut, pb::ENDING_TIME_OUT},
    {RecordEnding::kRepetition, pb::ENDING_REPETITION},
    {RecordEnding::kPerpetualCheck, pb::ENDING_PERPETUAL_CHECK},
    {RecordEnding::kPerpetualChase, pb::ENDING_PERPETUAL_CHASE},
    {RecordEnding::kImpasse, pb::ENDING_IMPASSE},
    {RecordEnding::kAgreedDraw, pb::ENDING_AGREED_DRAW},
    {RecordEnding::kPlyLimit, pb::ENDING_PLY_LIMIT},
    {RecordEnding::kNoCapture, pb::ENDING_NO_CAPTURE},
    {RecordEnding::kInsufficientMaterial, pb::ENDING_INSUFFICIENT_MATERIAL},
    {RecordEnding::kIllegalMove, pb::ENDING_ILLEGAL_MOVE},
    {RecordEnding::kAborted, pb::ENDING_ABORTED},
    {RecordEnding::kAbandoned, pb::ENDING_ABANDONED},
    {RecordEnding::kInterrupted, pb::ENDING_INTERRUPTED},
};

RecordEnding EndingFromProto(pb::Ending ending) {
  for (const EndingPair& pair : kEndings) {
    if (pair.theirs == ending) return pair.ours;
  }
  return RecordEnding::kUnknown;
}

pb::Ending EndingToProto(RecordEnding ending) {
  for (const EndingPair& pair : kEndings) {
    if (pair.ours == ending) return pair.theirs;
  }
  return pb::ENDING_UNSPECIFIED;
}

RecordOutcome OutcomeFromProto(pb::Outcome outcome) {
  switch (outcome) {
    case pb::OUTCOME_FIRST_WINS:
      return RecordOutcome::kFirstWins;
    case pb::OUTCOME_SECOND_WINS:
      return RecordOutcome::kSecondWins;
    case pb::OUTCOME_DRAW:
      return RecordOutcome::kDraw;
    case pb::OUTCOME_NO_RESULT:
      return RecordOutcome::kNoResult;
    default:
      return RecordOutcome::kUnknown;
  }
}

pb::Outcome OutcomeToProto(RecordOutcome outcome) {
  switch (outcome) {
    case RecordOutcome::kUnknown:
      return pb::OUTCOME_UNSPECIFIED;
    case RecordOutcome::kFirstWins:
      return pb::OUTCOME_FIRST_WINS;
    case RecordOutcome::kSecondWins:
      return pb::OUTCOME_SECOND_WINS;
    case RecordOutcome::kDraw:
      return pb::OUTCOME_DRAW;
    case RecordOutcome::kNoResult:
      return pb::OUTCOME_NO_RESULT;
  }
  return pb::OUTCOME_UNSPECIFIED;
}

template <typename Moves>
Result<std::vector<notation::RecordedMove>> MovesFromProto(Variant variant, const Moves& moves,
                                                           int from_ply) {
  if (moves.size() > notation::kMaxRecordPlies) {
    return Error(notation::kRecordTooLarge, "the record has more than 10000 moves");
  }
  std::vector<notation::RecordedMove> out;
  for (int i = 0; i < moves.size(); ++i) {
    const Result<rules::Move> move = notation::ParsePlainMove(variant, moves[i].move());
    if (!move) {
      std::map<std::string, std::string> metadata = move.error().metadata();
      metadata.emplace("ply", std::to_string(from_ply + i));
      return Error::FromWire(move.error().code(), move.error().reason(), move.error().message(),
                             std::move(metadata));
    }
    notation::RecordedMove recorded{.move = *move};
    // 0 is "unknown" in the contract.
    if (moves[i].used_ms() > 0) recorded.used = milliseconds(moves[i].used_ms());
    recorded.comment = moves[i].comment();
    out.push_back(std::move(recorded));
  }
  return out;
}

template <typename Variations>
Result<std::vector<notation::Variation>> VariationsFromProto(Variant variant,
                                                             const Variations& variations,
                                                             int depth) {
  if (depth > notation::kMaxVariationDepth) {
    return Error(notation::kRecordTooLarge, "the variations are nested too deeply");
  }
  std::vector<notation::Variation> out;
  for (const pb::Variation& variation : variations) {
    auto moves = MovesFromProto(variant, variation.moves(), variation.from_ply());
    if (!moves) return moves.error();
    auto inner = VariationsFromProto(variant, variation.variations(), depth + 1);
    if (!inner) return inner.error();
    out.push_back({variation.from_ply(), *std::move(moves), *std::move(inner)});
  }
  return out;
}

std::optional<milliseconds> TimeFromProto(std::int64_t unix_ms) {
  constexpr std::int64_t kYear9999 = 253'402'300'799'000;
  if (unix_ms <= 0 || unix_ms > kYear9999) return std::nullopt;
  return milliseconds(unix_ms);
}

template <typename Moves>
void AddMoves(Variant variant, const std::vector<notation::RecordedMove>& moves, Moves* out) {
  for (const notation::RecordedMove& move : moves) {
    pb::RecordedMove& added = *out->Add();
    added.set_move(notation::FormatPlainMove(variant, move.move));
    if (move.used) added.set_used_ms(move.used->count());
    added.set_comment(move.comment);
  }
}

template <typename Variations>
void AddVariations(Variant variant, const std::vector<notation::Variation>& variations,
                   Variations* out) {
  for (const notation::Variation& variation : variations) {
    pb::Variation& added = *out->Add();
    added.set_from_ply(variation.from_ply);
    AddMoves(variant, variation.moves, added.mutable_moves());
    AddVariations(variant, variation.variations, added.mutable_variations());
  }
}

// A handicap by its id, the even start as nothing at all, anything else as a position.
pb::GameSetup SetupOf(const notation::GameRecord& record) {
  pb::GameSetup setup;
  setup.set_variant(convert::ToProto(record.variant()));
  setup.mutable_ruleset()->set_id(record.ruleset.empty() ? "standard" : record.ruleset);
  const auto handicap = rules::StartPosition(record.variant(), record.handicap);
  if (handicap && *handicap == record.start) {
    if (!record.handicap.empty()) setup.set_handicap(record.handicap);
  } else {
    setup.set_position(notation::FormatPosition(record.start));
  }
  return setup;
}

}  // namespace

Result<notation::GameRecord> RecordFromProto(const pb::GameRecord& record) {
  Result<GameStart> start = StartFromProto(record.setup(), rules::Kings::kOptional);
  if (!start) return start.error();
  notation::GameRecord out;
  out.start = start->position;
  out.ruleset = start->setup.ruleset().id();
  out.handicap = record.setup().handicap();
  out.first_name = record.first().name();
  out.second_name = record.second().name();
  out.started_at = TimeFromProto(record.started_at_ms());
  out.ended_at = TimeFromProto(record.ended_at_ms());
  out.comment = record.comment();
  for (const auto& [key, value] : record.headers()) out.headers[key] = value;
  out.result.ending = EndingFromProto(record.result().ending());
  out.result.outcome = OutcomeFromProto(record.result().outcome());
  auto moves = MovesFromProto(out.variant(), record.moves(), 1);
  if (!moves) return moves.error();
  out.moves = *std::move(moves);
  auto variations = VariationsFromProto(out.variant(), record.variations(), 1);
  if (!variations) return variations.error();
  out.variations = *std::move(variations);
  if (Status checked = notation::CheckRecord(out); !checked) return checked.error();
  return out;
}

pb::GameRecord ToProto(const notation::GameRecord& record) {
  pb::GameRecord out;
  *out.mutable_setup() = SetupOf(record);
  out.mutable_first()->set_name(record.first_name);
  out.mutable_second()->set_name(record.second_name);
  AddMoves(record.variant(), record.moves, out.mutable_moves());
  if (record.result.known()) {
    pb::GameResult& result = *out.mutable_result();
    result.set_ending(EndingToProto(record.result.ending));
    result.set_outcome(OutcomeToProto(record.result.outcome));
    result.set_plies(static_cast<int>(record.moves.size()));
  }
  if (record.started_at) out.set_started_at_ms(record.started_at->count());
  if (record.ended_at) out.set_ended_at_ms(record.ended_at->count());
  for (const auto& [key, value] : record.headers) (*out.mutable_headers())[key] = value;
  out.set_comment(record.comment);
  AddVariations(record.variant(), record.variations, out.mutable_variations());
  return out;
}

}  // namespace komadai::convert
