// Random games beside Fairy-Stockfish: at every ply both must know the same legal moves.
//
// The one known disagreement: Fairy-Stockfish lists a pawn drop that mates, and lets its search
// think it lost; by the rules of shogi and minishogi it is illegal. Each such move is verified.
//
// $KOMADAI_DIFFERENTIAL_GAMES games of each variant are played, from $KOMADAI_DIFFERENTIAL_SEED.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"
#include "libs/rules/shogi/kinds.h"
#include "tests/differential/oracle.h"

namespace komadai::differential {
namespace {

using rules::Move;
using rules::MoveList;
using rules::Position;
using rules::Variant;
using Texts = std::set<std::string>;

constexpr std::uint64_t kGames = 20;
constexpr std::uint64_t kSeed = 1;
constexpr int kMaxPlies = 200;

std::uint64_t NumberFrom(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Tally {
  std::uint64_t plies = 0;
  std::uint64_t moves = 0;
  std::uint64_t mating_pawn_drops = 0;
  std::uint64_t decided = 0;  // games that came to an end
};

Texts LegalMovesOf(const Position& position) {
  MoveList moves;
  position.LegalMoves(moves);
  Texts texts;
  for (const Move& move : moves) {
    texts.insert(notation::FormatPlainMove(position.variant(), move));
  }
  EXPECT_EQ(texts.size(), moves.size());
  return texts;
}

Texts Without(const Texts& all, const Texts& these) {
  Texts rest;
  std::ranges::set_difference(all, these, std::inserter(rest, rest.end()));
  return rest;
}

std::string Join(const Texts& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " ") + text;
  return out;
}

// The position behind a drop, put together by hand: Play would refuse an illegal one.
Result<Position> AfterDrop(const Position& position, Move drop) {
  rules::Setup setup = position.ToSetup();
  const rules::Side side = setup.side_to_move;
  setup.Put(drop.to, {drop.dropped, side});
  --setup.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(drop.dropped)];
  setup.side_to_move = rules::Opponent(side);
  return Position::From(setup);
}

// Three opinions: our refusal, our search for an answer, and the oracle's.
testing::AssertionResult IsMatingPawnDrop(Oracle& oracle, const Position& position,
                                          const std::string& text) {
  const auto move = notation::ParsePlainMove(position.variant(), text);
  if (!move || move->dropped != rules::shogi::kPawn) {
    return testing::AssertionFailure() << text << " is no pawn drop";
  }
  if (position.WhyIllegal(*move) != rules::Illegal::kUchifuzume) {
    return testing::AssertionFailure() << text << " is not refused as a mating pawn drop";
  }
  const auto after = AfterDrop(position, *move);
  if (!after || !after->InCheck() || after->HasLegalMove()) {
    return testing::AssertionFailure() << text << " does not mate";
  }
  const auto replies = oracle.LegalMovesAfter(position, text);
  if (!replies) return testing::AssertionFailure() << replies.error().ToString();
  if (!replies->empty()) {
    return testing::AssertionFailure() << text << " is answered by " << Join(*replies);
  }
  return testing::AssertionSuccess();
}

void ExpectSameMoves(Oracle& oracle, const Position& position, const Texts& theirs, Tally& tally) {
  const Texts ours = LegalMovesOf(position);
  ASSERT_EQ(Join(Without(ours, theirs)), "") << "legal for us alone";
  for (const std::string& move : Without(theirs, ours)) {
    ASSERT_TRUE(IsMatingPawnDrop(oracle, position, move)) << "legal for the oracle alone";
    ++tally.mating_pawn_drops;
  }
  ++tally.plies;
  tally.moves += ours.size();
}

// Every other game is a lively one, which looks for checks: that is where the rules are difficult.
Move Choose(const Position& position, const MoveList& moves, bool lively, Random& random) {
  constexpr int kTries = 12;
  for (int i = 0; lively && i < kTries; ++i) {
    const Move move = moves[random.Below(moves.size())];
    Position after = position;
    after.PlayUnchecked(move);
    if (after.InCheck()) return move;
  }
  return moves[random.Below(moves.size())];
}

Position ChooseStart(Variant variant, Random& random) {
  const auto handicaps = rules::HandicapsOf(variant);
  const bool even = random.Below(4) > 0;
  return *rules::StartPosition(variant, handicaps[even ? 0 : random.Below(handicaps.size())].id);
}

// Every position of a game.
std::vector<Position> PlayGame(Variant variant, bool lively, Random& random) {
  std::vector<Position> positions = {ChooseStart(variant, random)};
  while (static_cast<int>(positions.size()) <= kMaxPlies) {
    Position next = positions.back();
    MoveList moves;
    next.LegalMoves(moves);
    if (moves.empty()) break;
    next.PlayUnchecked(Choose(next, moves, lively, random));
    positions.push_back(next);
  }
  return positions;
}

void CompareGame(Oracle& oracle, const std::vector<Position>& positions, Tally& tally) {
  const auto theirs = oracle.LegalMoves(positions);
  ASSERT_TRUE(theirs) << theirs.error().ToString();
  for (std::size_t ply = 0; ply < positions.size(); ++ply) {
    SCOPED_TRACE("ply " + std::to_string(ply) + ": " + notation::FormatPosition(positions[ply]));
    ASSERT_NO_FATAL_FAILURE(ExpectSameMoves(oracle, positions[ply], (*theirs)[ply], tally));
  }
  if (!positions.back().HasLegalMove()) ++tally.decided;
}

class LegalMoves : public testing::TestWithParam<Variant> {};

TEST_P(LegalMoves, AreThoseOfFairyStockfishAtEveryPlyOfRandomGames) {
  const std::string program = Oracle::FindProgram();
  if (program.empty()) {
    GTEST_SKIP() << "fairy-stockfish is not installed: ./dev setup installs it";
  }
  const auto oracle = Oracle::Start(program, GetParam());
  ASSERT_TRUE(oracle) << oracle.error().ToString();

  const std::uint64_t games = NumberFrom("KOMADAI_DIFFERENTIAL_GAMES", kGames);
  const std::uint64_t seed = NumberFrom("KOMADAI_DIFFERENTIAL_SEED", kSeed);
  ASSERT_GT(games, 0U);
  Tally tally;
  for (std::uint64_t game = 0; game < games && !HasFatalFailure(); ++game) {
    // One game can be played again alone: its own number is its seed.
    SCOPED_TRACE("KOMADAI_DIFFERENTIAL_GAMES=1 KOMADAI_DIFFERENTIAL_SEED=" +
                 std::to_string(seed + game));
    SeededRandom random(seed + game);
    CompareGame(**oracle, PlayGame(GetParam(), (seed + game) % 2 == 0, random), tally);
  }
  std::cout << rules::VariantName(GetParam()) << ": games " << games << ", decided "
            << tally.decided << ", plies " << tally.plies << ", moves " << tally.moves
            << ", mating pawn drops " << tally.mating_pawn_drops << ", seed " << seed << "\n";
  EXPECT_GE(tally.plies, games);  // a game has at least its start position
}

INSTANTIATE_TEST_SUITE_P(Variants, LegalMoves, testing::ValuesIn(rules::kVariants),
                         [](const auto& suite) {
                           return std::string(rules::VariantName(suite.param));
                         });

}  // namespace
}  // namespace komadai::differential
