#include "libs/remotejudge/remote_verdict.h"

#include <gtest/gtest.h>

#include "libs/convert/result.h"
#include "libs/rules/ruleset.h"

namespace komadai::remotejudge {
namespace {

namespace pb = ::komadai::common::v1;
using rules::Ending;
using rules::Side;
using rules::Verdict;

// What the service would say of a verdict, read back.
Verdict Returned(const Verdict& verdict, const VerdictContext& context = {}) {
  const auto standard = rules::FindRuleset(rules::Variant::kShogi, "standard");
  const Result<Verdict> back = VerdictOf(convert::ToProto(verdict, *standard, 10), context);
  EXPECT_TRUE(back) << back.error().ToString();
  return back ? *back : Verdict{};
}

TEST(RemoteVerdictTest, EveryEndingComesBack) {
  const VerdictContext by_first{.declarer = Side::kFirst, .limit_counted_points = true};
  for (int i = 1; i < rules::kEndingCount; ++i) {
    Verdict verdict{static_cast<Ending>(i), std::nullopt};
    if (verdict.ending == Ending::kRepetitionLoss) verdict.winner = Side::kSecond;
    if (verdict.ending == Ending::kDeclarationWin) verdict.winner = Side::kFirst;
    if (verdict.ending == Ending::kDeclarationLoss) verdict.winner = Side::kSecond;
    const bool drawn_limit = verdict.ending == Ending::kPlyLimitDraw;
    EXPECT_EQ(Returned(verdict, drawn_limit ? VerdictContext{} : by_first), verdict) << i;
  }
}

TEST(RemoteVerdictTest, DeclarationsAreSeenFromWhoDeclared) {
  const Verdict first_wins{Ending::kDeclarationWin, Side::kFirst};
  EXPECT_EQ(Returned(first_wins, {.declarer = Side::kSecond}).ending, Ending::kDeclarationLoss);
  EXPECT_EQ(Returned(first_wins, {}).ending, Ending::kDeclarationLoss);  // agreed
}

TEST(RemoteVerdictTest, AnAgreedCountWithoutWinnerIsADraw) {
  pb::GameResult result;
  result.set_ending(pb::ENDING_IMPASSE);
  result.set_outcome(pb::OUTCOME_NO_RESULT);
  const Result<Verdict> verdict = VerdictOf(result, {});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(*verdict, (Verdict{Ending::kDeclarationDraw, std::nullopt}));
}

TEST(RemoteVerdictTest, WhatNoRuleDecidesIsABadAnswer) {
  pb::GameResult result;
  result.set_ending(pb::ENDING_RESIGNATION);
  result.set_outcome(pb::OUTCOME_FIRST_WINS);
  EXPECT_FALSE(VerdictOf(result, {}));
  result.set_ending(pb::ENDING_CHECKMATE);
  result.set_outcome(pb::OUTCOME_UNSPECIFIED);
  EXPECT_FALSE(VerdictOf(result, {}));
}

}  // namespace
}  // namespace komadai::remotejudge
