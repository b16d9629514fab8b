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

TEST(AgreedImpasse, ASideUnderTwentyFourLoses) {
  const Position position = Shogi("4K4/9/9/9/9/9/9/9/4k4 b RB4G4S4NLrb3l18p 1");
  for (const Side by : {Side::kFirst, Side::kSecond}) {
    EXPECT_EQ(Judge(position, "professional", by, ImpasseAsk::kAgree).verdict,
              (Verdict{Ending::kDeclarationLoss, Side::kSecond}));
  }
}

TEST(Declaration, DoesNotExistInOtherGames) {
  for (const Position& position :
       {StartPosition(Variant::kMinishogi), StartPosition(Variant::kXiangqi)}) {
    const auto rules = FindRuleset(position.variant(), "");
    const ImpasseReport report = JudgeImpasse(position, *rules, ImpasseAsk::kDeclare, Side::kFirst);
    EXPECT_THAT(report.failures, ElementsAre(ImpasseFailure::kNoImpasseRule));
    EXPECT_FALSE(report.accepted());
  }
}

// A king with promoted pawns around it, and the rest of the points in hand. Everything else is the
// opponent's, whose king has not entered: that does not matter to the 27-point rule.
struct Declared {
  const char* sfen;
  Side by;
  std::vector<ImpasseFailure> failures;  // none: the declarer wins
};

class TwentySevenBoundary : public testing::TestWithParam<Declared> {};

TEST_P(TwentySevenBoundary, WhoeverMissesAnythingLoses) {
  const auto& [sfen, by, failures] = GetParam();
  const ImpasseReport report = Judge(Shogi(sfen), "csa27", by);
  EXPECT_EQ(report.failures, failures);
  EXPECT_EQ(report.verdict, failures.empty() ? (Verdict{Ending::kDeclarationWin, by})
                                             : (Verdict{Ending::kDeclarationLoss, Opponent(by)}));
}

constexpr char kSenteWith28[] = "4K4/+P+P+P+P+P+P+P+P+P/+P8/9/9/9/9/9/4k4 b 2RB3Gbg4s4n4l8p 1";
constexpr char kSenteWith27[] = "4K4/+P+P+P+P+P+P+P+P+P/+P8/9/9/9/9/9/4k4 b 2RB2Gb2g4s4n4l8p 1";
constexpr char kGoteWith27[] = "4K4/9/9/9/9/9/8+p/+p+p+p+p+p+p+p+p+p/4k4 w BG4S4N4L8P2rb2g 1";
constexpr char kGoteWith26[] = "4K4/9/9/9/9/9/8+p/+p+p+p+p+p+p+p+p+p/4k4 w B3G4S4N4L8P2rbg 1";
constexpr char kSenteWithNinePieces[] = "4K4/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/9/4k4 b 2RB4Gb4s4n4l9p 1";
constexpr char kSenteOneRankShort[] =
    "+P8/+P+P+P+P+P+P+P+P+P/9/4K4/9/9/9/9/4k4 b 2RB3Gbg4s4n4l8p 1";
constexpr char kSenteInCheck[] = "4K3r/+P+P+P+P+P+P+P+P+P/+P8/9/9/9/9/9/4k4 b R2B3Gg4s4n4l8p 1";

INSTANTIATE_TEST_SUITE_P(
    Conditions, TwentySevenBoundary,
    testing::Values(Declared{kSenteWith28, Side::kFirst, {}},
                    Declared{kSenteWith27, Side::kFirst, {ImpasseFailure::kTooFewPoints}},
                    Declared{kGoteWith27, Side::kSecond, {}},
                    Declared{kGoteWith26, Side::kSecond, {ImpasseFailure::kTooFewPoints}},
                    Declared{
                        kSenteWithNinePieces, Side::kFirst, {ImpasseFailure::kTooFewPiecesInZone}},
                    Declared{kSenteOneRankShort, Side::kFirst, {ImpasseFailure::kKingNotInZone}},
                    Declared{kSenteInCheck, Side::kFirst, {ImpasseFailure::kInCheck}}));

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
