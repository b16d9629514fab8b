// Real and hostile record files of a corpus that is not part of the repository: read from
// $KOMADAI_SHARED_DIR/kifu (default: ../shared beside the checkout), skipped where it is missing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/record_file.h"

namespace komadai::notation {
namespace {

using nlohmann::json;

std::string Folder() {
  const char* shared = std::getenv("KOMADAI_SHARED_DIR");
  return std::string(shared != nullptr ? shared : "../shared") + "/kifu/";
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

int LinesIn(const std::vector<Variation>& variations) {
  int count = 0;
  for (const Variation& variation : variations) count += 1 + LinesIn(variation.variations);
  return count;
}

bool Supported(const json& entry) {
  const std::string format = entry["format"];
  return format == "usi" || format == "sfen" || format == "csa" || format == "kif" ||
         format == "ucci" || format == "ki2" || format == "pgn";
}

// What the corpus calls readable with a warning although it cannot be a position.
bool ImpossiblePosition(const Error& error) {
  return error.reason() == "TWO_KINGS" || error.reason() == "TOO_MANY_PIECES" ||
         error.reason() == "NIFU" || error.reason() == "DEAD_PIECE" ||
         error.reason() == "RECORD_TOO_LARGE";
}

void CheckGame(const json& entry, const RecordFile& file) {
  const GameRecord& game = file.games.front();
  if (entry.contains("start_position") && entry["start_position"].is_string()) {
    const std::string expected = entry["start_position"];
    const rules::Position start = *ParsePosition(game.variant(), expected, rules::Kings::kOptional);
    EXPECT_TRUE(start == game.start) << FormatPosition(game.start) << " not " << expected;
  }
  if (entry.contains("moves")) {
    const json& moves = entry["moves"];
    // A game lost by an illegal move: the corpus lists it, a record of legal moves cannot.
    const bool illegal_end = game.result.word == "反則";
    EXPECT_EQ(game.moves.size() + (illegal_end ? 1 : 0), moves.size());
    for (std::size_t i = 0; i < std::min(game.moves.size(), moves.size()); ++i) {
      EXPECT_EQ(FormatPlainMove(game.variant(), game.moves[i].move), moves[i]) << "move " << i + 1;
    }
  }
  const bool countable = entry.contains("variations") && entry["variations"] < 100;
  if (countable) {
    EXPECT_EQ(LinesIn(game.variations), entry["variations"]);
  }
  for (std::size_t i = 0; entry.contains("times_s") && i < game.moves.size(); ++i) {
    const json& seconds = entry["times_s"][i];
    if (!seconds.is_number() || !game.moves[i].used) continue;
    EXPECT_EQ(game.moves[i].used->count(), std::llround(seconds.get<double>() * 1000));
  }
}

TEST(CorpusTest, EveryFileOfASupportedFormat) {
  std::ifstream index(Folder() + "index.jsonl");
  if (!index) GTEST_SKIP() << "no corpus of record files in " << Folder();
  int read = 0;
  for (std::string line; std::getline(index, line);) {
    const json entry = json::parse(line);
    // Big5 is no encoding we read; UCI dialects that count ranks from 1 are not guessed at.
    const std::string encoding = entry.value("encoding", "");
    if (!Supported(entry) || encoding == "big5") continue;
    SCOPED_TRACE(entry["file"].get<std::string>());
    ReadOptions options;
    options.variant = *rules::FindVariant(entry["variant"].get<std::string>());
    const Result<RecordFile> file =
        ReadRecordFile(Contents(Folder() + entry["file"].get<std::string>()), options);
    ++read;
    if (entry.value("hostile", false)) continue;  // it is enough to come back
    if (entry["valid"] == false) {
      EXPECT_FALSE(file);
      const bool has_line =
          !file && entry["error"]["line"].is_number() && file.error().metadata().contains("line");
      if (has_line) {
        EXPECT_EQ(file.error().metadata().at("line"),
                  std::to_string(entry["error"]["line"].get<int>()))
            << file.error().ToString();
      }
      continue;
    }
    if (!file && (entry.value("optional", false) || entry["format"] == "ucci" ||
                  ImpossiblePosition(file.error())))
      continue;
    EXPECT_TRUE(file) << file.error().ToString();
    if (file) CheckGame(entry, *file);
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace komadai::notation
