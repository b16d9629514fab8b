#include "cli/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_test.h"

namespace komadai::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kRookChecks[] = "8k/9/9/9/9/9/9/9/K6R1 b - 1";
constexpr char kCycle[] = "2i1i 1a2a 1i2i 2a1a";
// First's king has entered; 28 points and ten pieces in the camp.
constexpr char kEntered[] = "K+R+B+P+P+P+P2/GGSS5/9/9/9/9/9/9/5k3 b RBGGSS 1";

JudgeOptions Of(const std::string& variant, const std::string& position,
                std::vector<std::string> moves = {}) {
  JudgeOptions options;
  options.position = {variant, position};
  options.moves = std::move(moves);
  return options;
}

nlohmann::json Judged(JudgeOptions options) {
  options.json = true;
  const Ran ran = RunCommand(RunJudge, options);
  EXPECT_EQ(ran.status, kExitOk) << ran.err;
  return ran.status == kExitOk ? ran.json() : nlohmann::json();
}

TEST(JudgeCommandTest, AnOpenGame) {
  const Ran ran = RunCommand(RunJudge, Of("shogi", "startpos", {"7g7f", "3c3d"}));
  EXPECT_EQ(ran.status, kExitOk);
  EXPECT_EQ(ran.out,
            "position: lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n"
            "ply: 2\nto move: first\ncheck: no\nruleset: standard\nverdict: ONGOING\n"
            "winner: none\noccurrences: 1 of 4\n");
}

TEST(JudgeCommandTest, MovesInAnyNotationOneTextOrSeveral) {
  const nlohmann::json answer =
      Judged(Of("shogi", "startpos", {"P-7f △３四歩", "8h2b+", "同　銀(31)"}));
  EXPECT_EQ(answer["ply"], 4);
  EXPECT_EQ(answer["position"],
            "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5");
  EXPECT_EQ(Judged(Of("xiangqi", "startpos", {"pháo 2 bình 5", "h9g7 h0g2"}))["ply"], 3);
}

TEST(JudgeCommandTest, RepetitionIsForetoldAndJudged) {
  const nlohmann::json third = Judged(Of("shogi", kRookChecks, {kCycle, kCycle}));
  EXPECT_EQ(third["verdict"], "ONGOING");
  EXPECT_EQ(third["occurrences"], 3);
  EXPECT_EQ(third["occurrences_limit"], 4);
  EXPECT_EQ(third["if_repeated"],
            (nlohmann::json{{"verdict", "PERPETUAL_CHECK"}, {"winner", "second"}}));
  const Ran text = RunCommand(RunJudge, Of("shogi", kRookChecks, {kCycle, kCycle}));
  EXPECT_THAT(text.out, HasSubstr("if repeated on: PERPETUAL_CHECK, second wins\n"));

  const nlohmann::json fourth = Judged(Of("shogi", kRookChecks, {kCycle, kCycle, kCycle, "2i1i"}));
  EXPECT_EQ(fourth["verdict"], "PERPETUAL_CHECK");
  EXPECT_EQ(fourth["winner"], "second");
  EXPECT_EQ(fourth["ply"], 12);
  EXPECT_EQ(fourth["moves_after_end"], 1);
}

TEST(JudgeCommandTest, DeclarationsAreExplained) {
  JudgeOptions options = Of("shogi", kEntered);
  options.ruleset = "csa27";
  options.declare = true;
  const nlohmann::json won = Judged(options);
  EXPECT_EQ(won["verdict"], "DECLARATION_WIN");
  EXPECT_EQ(won["winner"], "first");
  EXPECT_EQ(won["impasse"]["accepted"], true);
  EXPECT_EQ(won["impasse"]["claim"], "declare");
  EXPECT_EQ(won["impasse"]["by"], "first");
  EXPECT_EQ(won["impasse"]["first"], (nlohmann::json{{"points", 32},
                                                     {"points_needed", 28},
                                                     {"handicap_credit", 0},
                                                     {"pieces_in_zone", 10},
                                                     {"king_in_zone", true}}));
  EXPECT_EQ(won["impasse"]["failed_conditions"], nlohmann::json::array());

  options.by = "second";
  const nlohmann::json refused = Judged(options);
  EXPECT_EQ(refused["verdict"], "ONGOING");
  EXPECT_EQ(refused["impasse"]["accepted"], false);
  EXPECT_THAT(refused["impasse"]["failed_conditions"].dump(), HasSubstr("NOT_YOUR_TURN"));
  const Ran text = RunCommand(RunJudge, options);
  EXPECT_THAT(text.out, HasSubstr("impasse: declared by second, refused\n"
                                  "  first: 32 points (28 needed), 10 pieces in the enemy camp, "
                                  "king inside\n"));
  EXPECT_THAT(text.out, HasSubstr("  not met: NOT_YOUR_TURN\n"));
}

TEST(JudgeCommandTest, AnAgreedCountNeedsARulesetThatHasOne) {
  JudgeOptions options = Of("shogi", kEntered);
  options.agree = true;
  EXPECT_EQ(Judged(options)["impasse"]["failed_conditions"], nlohmann::json({"NO_IMPASSE_RULE"}));
  options.ruleset = "professional";
  const nlohmann::json counted = Judged(options);
  EXPECT_EQ(counted["verdict"], "DECLARATION_LOSS");  // of whoever is short of points
  EXPECT_EQ(counted["winner"], "first");
  EXPECT_EQ(counted["impasse"]["second"]["points"], 22);
  EXPECT_THAT(RunCommand(RunJudge, options).out, HasSubstr("impasse: agreed\n"));
}

TEST(JudgeCommandTest, AnIllegalMoveIsRefusedOrLoses) {
  JudgeOptions options = Of("shogi", "startpos", {"7g7f", "3c3e"});
  const Ran refused = RunCommand(RunJudge, options);
  EXPECT_EQ(refused.status, kExitUsage);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, StartsWith("komadai judge: BAD_GEOMETRY: after 1 plies, 3c3e: "));
  options.ruleset = "professional";
  EXPECT_EQ(Judged(options)["verdict"], "ILLEGAL_MOVE");
  EXPECT_EQ(Judged(options)["winner"], "first");
}

TEST(JudgeCommandTest, AGameThatNeverBegins) {
  const Ran mate = RunCommand(RunJudge, Of("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"));
  EXPECT_THAT(mate.out, HasSubstr("verdict: CHECKMATE\nwinner: first\n"));
  EXPECT_THAT(mate.out, Not(HasSubstr("if repeated")));
}

TEST(JudgeCommandTest, SaysWhatIsWrong) {
  JudgeOptions ruleset = Of("minishogi", "startpos");
  ruleset.ruleset = "csa27";
  EXPECT_THAT(RunCommand(RunJudge, ruleset).err, StartsWith("komadai judge: UNKNOWN_RULESET: "));
  const Ran move = RunCommand(RunJudge, Of("shogi", "startpos", {"7g7f 8c8z"}));
  EXPECT_EQ(move.status, kExitUsage);
  EXPECT_THAT(move.err, StartsWith("komadai judge: INVALID_MOVE: after 1 plies, 8c8z: "));
  JudgeOptions late = Of("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
  late.declare = true;
  EXPECT_THAT(RunCommand(RunJudge, late).err, StartsWith("komadai judge: GAME_OVER: "));
}

}  // namespace
}  // namespace komadai::cli
