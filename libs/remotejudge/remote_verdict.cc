#include "libs/remotejudge/remote_verdict.h"

#include <string>

namespace komadai::remotejudge {
namespace {

namespace pb = ::komadai::common::v1;
using rules::Ending;
using rules::Side;
using rules::Verdict;

std::optional<Side> WinnerOf(pb::Outcome outcome) {
  if (outcome == pb::OUTCOME_FIRST_WINS) return Side::kFirst;
  if (outcome == pb::OUTCOME_SECOND_WINS) return Side::kSecond;
  return std::nullopt;
}

Ending DeclarationEnding(std::optional<Side> winner, std::optional<Side> declarer) {
  if (!winner) return Ending::kDeclarationDraw;
  return winner == declarer ? Ending::kDeclarationWin : Ending::kDeclarationLoss;
}

std::optional<Ending> EndingOf(const pb::GameResult& result, std::optional<Side> winner,
                               const VerdictContext& context) {
  switch (result.ending()) {
    case pb::ENDING_CHECKMATE:
      return Ending::kCheckmate;
    case pb::ENDING_NO_LEGAL_MOVE:
      return Ending::kNoLegalMove;
    case pb::ENDING_REPETITION:
      return winner ? Ending::kRepetitionLoss : Ending::kRepetitionDraw;
    case pb::ENDING_PERPETUAL_CHECK:
      return Ending::kPerpetualCheck;
    case pb::ENDING_PERPETUAL_CHASE:
      return Ending::kPerpetualChase;
    case pb::ENDING_IMPASSE:
      return DeclarationEnding(winner, context.declarer);
    case pb::ENDING_PLY_LIMIT:
      return winner || context.limit_counted_points ? Ending::kPlyLimitPoints
                                                    : Ending::kPlyLimitDraw;
    case pb::ENDING_NO_CAPTURE:
      return Ending::kNoCaptureDraw;
    case pb::ENDING_INSUFFICIENT_MATERIAL:
      return Ending::kInsufficientMaterial;
    case pb::ENDING_ILLEGAL_MOVE:
      return Ending::kIllegalMove;
    default:
      return std::nullopt;  // a player's doing, not the law's
  }
}

}  // namespace

Result<Verdict> VerdictOf(const pb::GameResult& result, const VerdictContext& context) {
  const std::optional<Side> winner = WinnerOf(result.outcome());
  const std::optional<Ending> ending = EndingOf(result, winner, context);
  const bool decided =
      winner || result.outcome() == pb::OUTCOME_DRAW || result.outcome() == pb::OUTCOME_NO_RESULT;
  if (!ending || !decided) {
    return Error(kBadAnswer, "no rule ends a game with " + pb::Ending_Name(result.ending()) + "/" +
                                 pb::Outcome_Name(result.outcome()));
  }
  return Verdict{*ending, winner};
}

}  // namespace komadai::remotejudge
