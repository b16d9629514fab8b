// The conformance vectors through the service: the same checks as the library's, to the last
// record.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "libs/conformance/vector_file.h"
#include "libs/remotejudge/remote_judge.h"
#include "services/rules/testing/rules_fixture.h"

namespace komadai::rules_service {
namespace {

using conformance::CheckedRecord;
using conformance::CheckLines;
using conformance::Outcome;

class RulesVectorsTest : public RulesFixture {
 protected:
  remotejudge::RemoteJudge judge_{server_->channel()};
};
class VectorFiles : public RulesVectorsTest, public testing::WithParamInterface<const char*> {};

TEST_P(VectorFiles, EveryRecordPasses) {
  std::ifstream file(std::string("tests/conformance/vectors/") + GetParam());
  ASSERT_TRUE(file) << GetParam();
  const conformance::Tally tally = CheckLines(file, judge_, {}, [](const CheckedRecord& record) {
    EXPECT_EQ(record.result.outcome, Outcome::kPassed)
        << record.line << " " << record.id << ": " << record.result.message;
  });
  EXPECT_GT(tally.passed, 0);
}

INSTANTIATE_TEST_SUITE_P(AllGames, VectorFiles,
                         testing::Values("shogi/legality.jsonl", "shogi/outcomes.jsonl",
                                         "shogi/notation.jsonl", "shogi/games.jsonl",
                                         "xiangqi/legality.jsonl", "xiangqi/outcomes.jsonl",
                                         "xiangqi/notation.jsonl", "xiangqi/games.jsonl"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '/' || c == '.'; }, '_');
                           return name;
                         });

// A wrong claim fails here as it does with the library.
TEST_F(RulesVectorsTest, WrongClaimsFail) {
  const nlohmann::json records = nlohmann::json::parse(R"json([
    {"variant": "shogi", "position": "7nk/9/8G/9/9/9/9/9/K8 b P 1", "move": "P*1b",
     "legal": false, "why": "nifu"},
    {"variant": "shogi", "position": "7nk/9/8G/9/9/9/9/9/K8 b P 1", "move": "P*1b",
     "legal": true, "why": "ok"},
    {"variant": "xiangqi", "position": "startpos", "moves": ["h2e2"],
     "expect": {"status": "checkmate", "winner": "red", "at_ply": 1}},
    {"variant": "xiangqi", "position": "startpos", "moves": ["h2e2", "h2e2"],
     "expect": {"status": "ongoing", "winner": "none", "at_ply": 2}},
    {"variant": "xiangqi", "position": "startpos", "moves": ["h2e2"], "legal_counts": [44, 41]},
    {"variant": "shogi", "position": "startpos", "moves": ["7g7f"], "final_sfen": "startpos"},
    {"variant": "shogi", "position": "startpos", "move": "7g7f", "kif": "同　歩(77)"},
    {"variant": "shogi", "position": "4k4/9/9 b - 1", "move": "7g7f", "legal": false, "why": "ok"}
  ])json");
  for (const nlohmann::json& record : records) {
    EXPECT_EQ(CheckRecord(record, judge_).outcome, Outcome::kFailed) << record;
  }
}

}  // namespace
}  // namespace komadai::rules_service
