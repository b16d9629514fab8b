// Runs every vector file through the library, to the last record.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "libs/conformance/library_judge.h"
#include "libs/conformance/vector_file.h"

namespace komadai::conformance {
namespace {

// Keeps the sanitized build under a minute; the release benchmark and the command line run the
// rest.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kMaxPerftNodes = 2'000'000;
#else
constexpr std::uint64_t kMaxPerftNodes = 30'000'000;
#endif
const std::filesystem::path kVectors = "tests/conformance/vectors";

// A file and how many records it has.
struct KnownFile {
  std::string name;
  int records;
};

class Vectors : public testing::TestWithParam<KnownFile> {};

TEST_P(Vectors, EveryRecordPasses) {
  std::ifstream file(kVectors / GetParam().name);
  ASSERT_TRUE(file) << GetParam().name;
  LibraryJudge judge;
  const Tally tally =
      CheckLines(file, judge, {.max_perft_nodes = kMaxPerftNodes}, [](const CheckedRecord& record) {
        EXPECT_NE(record.result.outcome, Outcome::kFailed)
            << record.line << " " << record.id << ": " << record.result.message;
      });
  EXPECT_EQ(tally.records(), GetParam().records);
  EXPECT_GT(tally.passed, 0);
  if (GetParam().name.find("perft") == std::string::npos) {
    EXPECT_EQ(tally.skipped, 0);
  }
  RecordProperty("checked", tally.passed + tally.failed);
  RecordProperty("skipped", tally.skipped);
}

const KnownFile kFiles[] = {
    {"shogi/games.jsonl", 29},
    {"shogi/legality.jsonl", 1331},
    {"shogi/notation.jsonl", 466},
    {"shogi/outcomes.jsonl", 105},
    {"shogi/perft.jsonl", 308},
    {"shogi/random_playouts_minishogi.jsonl", 150},
    {"shogi/random_playouts_shogi.jsonl", 150},
    {"shogi/repetition_table.jsonl", 16},
    {"xiangqi/games.jsonl", 22},
    {"xiangqi/legality.jsonl", 225},
    {"xiangqi/notation.jsonl", 204},
    {"xiangqi/outcomes.jsonl", 300},
    {"xiangqi/perft.jsonl", 98},
    {"xiangqi/random_playouts.jsonl", 150},
};

INSTANTIATE_TEST_SUITE_P(AllGames, Vectors, testing::ValuesIn(kFiles), [](const auto& suite) {
  std::string name = suite.param.name;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '.'; }, '_');
  return name;
});

TEST(VectorsTest, NoFileIsForgotten) {
  std::vector<std::string> known;
  for (const KnownFile& file : kFiles) known.push_back(file.name);
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kVectors)) {
    if (!entry.is_regular_file()) continue;
    found.push_back(std::filesystem::relative(entry.path(), kVectors).string());
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, known);
}

}  // namespace
}  // namespace komadai::conformance
