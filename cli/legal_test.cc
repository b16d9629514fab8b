#include "cli/legal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_test.h"

namespace komadai::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kUchifuzume[] = "7nk/9/8G/9/9/9/9/9/K8 b P 1";

LegalOptions Of(const std::string& variant, const std::string& position,
                const std::string& move = "") {
  LegalOptions options;
  options.position = {variant, position};
  options.move = move;
  return options;
}

TEST(LegalCommandTest, ListsEveryMoveAndTheirNumber) {
  const Ran ran = RunCommand(RunLegal, Of("shogi", "startpos"));
  EXPECT_EQ(ran.status, kExitOk);
  EXPECT_THAT(ran.out, StartsWith("1g1f\n1i1h\n2g2f\n2h1h\n"));
  EXPECT_THAT(ran.out, EndsWith("\n9i9h\n30 legal moves\n"));
}

TEST(LegalCommandTest, NamesMovesInTheNotationsAskedFor) {
  LegalOptions options = Of("xiangqi", "startpos");
  options.notations = {"wxf", "chinese"};
  EXPECT_THAT(RunCommand(RunLegal, options).out, HasSubstr("\nh2e2  C2=5  炮二平五\n"));

  options.json = true;
  const nlohmann::json answer = RunCommand(RunLegal, options).json();
  EXPECT_EQ(answer["count"], 44);
  EXPECT_EQ(answer["moves"].size(), 44U);
  EXPECT_EQ(answer["moves"][0],
            (nlohmann::json{{"move", "a0a1"}, {"wxf", "R9+1"}, {"chinese", "車九進一"}}));
  EXPECT_EQ(answer["side_to_move"], "first");
  EXPECT_EQ(answer["check"], false);
}

TEST(LegalCommandTest, JudgesAMoveInAnyNotation) {
  EXPECT_EQ(RunCommand(RunLegal, Of("shogi", "startpos", "7g7f")).out, "legal: 7g7f\n");
  EXPECT_EQ(RunCommand(RunLegal, Of("shogi", "startpos", "P-7f")).out, "legal: 7g7f\n");
  LegalOptions named = Of("shogi", "startpos", "７六歩");
  named.notations = {"western"};
  EXPECT_EQ(RunCommand(RunLegal, named).out, "legal: 7g7f  P-7f\n");
  named.json = true;
  EXPECT_EQ(RunCommand(RunLegal, named).json(),
            (nlohmann::json{{"move", "7g7f"}, {"western", "P-7f"}, {"legal", true}}));
}

TEST(LegalCommandTest, SaysWhyAMoveIsIllegal) {
  LegalOptions options = Of("shogi", kUchifuzume, "P*1b");
  const Ran ran = RunCommand(RunLegal, options);
  EXPECT_EQ(ran.status, kExitNo);
  EXPECT_THAT(ran.out, StartsWith("illegal: UCHIFUZUME: "));
  EXPECT_EQ(ran.err, "");
  options.json = true;
  const nlohmann::json answer = RunCommand(RunLegal, options).json();
  EXPECT_EQ(answer["legal"], false);
  EXPECT_EQ(answer["reason"], "UCHIFUZUME");
  // Also in another notation.
  const Ran named = RunCommand(RunLegal, Of("xiangqi", "startpos", "R9=8"));
  EXPECT_EQ(named.status, kExitNo);
  EXPECT_THAT(named.out, StartsWith("illegal: OWN_PIECE: "));
}

TEST(LegalCommandTest, SaysWhatIsWrong) {
  const Ran move = RunCommand(RunLegal, Of("shogi", "startpos", "seven"));
  EXPECT_EQ(move.status, kExitUsage);
  EXPECT_EQ(move.out, "");
  EXPECT_THAT(move.err, StartsWith("komadai legal: INVALID_MOVE: "));
  const Ran position = RunCommand(RunLegal, Of("xiangqi", "9/9/9"));
  EXPECT_EQ(position.status, kExitUsage);
  EXPECT_THAT(position.err, StartsWith("komadai legal: INVALID_POSITION: "));
  for (const char* notation : {"morse", "wxf"}) {
    LegalOptions options = Of("shogi", "startpos");
    options.notations = {notation};
    const Ran ran = RunCommand(RunLegal, options);
    EXPECT_EQ(ran.status, kExitUsage);
    EXPECT_THAT(ran.err, StartsWith("komadai legal: WRONG_NOTATION: "));
  }
}

}  // namespace
}  // namespace komadai::cli
