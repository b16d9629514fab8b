// The round trip of every legal move, in every notation, of the positions in the conformance
// vectors. (Their claims about single moves are checked by tests/conformance.)
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::notation {
namespace {

using nlohmann::json;
using rules::Kings;
using rules::Move;
using rules::Position;
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
  ASSERT_FALSE(records.empty()) << kVectors << file;
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
    const std::vector<json> records = Records(file);
    ASSERT_FALSE(records.empty()) << kVectors << file;
    for (const json& record : records) {
      ASSERT_NO_FATAL_FAILURE(ExpectRoundTrip(PositionOf(record), {}));
    }
  }
}

}  // namespace
}  // namespace komadai::notation
