#include "libs/convert/result.h"

#include <string>

namespace komadai::convert {

pb::Ending ToProto(rules::Ending ending) {
  switch (ending) {
    case rules::Ending::kOngoing:
      return pb::ENDING_UNSPECIFIED;
    case rules::Ending::kCheckmate:
      return pb::ENDING_CHECKMATE;
    case rules::Ending::kNoLegalMove:
      return pb::ENDING_NO_LEGAL_MOVE;
    case rules::Ending::kRepetitionDraw:
    case rules::Ending::kRepetitionLoss:
      return pb::ENDING_REPETITION;
    case rules::Ending::kPerpetualCheck:
      return pb::ENDING_PERPETUAL_CHECK;
    case rules::Ending::kPerpetualChase:
      return pb::ENDING_PERPETUAL_CHASE;
    case rules::Ending::kNoCaptureDraw:
      return pb::ENDING_NO_CAPTURE;
    case rules::Ending::kInsufficientMaterial:
      return pb::ENDING_INSUFFICIENT_MATERIAL;
    case rules::Ending::kPlyLimitDraw:
    case rules::Ending::kPlyLimitPoints:
      return pb::ENDING_PLY_LIMIT;
    case rules::Ending::kDeclarationWin:
    case rules::Ending::kDeclarationLoss:
    case rules::Ending::kDeclarationDraw:
      return pb::ENDING_IMPASSE;
    case rules::Ending::kIllegalMove:
      return pb::ENDING_ILLEGAL_MOVE;
  }
  return pb::ENDING_UNSPECIFIED;
}

pb::Outcome OutcomeOf(std::optional<rules::Side> winner) {
  if (!winner) return pb::OUTCOME_DRAW;
  return *winner == rules::Side::kFirst ? pb::OUTCOME_FIRST_WINS : pb::OUTCOME_SECOND_WINS;
}

pb::GameResult ToProto(const rules::Verdict& verdict, const rules::Ruleset& ruleset, int plies) {
  pb::GameResult out;
  const bool no_result = verdict.ending == rules::Ending::kDeclarationDraw &&
                         ruleset.impasse == rules::ImpasseRule::kPoints24ByAgreement;
  if (verdict.over()) {
    out.set_outcome(no_result ? pb::OUTCOME_NO_RESULT : OutcomeOf(verdict.winner));
  }
  out.set_ending(ToProto(verdict.ending));
  out.set_plies(plies);
  return out;
}

namespace {

pb::ImpasseScore ScoreOf(rules::Side side, const rules::ImpasseCount& count) {
  pb::ImpasseScore out;
  out.set_side(ToProto(side));
  out.set_points(count.points);
  out.set_handicap_credit(count.credit);
  out.set_pieces_in_zone(count.pieces_in_zone);
  out.set_king_in_zone(count.king_in_zone);
  return out;
}

}  // namespace

pb::ImpasseReport ToProto(const rules::ImpasseReport& report, const rules::Ruleset& ruleset,
                          int plies) {
  pb::ImpasseReport out;
  *out.mutable_first() = ScoreOf(rules::Side::kFirst, report.sides[0]);
  *out.mutable_second() = ScoreOf(rules::Side::kSecond, report.sides[1]);
  out.set_may_declare(report.accepted());
  for (const rules::ImpasseFailure failure : report.failures) {
    out.add_failed_conditions(std::string(rules::NameOf(failure)));
  }
  if (report.accepted())
    *out.mutable_result_if_declared() = ToProto(report.verdict, ruleset, plies);
  return out;
}

}  // namespace komadai::convert
