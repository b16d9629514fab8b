#include "libs/rules/impasse.h"

#include <gmock/gmock.h>

#include "libs/rules/handicap.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Sente has entered with 11 pieces and 27 points, Gote with the rest.
constexpr char kTwentySeven[] =
    "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/7g1/6gg1/5+n1s1/3+p+p4/1+p3+n1k1/9 b G2SNL3Psl4p 1";
// The same with uwate's rook, bishop and two more points given as a handicap.
constexpr char kUwate[] =
    "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/9/9/9/2p+p+pgsg1/1+p1+n1+n1kg/9 w G2SNL3Psl3p 1";

ImpasseReport Judge(const Position& position, std::string_view ruleset, Side by,
                    ImpasseAsk ask = ImpasseAsk::kDeclare) {
  const auto rules = FindRuleset(Variant::kShogi, ruleset);
  return JudgeImpasse(position, *rules, ask, by, HandicapCredit(position));
}

TEST(TwentySevenPoints, DeclaringWithTooFewLoses) {
  const ImpasseReport report = Judge(Shogi(kTwentySeven), "csa27", Side::kFirst);
  EXPECT_EQ(report.verdict, (Verdict{Ending::kDeclarationLoss, Side::kSecond}));
  EXPECT_THAT(report.failures, ElementsAre(ImpasseFailure::kTooFewPoints));
  EXPECT_EQ(report.sides[0].points, 27);
  EXPECT_EQ(report.sides[0].points_needed, 28);
  EXPECT_EQ(report.sides[0].pieces_in_zone, 11);
}

TEST(TwentyFourPoints, BothHavingEnoughDraws) {
  const ImpasseReport report = Judge(Shogi(kTwentySeven), "standard", Side::kFirst);
  EXPECT_EQ(report.verdict, (Verdict{Ending::kDeclarationDraw, std::nullopt}));
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_EQ(report.sides[0].points + report.sides[1].points, 54);
}

TEST(HandicapCredit, MakesUpForThePiecesGiven) {
  const Position position = Shogi(kUwate);
  const ImpasseReport declared = Judge(position, "csa27", Side::kSecond);
  EXPECT_EQ(declared.sides[1].points, 27);
  EXPECT_EQ(declared.sides[1].credit, 12);
  EXPECT_EQ(declared.verdict, (Verdict{Ending::kDeclarationWin, Side::kSecond}));
  EXPECT_EQ(Judge(position, "standard", Side::kSecond).verdict.ending, Ending::kDeclarationDraw);
}

TEST(HandicapCredit, IsWhatTheHandicapTookAway) {
  EXPECT_EQ(HandicapCredit(*StartPosition(Variant::kShogi, "2_piece")),
            (std::array<int, 2>{0, 10}));
  EXPECT_EQ(HandicapCredit(StartPosition(Variant::kShogi)), (std::array<int, 2>{0, 0}));
}

TEST(Declaration, ExplainsEveryConditionThatFails) {
  const Position start = StartPosition(Variant::kShogi);
  const ImpasseReport report = Judge(start, "csa27", Side::kSecond);
  EXPECT_FALSE(report.accepted());
  EXPECT_THAT(report.failures,
              ElementsAre(ImpasseFailure::kNotYourTurn, ImpasseFailure::kKingNotInZone,
                          ImpasseFailure::kTooFewPiecesInZone, ImpasseFailure::kTooFewPoints));
}

TEST(Declaration, NeedsBothKingsInTheZoneUnderTwentyFourPoints) {
  const ImpasseReport report = Judge(StartPosition(Variant::kShogi), "standard", Side::kFirst);
  EXPECT_FALSE(report.accepted());
  EXPECT_THAT(report.failures,
              ElementsAre(ImpasseFailure::kKingNotInZone, ImpasseFailure::kOpponentKingNotInZone));
}

TEST(Declaration, IsRefusedInCheckUnderTwentyFourPoints) {
  const Position checked = Shogi("4K4/4g4/9/9/9/9/9/4k4/9 b 2R2B3G4S4N4L18P 1");
  const ImpasseReport report = Judge(checked, "standard", Side::kFirst);
  EXPECT_FALSE(report.accepted());
  EXPECT_THAT(report.failures, Contains(ImpasseFailure::kInCheck));
}

TEST(AgreedImpasse, NeedsAgreementAndBothKings) {
  const Position entered = Shogi(kTwentySeven);
  EXPECT_THAT(Judge(entered, "professional", Side::kFirst).failures,
              ElementsAre(ImpasseFailure::kAgreementNeeded));
  EXPECT_EQ(Judge(entered, "professional", Side::kFirst, ImpasseAsk::kAgree).verdict.ending,
            Ending::kDeclarationDraw);
  EXPECT_FALSE(
      Judge(StartPosition(Variant::kShogi), "professional", Side::kFirst, ImpasseAsk::kAgree)
          .accepted());
}

// Sente's points on the whole board, the rest being Gote's; both kings have entered.
struct Boundary {
  const char* sfen;
  Side by;
  Ending ending;
  std::optional<Side> winner;
};

class TwentyFourBoundary : public testing::TestWithParam<Boundary> {};

TEST_P(TwentyFourBoundary, ASideUnderTwentyFourLoses) {
  const ImpasseReport report = Judge(Shogi(GetParam().sfen), "standard", GetParam().by);
  EXPECT_EQ(report.verdict, (Verdict{GetParam().ending, GetParam().winner}));
}

INSTANTIATE_TEST_SUITE_P(Points, TwentyFourBoundary,
                         testing::Values(
                             // 31-23, 30-24, 24-30, 23-31, each declared by either side.
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 b 2RB4G4S4N4Lb18p 1", Side::kFirst,
                                      Ending::kDeclarationWin, Side::kFirst},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 w 2RB4G4S4N4Lb18p 1", Side::kSecond,
                                      Ending::kDeclarationLoss, Side::kFirst},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 b 2RB4G4S4N3Lbl18p 1", Side::kFirst,
                                      Ending::kDeclarationDraw, std::nullopt},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 w 2RB4G4S4N3Lbl18p 1", Side::kSecond,
                                      Ending::kDeclarationDraw, std::nullopt},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 b RB4G4S4N2Lrb2l18p 1", Side::kFirst,
                                      Ending::kDeclarationDraw, std::nullopt},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 w RB4G4S4N2Lrb2l18p 1", Side::kSecond,
                                      Ending::kDeclarationDraw, std::nullopt},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 b RB4G4S4NLrb3l18p 1", Side::kFirst,
                                      Ending::kDeclarationLoss, Side::kSecond},
                             Boundary{"4K4/9/9/9/9/9/9/9/4k4 w RB4G4S4NLrb3l18p 1", Side::kSecond,
                                      Ending::kDeclarationWin, Side::kSecond}));

}  // namespace
}  // namespace komadai::rules
