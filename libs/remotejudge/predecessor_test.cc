#include "libs/remotejudge/predecessor.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::remotejudge {
namespace {

using rules::Position;
using rules::Square;
using rules::Variant;

Position Shogi(const std::string& sfen) {
  return *notation::ParsePosition(Variant::kShogi, sfen, rules::Kings::kOptional);
}

// The move found, which was checked to lead there; "none" if there is none.
std::string MoveTo(const std::string& sfen, Square to) {
  const Position position = Shogi(sfen);
  const std::optional<Predecessor> found = FindPredecessor(position, to);
  if (!found) return "none";
  Position next = found->position;
  next.Play(found->move);
  EXPECT_TRUE(next == position) << notation::FormatPosition(next);
  return notation::FormatPlainMove(Variant::kShogi, found->move);
}

TEST(PredecessorTest, APieceWalksBack) {
  EXPECT_EQ(MoveTo("8k/9/9/9/4p4/4P4/9/9/K8 b - 1", Square(4, 4)), "5d5e");
}

TEST(PredecessorTest, APromotedPieceMayHavePromotedThere) {
  // Nothing but a lance can have come between the golds and knights.
  EXPECT_EQ(MoveTo("k8/9/9/9/9/9/3g1g3/3g1g3/K2+n+l+n3 b - 1", Square(4, 8)), "5a5i+");
  EXPECT_EQ(MoveTo("k8/9/9/9/9/9/9/3gpg3/K2+n+l+n3 b - 1", Square(4, 8)), "none");
}

TEST(PredecessorTest, APieceThatCannotHaveWalkedWasDropped) {
  EXPECT_EQ(MoveTo("8k/9/9/4g4/4p4/4P4/9/9/K8 b - 1", Square(4, 4)), "P*5e");
}

TEST(PredecessorTest, OwnPiecesAndEmptySquaresAreNoTargetsOfTheOpponent) {
  EXPECT_EQ(MoveTo("8k/9/9/9/4p4/4P4/9/9/K8 b - 1", Square(4, 5)), "none");
  EXPECT_EQ(MoveTo("8k/9/9/9/4p4/4P4/9/9/K8 b - 1", Square(0, 4)), "none");
}

// No vector about 同 needs to be answered by the library instead of the service.
TEST(PredecessorTest, EveryVectorHasOne) {
  std::ifstream vectors("tests/conformance/vectors/shogi/notation.jsonl");
  int found = 0;
  for (std::string line; std::getline(vectors, line);) {
    const nlohmann::json record = nlohmann::json::parse(line);
    if (!record["last_to"].is_string()) continue;
    const std::string to = record["last_to"];
    EXPECT_NE(MoveTo(record["position"], Square(to[0] - '1', to[1] - 'a')), "none") << record["id"];
    ++found;
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace komadai::remotejudge
