#include "cli/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/command_test.h"
#include "libs/testing/temp_dir.h"

namespace komadai::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kGood[] = R"({"id": "good", "variant": "xiangqi", "position": "startpos",)"
                         R"( "depth": 1, "nodes": 44})";
constexpr char kBad[] = R"({"id": "bad", "variant": "xiangqi", "position": "startpos",)"
                        R"( "depth": 1, "nodes": 43})";

class ConformanceCommandTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_.File(name)) << text;
    return dir_.File(name);
  }
  static Ran Run(const ConformanceOptions& options) { return RunCommand(RunConformance, options); }

  komadai::testing::TempDir dir_;
};

TEST_F(ConformanceCommandTest, PrintsFailuresAndTheTallyLast) {
  ConformanceOptions options;
  const std::string one = Write("one.jsonl", std::string(kGood) + "\n" + kBad + "\nnonsense\n");
  const std::string two = Write("two.jsonl", std::string(kGood) + "\n");
  options.files = {one, two};
  const Ran ran = Run(options);
  EXPECT_EQ(ran.status, kExitNo);
  EXPECT_EQ(ran.out, one + ":2 bad: nodes: got 44, want 43\n" + one +
                         ":3 ?: the line is not JSON\nconformance: 2 passed, 2 failed\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(ConformanceCommandTest, SkipsOnlyWhatItIsToldTo) {
  ConformanceOptions options;
  options.files = {Write("one.jsonl", std::string(kGood) + "\n")};
  EXPECT_EQ(Run(options).out, "conformance: 1 passed, 0 failed\n");
  options.max_perft_nodes = 43;
  const Ran ran = Run(options);
  EXPECT_EQ(ran.status, kExitOk);
  EXPECT_EQ(ran.out, "conformance: 0 passed, 0 failed, 1 skipped\n");
}

TEST_F(ConformanceCommandTest, AnEmptyFileIsRemarkedOn) {
  ConformanceOptions options;
  options.files = {Write("empty.jsonl", "\n")};
  const Ran ran = Run(options);
  EXPECT_EQ(ran.out, "conformance: 0 passed, 0 failed\n");
  EXPECT_THAT(ran.err, HasSubstr("holds no record"));
}

TEST_F(ConformanceCommandTest, UnreadableFilesAreFoundBeforeAnyIsChecked) {
  for (const std::string& path : {dir_.File("missing.jsonl"), dir_.path()}) {
    ConformanceOptions options;
    options.files = {Write("bad.jsonl", kBad), path};
    const Ran ran = Run(options);
    EXPECT_EQ(ran.status, kExitUsage);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith("komadai conformance: UNREADABLE_FILE: "));
  }
}

TEST_F(ConformanceCommandTest, ATargetMustBeAnAddress) {
  ConformanceOptions options;
  options.files = {Write("one.jsonl", kGood)};
  options.target = "somewhere";
  const Ran ran = Run(options);
  EXPECT_EQ(ran.status, kExitUsage);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("komadai conformance: BAD_TARGET: "));
}

}  // namespace
}  // namespace komadai::cli
