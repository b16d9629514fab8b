// komadai-fuzz-seeds TARGET VECTORS DIRECTORY: writes the seeds of a fuzz target, one file each.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/seeds.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s TARGET VECTORS DIRECTORY\n", argv[0]);
    return 2;
  }
  const auto seeds = komadai::fuzz::SeedsOf(argv[1], argv[2]);
  const std::filesystem::path directory = argv[3];
  std::filesystem::create_directories(directory);
  int written = 0;
  for (const std::string& seed : seeds) {
    std::ofstream file(directory / std::to_string(written), std::ios::binary);
    file << seed;
    if (!file.flush()) break;
    ++written;
  }
  std::printf("%d seeds\n", written);
  return seeds.empty() || written != static_cast<int>(seeds.size()) ? 1 : 0;
}
