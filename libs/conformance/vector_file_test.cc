#include "libs/conformance/vector_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libs/conformance/library_judge.h"

namespace komadai::conformance {
namespace {

using ::testing::ElementsAre;

constexpr char kGood[] = R"({"id": "good", "variant": "xiangqi", "position": "startpos",)"
                         R"( "depth": 1, "nodes": 44})";

struct Checked {
  Tally tally;
  std::vector<std::string> notes;  // "LINE ID: MESSAGE" of all that did not pass
};

Checked Check(const std::string& text, const CheckOptions& options = {}) {
  std::istringstream lines(text);
  LibraryJudge judge;
  Checked checked;
  checked.tally = CheckLines(lines, judge, options, [&checked](const CheckedRecord& record) {
    if (record.result.outcome == Outcome::kPassed) return;
    checked.notes.push_back(std::to_string(record.line) + " " + record.id + ": " +
                            record.result.message);
  });
  return checked;
}

TEST(CheckLinesTest, CountsEveryRecordOnce) {
  const std::string good = kGood;
  const std::string bad = R"({"id": "bad", "variant": "xiangqi", "position": "startpos",)"
                          R"( "depth": 1, "nodes": 43})";
  const Checked checked = Check(good + "\n" + bad + "\n\n  \r\n" + good, {});
  EXPECT_EQ(checked.tally.passed, 2);
  EXPECT_EQ(checked.tally.failed, 1);
  EXPECT_EQ(checked.tally.skipped, 0);
  EXPECT_THAT(checked.notes, ElementsAre("2 bad: nodes: got 44, want 43"));
}

TEST(CheckLinesTest, SkippedRecordsAreCounted) {
  const Checked checked = Check(std::string(kGood) + "\n", {.max_perft_nodes = 1});
  EXPECT_EQ(checked.tally.records(), 1);
  EXPECT_EQ(checked.tally.skipped, 1);
}

TEST(CheckLinesTest, LinesThatAreNoJsonFailByTheirNumber) {
  const Checked checked =
      Check(std::string(kGood) + "\n{\"id\": \"cut\", \n{\"id\": \"\xFF\"}\nnonsense\n");
  EXPECT_EQ(checked.tally.passed, 1);
  EXPECT_THAT(checked.notes, ElementsAre("2 ?: the line is not JSON", "3 ?: the line is not JSON",
                                         "4 ?: the line is not JSON"));
}

TEST(CheckLinesTest, IdsOfAnyKindStayOnTheirLine) {
  const Checked checked = Check("{\"id\": 7}\n{\"id\": \"a\\nb\"}\n{}\n[]\n");
  EXPECT_THAT(
      checked.notes,
      ElementsAre("1 7: the record is of no known kind", "2 a\\nb: the record is of no known kind",
                  "3 ?: the record is of no known kind", "4 ?: malformed record: not an object"));
}

TEST(CheckLinesTest, DeepAndLongLinesAreOnlyMalformed) {
  const std::string deep(20'000, '[');
  const Checked checked = Check(deep + "\n" + std::string(100'000, 'x') + "\n");
  EXPECT_EQ(checked.tally.failed, 2);
}

// With any value in a field that is read, a record passes, fails or is skipped.
TEST(CheckLinesTest, OddValuesInAnyField) {
  const nlohmann::json odd = {nullptr, true,   -1,    1e300,
                              "",      "9z9z", {"x"}, nlohmann::json::object()};
  for (const char* file :
       {"shogi/games", "shogi/legality", "shogi/notation", "shogi/outcomes", "shogi/perft",
        "shogi/random_playouts_minishogi", "shogi/repetition_table", "xiangqi/games",
        "xiangqi/legality", "xiangqi/notation", "xiangqi/outcomes", "xiangqi/random_playouts"}) {
    std::ifstream vectors(std::string("tests/conformance/vectors/") + file + ".jsonl");
    std::string line;
    ASSERT_TRUE(std::getline(vectors, line)) << file;
    nlohmann::json record = nlohmann::json::parse(line);
    for (const char* remark : {"source", "checked_by", "disagree", "note", "sente", "gote", "date",
                               "red", "black", "event", "theme", "group", "kind", "winner"}) {
      record.erase(remark);
    }
    std::string changed;
    for (const auto& [field, value] : record.items()) {
      for (const nlohmann::json& other : odd) {
        nlohmann::json one = record;
        one[field] = other;
        changed += one.dump() + "\n";
      }
    }
    EXPECT_EQ(Check(changed).tally.records(), static_cast<int>(record.size() * odd.size()));
  }
}

TEST(CheckLinesTest, LinesCutOffAnywhere) {
  const std::string good = kGood;
  for (std::size_t length = 1; length < good.size(); ++length) {
    EXPECT_EQ(Check(good.substr(0, length)).tally.failed, 1) << length;
  }
}

}  // namespace
}  // namespace komadai::conformance
