#include "cli/perft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_test.h"

namespace komadai::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

PerftOptions Of(const std::string& variant, const std::string& position, int depth) {
  PerftOptions options;
  options.position = {variant, position};
  options.depth = depth;
  return options;
}

TEST(PerftCommandTest, CountsFromPositionsOfEveryKind) {
  EXPECT_EQ(RunCommand(RunPerft, Of("shogi", "startpos", 3)).out, "nodes: 25470\n");
  EXPECT_EQ(RunCommand(RunPerft, Of("xiangqi", "startpos", 2)).out, "nodes: 1920\n");
  EXPECT_EQ(RunCommand(RunPerft, Of("minishogi", "rbsgk/4p/5/P4/KGSBR b - 1", 1)).out,
            "nodes: 14\n");
  EXPECT_EQ(RunCommand(RunPerft, Of("shogi", "none", 1)).out, "nodes: 30\n");
  EXPECT_EQ(RunCommand(RunPerft, Of("shogi", "6_piece", 1)).out, "nodes: 24\n");
  EXPECT_EQ(RunCommand(RunPerft, Of("shogi", "startpos", 0)).out, "nodes: 1\n");
}

TEST(PerftCommandTest, DividesByFirstMove) {
  PerftOptions options = Of("xiangqi", "startpos", 2);
  options.divide = true;
  const Ran ran = RunCommand(RunPerft, options);
  EXPECT_THAT(ran.out, StartsWith("a0a1: 44\na0a2: 44\na3a4: 44\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nnodes: 1920\n"));

  options.json = true;
  const nlohmann::json answer = RunCommand(RunPerft, options).json();
  EXPECT_EQ(answer["nodes"], 1920);
  EXPECT_EQ(answer["depth"], 2);
  EXPECT_EQ(answer["moves"].size(), 44U);
  std::uint64_t sum = 0;
  for (const nlohmann::json& nodes : answer["moves"]) sum += nodes.get<std::uint64_t>();
  EXPECT_EQ(sum, 1920U);
}

TEST(PerftCommandTest, DividingNothingIsNoError) {
  PerftOptions options = Of("shogi", "startpos", 0);
  options.divide = true;
  EXPECT_EQ(RunCommand(RunPerft, options).out, "nodes: 1\n");
}

TEST(PerftCommandTest, SaysWhatIsWrong) {
  const Ran variant = RunCommand(RunPerft, Of("chess", "startpos", 1));
  EXPECT_EQ(variant.status, kExitUsage);
  EXPECT_EQ(variant.out, "");
  EXPECT_THAT(variant.err, StartsWith("komadai perft: UNKNOWN_VARIANT: "));
  const Ran position = RunCommand(RunPerft, Of("shogi", "2 pieces", 1));
  EXPECT_EQ(position.status, kExitUsage);
  EXPECT_THAT(position.err, StartsWith("komadai perft: INVALID_POSITION: "));
  const Ran impossible = RunCommand(RunPerft, Of("shogi", "4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1", 1));
  EXPECT_THAT(impossible.err, StartsWith("komadai perft: NIFU: "));
}

}  // namespace
}  // namespace komadai::cli
