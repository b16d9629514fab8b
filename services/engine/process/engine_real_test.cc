// The pool and the arbiter against the real Fairy-Stockfish. Searches are limited by depth or
// nodes, so nothing depends on how fast the machine is.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "services/engine/domain/arbiter.h"
#include "services/engine/domain/levels.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {
namespace {

using rules::Side;
using rules::Variant;
using Outcome = Result<SearchResult>;

std::string Program() {
  const char* program = std::getenv("KOMADAI_ENGINE_PROGRAM");
  return program != nullptr ? program : "/usr/games/fairy-stockfish";
}

class EngineRealTest : public ::testing::Test {
 protected:
  EngineRealTest() {
    PoolSettings settings;
    settings.processes_per_engine = 1;
    std::vector<EngineSpec> specs{FairyStockfish(Program())};
    pool_ = std::make_unique<EnginePool>(std::move(specs), settings, nullptr);
  }

  static CheckedGame Game(Variant variant, std::string_view position = "",
                          const std::vector<std::string>& moves = {}) {
    Result<CheckedGame> checked = CheckGame(variant, position, moves);
    KOMADAI_CHECK(checked);
    return *std::move(checked);
  }

  static SearchRequest Request(const CheckedGame& game, int depth) {
    SearchRequest request;
    request.game = game.game;
    request.limits.depth = depth;
    return request;
  }

  struct Started {
    EnginePool::SearchId id;
    std::future<Outcome> outcome;
  };
  Started Start(SearchRequest request, std::function<void(const Line&)> on_line = {}) {
    auto promise = std::make_shared<std::promise<Outcome>>();
    EnginePool::Job job;
    job.engine = "fairy-stockfish";
    job.request = std::move(request);
    job.on_line = std::move(on_line);
    job.on_done = [promise](Outcome outcome) { promise->set_value(std::move(outcome)); };
    std::future<Outcome> future = promise->get_future();
    return {pool_->Search(std::move(job)), std::move(future)};
  }
  static Outcome Get(std::future<Outcome> future) {
    if (future.wait_for(std::chrono::seconds(120)) != std::future_status::ready) {
      return Error{kInternal, "no answer at all"};
    }
    return future.get();
  }
  Decision Decide(const CheckedGame& game, SearchRequest request) {
    const Outcome outcome = Get(Start(std::move(request)).outcome);
    EXPECT_TRUE(outcome) << outcome.error().ToString();
    return outcome ? Judge(game.position, *outcome) : Decision{};
  }

  std::unique_ptr<EnginePool> pool_;
};

TEST_F(EngineRealTest, TheFirstMoveOfEveryVariantIsLegalInOneProcessAfterTheOther) {
  for (int round = 0; round < 2; ++round) {
    for (const Variant variant : rules::kVariants) {
      const CheckedGame game = Game(variant);
      const Decision decision = Decide(game, Request(game, 4));
      ASSERT_EQ(decision.kind, Decision::Kind::kMove) << rules::VariantName(variant);
      EXPECT_GE(decision.line.moves.size(), 2u) << "the line is legal too";
      EXPECT_NE(decision.line.score.kind, Score::Kind::kNone);
    }
  }
}

TEST_F(EngineRealTest, MovesAfterTheFirstAreUnderstoodInEveryVariant) {
  const std::pair<Variant, std::vector<std::string>> games[] = {
      {Variant::kShogi, {"7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"}},
      {Variant::kMinishogi, {"3e3d", "3a3b"}},
      {Variant::kXiangqi, {"h2e2", "h9g7", "h0g2", "i9h9", "b0c2"}},
  };
  for (const auto& [variant, moves] : games) {
    const CheckedGame game = Game(variant, "", moves);
    EXPECT_EQ(Decide(game, Request(game, 5)).kind, Decision::Kind::kMove)
        << rules::VariantName(variant);
  }
}

TEST_F(EngineRealTest, MateInOneIsFoundAndCountedInPlies) {
  const std::pair<Variant, const char*> problems[] = {
      {Variant::kShogi, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"},
      {Variant::kMinishogi, "2k2/5/2P2/5/2K2 b G 1"},
      {Variant::kXiangqi, "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 0 1"},
  };
  for (const auto& [variant, position] : problems) {
    const CheckedGame game = Game(variant, position);
    const Decision decision = Decide(game, Request(game, 5));
    ASSERT_EQ(decision.kind, Decision::Kind::kMove) << position;
    EXPECT_EQ(decision.line.score, (Score{Score::Kind::kMatePlies, 1})) << position;
    const Result<CheckedGame> after = CheckGame(variant, position, {decision.line.moves.front()});
    ASSERT_FALSE(after) << position;
    EXPECT_TRUE(after.error().Is(kNoLegalMove)) << after.error().ToString();
  }
}

TEST_F(EngineRealTest, TheMatingPawnDropIsNeverTheAnswer) {
  const CheckedGame game = Game(Variant::kShogi, "7lk/7s1/9/7N1/9/9/9/9/K8 b P 1");
  for (const int depth : {1, 3, 6}) {
    const Decision decision = Decide(game, Request(game, depth));
    ASSERT_EQ(decision.kind, Decision::Kind::kMove);
    EXPECT_NE(decision.line.moves.front(), "P*1b");
  }
}

TEST_F(EngineRealTest, OnlyMovesRestrictTheFirstMove) {
  for (const auto& [variant, move] :
       {std::pair{Variant::kShogi, "9g9f"}, std::pair{Variant::kXiangqi, "a0a1"}}) {
    const CheckedGame game = Game(variant);
    SearchRequest request = Request(game, 4);
    request.only_moves = {move};
    EXPECT_EQ(Decide(game, std::move(request)).line.moves.front(), move);
  }
}

TEST_F(EngineRealTest, SeveralLinesComeWithTheirRanks) {
  const CheckedGame game = Game(Variant::kShogi);
  SearchRequest request = Request(game, 5);
  request.line_count = 3;
  const Outcome outcome = Get(Start(std::move(request)).outcome);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(LegalLines(game.position, outcome->lines, 3).size(), 3u);
}

TEST_F(EngineRealTest, EveryLevelAnswersInEveryVariant) {
  for (const Variant variant : rules::kVariants) {
    for (const LevelSettings& settings : kLevels) {
      const CheckedGame game = Game(variant);
      SearchRequest request;
      request.game = game.game;
      request.limits = LimitsOf(settings);
      request.limits.time = Millis(200);
      request.skill = settings.skill;
      EXPECT_EQ(Decide(game, std::move(request)).kind, Decision::Kind::kMove);
    }
  }
}

// Depth 64 would take hours: only the clock can end this search, and it must be the mover's own.
TEST_F(EngineRealTest, TheMoversOwnClockEndsTheSearch) {
  for (const Variant variant : rules::kVariants) {
    for (const Side mover : {Side::kFirst, Side::kSecond}) {
      const std::vector<std::string> first_move{variant == Variant::kShogi       ? "7g7f"
                                                : variant == Variant::kMinishogi ? "3e3d"
                                                                                 : "h2e2"};
      const CheckedGame game =
          Game(variant, "", mover == Side::kFirst ? std::vector<std::string>{} : first_move);
      SearchRequest request;
      request.game = game.game;
      Clocks clocks;
      clocks[static_cast<std::size_t>(rules::Index(mover))].main_left = Millis(400);
      clocks[static_cast<std::size_t>(rules::Index(Opponent(mover)))].main_left =
          Millis(36'000'000);
      request.clocks = clocks;
      EXPECT_EQ(Decide(game, std::move(request)).kind, Decision::Kind::kMove);
    }
  }
}

TEST_F(EngineRealTest, AKilledProcessIsReplacedAndTheSearchFinished) {
  const CheckedGame game = Game(Variant::kShogi);
  std::promise<void> searching;
  std::atomic<bool> told{false};
  SearchRequest request;
  request.game = game.game;
  request.limits.time = Millis(2'000);
  Started search = Start(std::move(request), [&](const Line&) {
    if (!told.exchange(true)) searching.set_value();
  });
  searching.get_future().wait();
  kill(pool_->Engines().at(0).pids.at(0), SIGKILL);
  EXPECT_TRUE(Get(std::move(search.outcome)));
  EXPECT_EQ(Decide(game, Request(game, 3)).kind, Decision::Kind::kMove) << "the next call works";
}

TEST_F(EngineRealTest, ACancelledAnalysisFreesItsProcess) {
  const CheckedGame game = Game(Variant::kShogi);
  Started endless = Start(Request(game, 64));
  pool_->Cancel(endless.id);
  EXPECT_TRUE(Get(std::move(endless.outcome)).error().Is(kSearchCancelled));
  EXPECT_EQ(Decide(game, Request(game, 3)).kind, Decision::Kind::kMove);
}

TEST_F(EngineRealTest, AWholeGameAgainstItselfHasOnlyLegalMoves) {
  for (const Variant variant : rules::kVariants) {
    std::vector<std::string> moves;
    for (int ply = 0; ply < 60; ++ply) {
      const Result<CheckedGame> game = CheckGame(variant, "", moves);
      if (!game) {
        EXPECT_TRUE(game.error().Is(kNoLegalMove)) << game.error().ToString();
        break;
      }
      SearchRequest request;
      request.game = game->game;
      request.limits.nodes = 300;
      request.skill = -8;
      Decision decision = Decide(*game, request);
      if (decision.kind == Decision::Kind::kRefused) {  // weak play picks the pawn drop that mates
        request.only_moves = LegalMovesOf(game->position);
        decision = Decide(*game, request);
      }
      if (decision.kind == Decision::Kind::kResigns) break;
      ASSERT_EQ(decision.kind, Decision::Kind::kMove);
      moves.push_back(decision.line.moves.front());
    }
    EXPECT_GT(moves.size(), 10u);
  }
}

}  // namespace
}  // namespace komadai::engine
