// Runs every vector file through the library.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/conformance/record_check.h"

namespace komadai::conformance {
namespace {

// Keeps the sanitized build under a minute; the release benchmark and the command line run the
// rest.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kMaxPerftNodes = 2'000'000;
#else
constexpr std::uint64_t kMaxPerftNodes = 30'000'000;
#endif

class Vectors : public testing::TestWithParam<const char*> {};

TEST_P(Vectors, EveryRecordPasses) {
  std::ifstream file(std::string("tests/conformance/vectors/") + GetParam());
  ASSERT_TRUE(file) << GetParam();
  int checked = 0;
  int skipped = 0;
  for (std::string line; std::getline(file, line);) {
    const auto record = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    const CheckResult result = CheckRecord(record, {.max_perft_nodes = kMaxPerftNodes});
    ++(result.outcome == Outcome::kSkipped ? skipped : checked);
    EXPECT_NE(result.outcome, Outcome::kFailed)
        << record.value("id", line) << ": " << result.message;
  }
  EXPECT_GT(checked, 0);
  RecordProperty("checked", checked);
  RecordProperty("skipped", skipped);
}

INSTANTIATE_TEST_SUITE_P(AllGames, Vectors,
                         testing::Values("shogi/perft.jsonl", "shogi/legality.jsonl",
                                         "shogi/outcomes.jsonl", "shogi/repetition_table.jsonl",
                                         "shogi/games.jsonl", "shogi/random_playouts_shogi.jsonl",
                                         "shogi/random_playouts_minishogi.jsonl",
                                         "xiangqi/perft.jsonl", "xiangqi/legality.jsonl",
                                         "xiangqi/outcomes.jsonl", "xiangqi/games.jsonl",
                                         "xiangqi/random_playouts.jsonl"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           for (char& c : name) {
                             if (c == '/' || c == '.') c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace komadai::conformance
