#include "libs/rules/impasse.h"

#include "libs/base/check.h"
#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

constexpr int kPointsToDraw = 24;          // 24-point count: a side with fewer loses
constexpr int kPiecesInZone = 10;          // 27-point declaration, besides the king
constexpr int kPointsToWin[2] = {28, 27};  // 27-point declaration, by side

std::array<ImpasseCount, 2> CountSides(const Position& position, ImpasseRule rule,
                                       const std::array<int, 2>& credit) {
  const Material material = position.game().CountMaterial(position.state());
  std::array<ImpasseCount, 2> sides;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool declared_27 = rule == ImpasseRule::kPoints27;
    sides[i].credit = credit[i];
    sides[i].points =
        (declared_27 ? material.points_in_zone[i] : material.points_everywhere[i]) + credit[i];
    sides[i].points_needed = declared_27 ? kPointsToWin[i] : kPointsToDraw;
    sides[i].pieces_in_zone = material.pieces_in_zone[i];
    sides[i].king_in_zone = material.king_in_zone[i];
  }
  return sides;
}

Verdict WonBy(Side winner, Side by) {
  return {winner == by ? Ending::kDeclarationWin : Ending::kDeclarationLoss, winner};
}

// The 24-point result: a side that is short loses. If both are (only possible without credit for
// the pieces given) neither can be preferred.
Verdict CountOut(const ImpasseReport& report, ImpasseAsk ask, Side by) {
  const bool first_short = report.sides[0].points < kPointsToDraw;
  const bool second_short = report.sides[1].points < kPointsToDraw;
  if (first_short == second_short) return {Ending::kDeclarationDraw, std::nullopt};
  const Side winner = first_short ? Side::kSecond : Side::kFirst;
  // An agreed count has no declarer: the ending is the loss of the side that is short.
  if (ask == ImpasseAsk::kAgree) return {Ending::kDeclarationLoss, winner};
  return WonBy(winner, by);
}

}  // namespace

std::string_view NameOf(ImpasseFailure failure) {
  switch (failure) {
    case ImpasseFailure::kNoImpasseRule:
      return "NO_IMPASSE_RULE";
    case ImpasseFailure::kAgreementNeeded:
      return "AGREEMENT_NEEDED";
    case ImpasseFailure::kNotYourTurn:
      return "NOT_YOUR_TURN";
    case ImpasseFailure::kInCheck:
      return "IN_CHECK";
    case ImpasseFailure::kKingNotInZone:
      return "KING_NOT_IN_ZONE";
    case ImpasseFailure::kOpponentKingNotInZone:
      return "OPPONENT_KING_NOT_IN_ZONE";
    case ImpasseFailure::kTooFewPiecesInZone:
      return "TOO_FEW_PIECES_IN_ZONE";
    case ImpasseFailure::kTooFewPoints:
      return "TOO_FEW_POINTS";
  }
  KOMADAI_CHECK(false);
}

ImpasseReport JudgeImpasse(const Position& position, const Ruleset& ruleset, ImpasseAsk ask,
                           Side by, std::array<int, 2> credit) {
  const ImpasseRule rule = ruleset.impasse;
  ImpasseReport report;
  report.sides = CountSides(position, rule, credit);
  const ImpasseCount& own = report.sides[static_cast<std::size_t>(by)];
  const ImpasseCount& other = report.sides[static_cast<std::size_t>(Opponent(by))];
  const auto fails = [&report](bool failed, ImpasseFailure failure) {
    if (failed) report.failures.push_back(failure);
    return failed;
  };

  const bool by_agreement = rule == ImpasseRule::kPoints24ByAgreement;
  if (rule == ImpasseRule::kNone || (ask == ImpasseAsk::kAgree && !by_agreement)) {
    fails(true, ImpasseFailure::kNoImpasseRule);
    return report;
  }
  const bool wants_agreement =
      fails(by_agreement && ask == ImpasseAsk::kDeclare, ImpasseFailure::kAgreementNeeded);
  const bool off_turn = fails(ask == ImpasseAsk::kDeclare && by != position.side_to_move(),
                              ImpasseFailure::kNotYourTurn);
  const bool in_check =
      ask == ImpasseAsk::kDeclare && by == position.side_to_move() && position.InCheck();
  fails(in_check, ImpasseFailure::kInCheck);
  fails(!own.king_in_zone, ImpasseFailure::kKingNotInZone);
  if (rule == ImpasseRule::kPoints27) {
    fails(own.pieces_in_zone < kPiecesInZone, ImpasseFailure::kTooFewPiecesInZone);
    fails(own.points < own.points_needed, ImpasseFailure::kTooFewPoints);
    // A declaration that fails its conditions loses; one out of turn does not count.
    if (!off_turn) report.verdict = WonBy(report.failures.empty() ? by : Opponent(by), by);
    return report;
  }
  fails(!other.king_in_zone, ImpasseFailure::kOpponentKingNotInZone);
  fails(own.points < own.points_needed, ImpasseFailure::kTooFewPoints);
  const bool entered = own.king_in_zone && other.king_in_zone;
  if (entered && !wants_agreement && !off_turn && !in_check) {
    report.verdict = CountOut(report, ask, by);
  }
  return report;
}

std::array<int, 2> HandicapCredit(const Position& start) {
  const Material material = start.game().CountMaterial(start.state());
  const int present = material.points_everywhere[0] + material.points_everywhere[1];
  return {0, material.full_set_points - present};
}

}  // namespace komadai::rules
