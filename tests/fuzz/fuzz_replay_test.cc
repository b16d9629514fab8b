// A fuzz target as an ordinary test: its seeds, and the inputs that once broke a promise.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/seeds.h"

namespace komadai::fuzz {
namespace {

void RunTarget(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(FuzzReplay, SeedsKeepThePromises) {
  const auto seeds = SeedsOf(KOMADAI_FUZZ_TARGET, "tests/conformance/vectors");
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) RunTarget(seed);
  RecordProperty("seeds", static_cast<int>(seeds.size()));
}

TEST(FuzzReplay, OldFindingsKeepThePromises) {
  RunTarget("");
  const std::filesystem::path folder = "tests/fuzz/findings/" KOMADAI_FUZZ_TARGET;
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    RunTarget(std::string(std::istreambuf_iterator<char>(file), {}));
  }
}

}  // namespace
}  // namespace komadai::fuzz
