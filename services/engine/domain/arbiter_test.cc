#include "services/engine/domain/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace komadai::engine {
namespace {

using rules::Variant;

// The drop P*1b would be mate: the only rule that engines commonly do not know.
constexpr char kPawnDropMates[] = "7lk/7s1/9/7N1/9/9/9/9/K8 b P 1";

std::string ReasonOf(Variant variant, std::string_view position,
                     const std::vector<std::string>& moves = {}) {
  const Result<CheckedGame> checked = CheckGame(variant, position, moves);
  return checked ? "" : checked.error().reason();
}

CheckedGame Checked(Variant variant, std::string_view position,
                    const std::vector<std::string>& moves = {}) {
  Result<CheckedGame> checked = CheckGame(variant, position, moves);
  KOMADAI_CHECK(checked);
  return *std::move(checked);
}

SearchResult Answer(const std::string& move, std::vector<std::vector<std::string>> lines = {}) {
  SearchResult result;
  result.best = {BestMove::Kind::kMove, move};
  int rank = 0;
  for (auto& moves : lines) {
    Line line;
    line.rank = ++rank;
    line.moves = std::move(moves);
    result.lines.Add(std::move(line));
  }
  return result;
}

TEST(ArbiterTest, AGameIsPutInNormalForm) {
  const CheckedGame checked = Checked(Variant::kShogi, "", {"7g7f", "3c3d"});
  EXPECT_EQ(checked.game.position,
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
  EXPECT_EQ(checked.game.moves, (std::vector<std::string>{"7g7f", "3c3d"}));
  EXPECT_EQ(checked.game.side_to_move, rules::Side::kFirst);
}

TEST(ArbiterTest, UwateMovesFirstInAHandicapGame) {
  const CheckedGame checked =
      Checked(Variant::kShogi, "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(checked.game.side_to_move, rules::Side::kSecond);
}

TEST(ArbiterTest, NoEngineSeesAnImpossiblePosition) {
  EXPECT_EQ(ReasonOf(Variant::kShogi, "rubbish"), "INVALID_POSITION");
  EXPECT_EQ(ReasonOf(Variant::kShogi, "9/9/9/9/9/9/9/9/9 b - 1\nquit"), "INVALID_POSITION");
  EXPECT_EQ(ReasonOf(Variant::kShogi, "4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1"), "NIFU");
  EXPECT_EQ(ReasonOf(Variant::kXiangqi, "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), "GENERALS_FACING");
  EXPECT_FALSE(CheckGame(Variant::kShogi, "4k4/9/9/9/9/9/9/9/9 b - 1", {})) << "a king is missing";
}

TEST(ArbiterTest, IllegalMovesAreRefusedWithTheirRuleAndNumber) {
  const Result<CheckedGame> checked = CheckGame(Variant::kShogi, "", {"7g7f", "3c3d", "8h3b"});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(checked.error().metadata().at("move_number"), "3");
  EXPECT_EQ(ReasonOf(Variant::kShogi, "", {"7g7f\nquit"}), "INVALID_MOVE");
  EXPECT_EQ(ReasonOf(Variant::kShogi, "", std::vector<std::string>(2001, "7g7f")),
            "TOO_MANY_MOVES");
}

TEST(ArbiterTest, AFinishedGameHasNoLegalMove) {
  EXPECT_EQ(ReasonOf(Variant::kShogi, "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"), "NO_LEGAL_MOVE");
}

TEST(ArbiterTest, TheMatingPawnDropIsNeitherLegalNorListed) {
  const CheckedGame checked = Checked(Variant::kShogi, kPawnDropMates);
  EXPECT_FALSE(IsLegalMove(checked.position, "P*1b"));
  const std::vector<std::string> legal = LegalMovesOf(checked.position);
  EXPECT_EQ(std::count(legal.begin(), legal.end(), "P*1b"), 0);
  EXPECT_GT(std::count(legal.begin(), legal.end(), "P*5e"), 0);
}

TEST(ArbiterTest, AnIllegalBestMoveIsRefused) {
  const rules::Position position = Checked(Variant::kShogi, kPawnDropMates).position;
  EXPECT_EQ(Judge(position, Answer("P*1b")).kind, Decision::Kind::kRefused);
  EXPECT_EQ(Judge(position, Answer("9i8i")).kind, Decision::Kind::kMove);
  SearchResult none;
  EXPECT_EQ(Judge(position, none).kind, Decision::Kind::kRefused);
  SearchResult wins;
  wins.best.kind = BestMove::Kind::kDeclaresWin;
  EXPECT_EQ(Judge(position, wins).kind, Decision::Kind::kRefused);
  SearchResult resigns;
  resigns.best.kind = BestMove::Kind::kResigns;
  EXPECT_EQ(Judge(position, resigns).kind, Decision::Kind::kResigns);
}

TEST(ArbiterTest, LinesEndBeforeTheirFirstIllegalMove) {
  const rules::Position position = Checked(Variant::kShogi, "").position;
  const SearchResult result = Answer("7g7f", {{"7g7f", "3c3d", "8h3b", "3a3b"}});
  EXPECT_EQ(Judge(position, result).line.moves, (std::vector<std::string>{"7g7f", "3c3d"}));
}

TEST(ArbiterTest, TheLineOfAWeakerChoiceIsFound) {
  const rules::Position position = Checked(Variant::kShogi, "").position;
  const SearchResult result = Answer("2g2f", {{"7g7f"}, {"2g2f", "8c8d"}});
  EXPECT_EQ(Judge(position, result).line.rank, 2);
  EXPECT_EQ(Judge(position, Answer("9g9f", {{"7g7f"}})).line.moves,
            (std::vector<std::string>{"9g9f"}));
}

TEST(ArbiterTest, TheBestLegalLineHelpsOut) {
  const rules::Position position = Checked(Variant::kShogi, kPawnDropMates).position;
  const SearchResult result = Answer("P*1b", {{"P*1b"}, {"9i8i"}});
  EXPECT_EQ(JudgeByLines(position, result).line.moves, (std::vector<std::string>{"9i8i"}));
  EXPECT_EQ(JudgeByLines(position, Answer("P*1b", {{"P*1b"}})).kind, Decision::Kind::kRefused);
  EXPECT_EQ(LegalLines(position, result.lines, 5).size(), 1u);
}

TEST(ArbiterTest, NoMoreLinesThanWereAskedFor) {
  const rules::Position position = Checked(Variant::kShogi, "").position;
  const SearchResult result = Answer("7g7f", {{"7g7f"}, {"2g2f"}, {"5g5f"}});
  const std::vector<Line> lines = LegalLines(position, result.lines, 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].moves, (std::vector<std::string>{"2g2f"}));
}

}  // namespace
}  // namespace komadai::engine
