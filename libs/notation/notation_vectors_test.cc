// Every vector of tests/conformance/vectors/*/notation.jsonl, both ways, and the round trip of
// every legal move of the positions met in the random games.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/usi.h"
#include "libs/notation/western.h"

namespace komadai::notation {
namespace {

using nlohmann::json;
using rules::Kings;
using rules::Move;
using rules::Position;
using rules::Square;
using rules::Variant;

const std::string kVectors = "tests/conformance/vectors/";

std::vector<json> Records(const std::string& file) {
  std::vector<json> records;
  std::ifstream in(kVectors + file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) records.push_back(json::parse(line));
  }
  return records;
}

Variant VariantOf(const json& record) {
  return *rules::FindVariant(record["variant"].get<std::string>());
}

Position PositionOf(const json& record) {
  return *ParsePosition(VariantOf(record), record["position"].get<std::string>(), Kings::kOptional);
}

std::string Read(const Position& position, const std::string& text, Notation notation,
                 const MoveContext& context) {
  const Result<Move> move = ParseMove(position, text, notation, context);
  return move ? FormatPlainMove(position.variant(), *move) : move.error().ToString();
}

TEST(ShogiNotationVectorsTest, AllBothWays) {
  const std::vector<json> records = Records("shogi/notation.jsonl");
  ASSERT_FALSE(records.empty());
  for (const json& record : records) {
    SCOPED_TRACE(record["id"].get<std::string>());
    const Position position = PositionOf(record);
    const std::string usi = record["move"].get<std::string>();
    const Move move = *ParsePlainMove(position.variant(), usi);
    MoveContext context;
    if (record["last_to"].is_string()) {
      const std::string last = record["last_to"].get<std::string>();
      context.previous_to = Square(last[0] - '1', last[1] - 'a');
    }
    for (const Notation notation :
         {Notation::kWestern, Notation::kJapanese, Notation::kKif, Notation::kCsa}) {
      const json::const_iterator expected = record.find(NameOf(notation));
      if (expected == record.end()) continue;
      EXPECT_EQ(*FormatMove(position, move, notation, context), *expected);
      EXPECT_EQ(Read(position, *expected, notation, context), usi);
    }
    if (record.contains("western_numeric")) {
      EXPECT_EQ(FormatWestern(position, move, WesternSquares::kDigits), record["western_numeric"]);
    }
    for (const char* field : {"western_numeric", "western_alt"}) {
      if (!record.contains(field)) continue;
      EXPECT_EQ(Read(position, record[field], Notation::kWestern, context), usi) << field;
    }
  }
}

TEST(XiangqiNotationVectorsTest, AllBothWays) {
  const std::vector<json> records = Records("xiangqi/notation.jsonl");
  ASSERT_FALSE(records.empty());
  MoveContext federation;
  federation.vietnamese = VietnameseLetters::kFederation;
  for (const json& record : records) {
    SCOPED_TRACE(record["id"].get<std::string>());
    const Position position = PositionOf(record);
    const std::string ucci = record["move"].get<std::string>();
    const Move move = *ParsePlainMove(position.variant(), ucci);
    for (const Notation notation : NotationsOf(position.variant())) {
      const json::const_iterator expected = record.find(NameOf(notation));
      if (expected == record.end()) continue;
      EXPECT_EQ(*FormatMove(position, move, notation), *expected);
      EXPECT_EQ(Read(position, *expected, notation, {}), ucci);
    }
    for (const auto& [name, texts] : record["alt"].items()) {
      for (const json& text : texts) {
        EXPECT_EQ(Read(position, text, *FindNotation(name), federation), ucci) << text;
      }
    }
  }
}

// Formatting and reading every legal move gives the move back; two moves never look alike.
void ExpectRoundTrip(const Position& position, const MoveContext& context) {
  rules::MoveList moves;
  position.LegalMoves(moves);
  for (const Move move : moves) {
    for (const Notation notation : NotationsOf(position.variant())) {
      const std::string text = *FormatMove(position, move, notation, context);
      const Result<Move> read = ParseMove(position, text, notation, context);
      ASSERT_TRUE(read) << FormatPosition(position) << " " << text << " "
                        << FormatPlainMove(position.variant(), move) << " "
                        << read.error().ToString();
      ASSERT_EQ(*read, move) << FormatPosition(position) << " " << text;
    }
  }
}

std::vector<std::string> MovesOf(const json& record) {
  if (record["moves"].is_array()) return record["moves"].get<std::vector<std::string>>();
  std::istringstream words(record["moves"].get<std::string>());
  return {std::istream_iterator<std::string>(words), {}};
}

// Of each game, one position in seven, beginning elsewhere in each.
void PlayThrough(const std::string& file) {
  const std::vector<json> records = Records(file);
  if (records.empty()) GTEST_SKIP() << "no " << kVectors << file;
  for (std::size_t game = 0; game < records.size(); ++game) {
    Position position = PositionOf(records[game]);
    MoveContext context;
    std::size_t ply = game;
    for (const std::string& text : MovesOf(records[game])) {
      if (ply++ % 7 == 0) {
        ASSERT_NO_FATAL_FAILURE(ExpectRoundTrip(position, context));
      }
      const Move move = *ParsePlainMove(position.variant(), text);
      position.Play(move);
      context.previous_to = move.to;
    }
  }
}

TEST(RoundTripTest, ShogiPlayouts) { PlayThrough("shogi/random_playouts_shogi.jsonl"); }
TEST(RoundTripTest, MinishogiPlayouts) { PlayThrough("shogi/random_playouts_minishogi.jsonl"); }
TEST(RoundTripTest, XiangqiPlayouts) { PlayThrough("xiangqi/random_playouts.jsonl"); }

TEST(RoundTripTest, NotationPositions) {
  for (const char* file : {"shogi/notation.jsonl", "xiangqi/notation.jsonl"}) {
    for (const json& record : Records(file)) {
      ASSERT_NO_FATAL_FAILURE(ExpectRoundTrip(PositionOf(record), {}));
    }
  }
}

}  // namespace
}  // namespace komadai::notation
