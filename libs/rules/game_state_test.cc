#include "libs/rules/game_state.h"

#include "libs/base/random.h"
#include "libs/rules/handicap.h"
#include "libs/rules/history.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

Ruleset With(Ruleset ruleset, std::vector<std::pair<std::string, std::string>> options) {
  auto custom = Customize(ruleset, options);
  EXPECT_TRUE(custom);
  return *custom;
}

TEST(GameState, MateEndsTheGameAndNothingIsPlayedAfterwards) {
  GameState state = StartFrom(Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"));
  PlayAll(state, "G*5b");
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kCheckmate, Side::kFirst}));
  EXPECT_EQ(state.Play(MoveOf(Variant::kShogi, "5a4a")).error().reason(), "GAME_OVER");
}

TEST(GameState, APositionMayBeOverAtTheStart) {
  EXPECT_EQ(StartFrom(Shogi("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")).verdict(),
            (Verdict{Ending::kCheckmate, Side::kFirst}));
}

TEST(GameState, NoLegalMoveLosesWithoutCheckToo) {
  GameState state = StartFrom(Xiangqi("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1"));
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kNoLegalMove, Side::kFirst}));
}

TEST(GameState, AnIllegalMoveIsRefusedAndChangesNothing) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  const std::string before = state.history();
  EXPECT_EQ(state.Play(MoveOf(Variant::kShogi, "7g7e")).error().reason(), "BAD_GEOMETRY");
  EXPECT_EQ(state.history(), before);
  EXPECT_FALSE(state.verdict().over());
}

// The move is legal, but judging it walks back over a history that somebody has damaged.
TEST(GameState, AMoveThatCannotBeJudgedChangesNothing) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state, "7g7f 3c3d 2g2f");
  const Move move = MoveOf(Variant::kShogi, "8c8d");
  GameState played = state;
  ASSERT_TRUE(played.Play(move));
  std::string damaged = state.history();
  damaged.replace(4, 4, played.LastEntry().substr(0, 4));  // the start seems to come again
  damaged.replace(kHeaderBytes + 4, 2, "\xff\xff");        // no such move
  auto resumed = GameState::Resume(state.ruleset(), state.position(), damaged);
  ASSERT_TRUE(resumed) << resumed.error().ToString();
  const Status refused = resumed->Play(move);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "BAD_HISTORY");
  EXPECT_TRUE(resumed->position() == state.position());
  EXPECT_EQ(resumed->position().move_number(), state.position().move_number());
  EXPECT_EQ(resumed->history(), damaged);
  EXPECT_EQ(resumed->ply(), 3);
  EXPECT_FALSE(resumed->verdict().over());
}

TEST(GameState, AnIllegalMoveLosesWhereTheRulesetSaysSo) {
  GameState state = StartFrom(StartPosition(Variant::kShogi), "professional");
  EXPECT_FALSE(state.Play(MoveOf(Variant::kShogi, "7g7e")));
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kIllegalMove, Side::kSecond}));
}

TEST(GameState, PlyLimitDrawsUnlessBothKingsEntered) {
  GameState draw = StartFrom(StartPosition(Variant::kShogi), "standard", 398);
  PlayAll(draw, "7g7f");
  EXPECT_FALSE(draw.verdict().over());
  PlayAll(draw, "3c3d");
  EXPECT_EQ(draw.verdict().ending, Ending::kPlyLimitDraw);

  GameState counted =
      StartFrom(Shogi("4K4/9/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L18P 1"), "standard", 399);
  PlayAll(counted, "5a4a");
  EXPECT_EQ(counted.verdict(), (Verdict{Ending::kPlyLimitPoints, Side::kFirst}));
}

TEST(GameState, MateOnTheLastPlyBeatsThePlyLimit) {
  GameState state = StartFrom(Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), "standard", 399);
  PlayAll(state, "G*5b");
  EXPECT_EQ(state.verdict().ending, Ending::kCheckmate);
}

TEST(GameState, RepetitionOnTheLastPlyBeatsThePlyLimit) {
  GameState state = StartFrom(StartPosition(Variant::kShogi), "standard", 388);
  PlayAll(state, "2h3h 8b7b 3h2h 7b8b", 3);
  EXPECT_EQ(state.verdict().ending, Ending::kRepetitionDraw);
}

// Neither a check to be answered nor one about to be given postpones the limit.
TEST(GameState, PlyLimitIsReachedInCheckToo) {
  GameState state = StartFrom(Shogi("4k4/9/9/9/9/9/9/9/4K3R b - 1"), "standard", 399);
  PlayAll(state, "1i1a");
  EXPECT_TRUE(state.position().InCheck());
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kPlyLimitDraw, std::nullopt}));
}

TEST(GameState, PlyLimitOfOneKingEnteredIsADraw) {
  GameState state = StartFrom(Shogi("4K4/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L18P 1"), "standard", 399);
  PlayAll(state, "5a4a");
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kPlyLimitDraw, std::nullopt}));
}

TEST(GameState, XiangqiCountsPliesWithoutACapture) {
  GameState state = StartFrom(Xiangqi("4ka3/9/9/9/9/9/9/9/4A4/R3K4 w - - 118 80"));
  PlayAll(state, "a0a1");
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "f9e8");
  EXPECT_EQ(state.verdict().ending, Ending::kNoCaptureDraw);
}

TEST(GameState, XiangqiCountsSoldierMovesAndChecksToo) {
  GameState state = StartFrom(Xiangqi("3k5/9/9/9/9/9/P8/9/9/R3K4 w - - 119 80"));
  PlayAll(state, "a3a4");
  EXPECT_EQ(state.verdict().ending, Ending::kNoCaptureDraw);
}

TEST(GameState, XiangqiRepetitionGoesBeforeTheCount) {
  GameState state = StartFrom(Xiangqi("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 112 1"));
  PlayAll(state, "h0i0 i9h7 i0h0 h7i9", 2);
  EXPECT_EQ(state.verdict().ending, Ending::kPerpetualChase);
}

TEST(GameState, XiangqiDrawsWhenNothingCanMateAnyMore) {
  EXPECT_EQ(StartFrom(Xiangqi("4k4/4a4/9/9/9/9/9/9/4A4/3K5 w - - 0 1")).verdict().ending,
            Ending::kInsufficientMaterial);
  EXPECT_FALSE(StartFrom(Xiangqi("4k4/9/9/9/9/9/9/9/9/p2K5 w - - 0 1")).verdict().over());
}

TEST(GameState, CustomOptionsChangeTheJudging) {
  const auto rules = FindRuleset(Variant::kShogi, "csa27");
  auto state = GameState::Start(With(*rules, {{"ply_limit", "2"}}), StartPosition(Variant::kShogi));
  ASSERT_TRUE(state);
  PlayAll(*state, "7g7f 3c3d");
  EXPECT_EQ(state->verdict().ending, Ending::kPlyLimitDraw);
}

TEST(GameState, RulesetAndPositionMustBeOfOneGame) {
  const auto rules = FindRuleset(Variant::kXiangqi, "");
  EXPECT_EQ(GameState::Start(*rules, StartPosition(Variant::kShogi)).error().reason(),
            "WRONG_VARIANT");
}

TEST(GameState, DeclaringIsRefusedWithTheConditionsThatFail) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  const auto refused = state.DeclareImpasse(ImpasseAsk::kDeclare, Side::kFirst);
  EXPECT_EQ(refused.error().reason(), "IMPASSE_REFUSED");
  EXPECT_EQ(refused.error().metadata().at("failures"),
            "KING_NOT_IN_ZONE,OPPONENT_KING_NOT_IN_ZONE");
  EXPECT_FALSE(state.verdict().over());
}

TEST(History, ContinuesAGameFromPositionAndBytes) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  std::string stored = state.history();
  for (const char* move : {"2h3h", "8b7b", "3h2h", "7b8b"}) {
    auto resumed = GameState::Resume(state.ruleset(), state.position(), stored);
    ASSERT_TRUE(resumed);
    PlayAll(*resumed, move);
    stored += resumed->LastEntry();
    state = *resumed;
  }
  EXPECT_EQ(state.history(), stored);
  EXPECT_EQ(state.Repetition().occurrences, 2);
  EXPECT_EQ(*state.MoveAt(2), MoveOf(Variant::kShogi, "3h2h"));
  EXPECT_EQ(stored.size(), kHeaderBytes + 4 * kEntryBytes);
}

TEST(History, RemembersThatTheGameIsOver) {
  GameState state = StartFrom(Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"));
  PlayAll(state, "G*5b");
  const auto resumed = GameState::Resume(state.ruleset(), state.position(), state.history());
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->verdict(), state.verdict());
}

TEST(History, TakesMovesBack) {
  const Position start = *StartPosition(Variant::kShogi, "4_piece");
  GameState state = StartFrom(start);
  PlayAll(state, "5a4b 7g7f 4b3b 2g2f");
  ASSERT_TRUE(state.TakeBack(3));
  EXPECT_EQ(state.ply(), 1);
  ASSERT_TRUE(state.TakeBack(1));
  EXPECT_TRUE(state.position() == start);
  EXPECT_EQ(state.position().move_number(), start.move_number());
  EXPECT_EQ(state.TakeBack(1).error().reason(), "NO_SUCH_PLY");
}

TEST(History, TakingBackACaptureRestoresTheQuietCount) {
  GameState state = StartFrom(Xiangqi("4k4/r8/9/9/9/9/9/9/9/R4K3 w - - 7 9"));
  PlayAll(state, "a0a1 e9d9 a1a8");
  EXPECT_EQ(state.position().quiet_plies(), 0);
  ASSERT_TRUE(state.TakeBack(1));
  EXPECT_EQ(state.position().quiet_plies(), 9);
  EXPECT_EQ(state.position().at(Square(0, 8)).side, Side::kSecond);
}

TEST(History, OfAnotherPositionOrGameIsRefused) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state, "7g7f 3c3d");
  const auto resume = [&](const Position& position, const std::string& bytes) {
    const auto rules = FindRuleset(position.variant(), "");
    const auto resumed = GameState::Resume(*rules, position, bytes);
    return resumed ? "" : resumed.error().reason();
  };
  EXPECT_EQ(resume(state.position(), state.history()), "");
  EXPECT_EQ(resume(StartPosition(Variant::kShogi), state.history()), "BAD_HISTORY");
  EXPECT_EQ(resume(StartPosition(Variant::kXiangqi), state.history()), "BAD_HISTORY");
  EXPECT_EQ(resume(state.position(), ""), "BAD_HISTORY");
  EXPECT_EQ(resume(state.position(), state.history().substr(0, 20)), "BAD_HISTORY");
}

// For any bytes, every call ends with a value or a typed error.
TEST(History, HostileBytesNeverDoHarm) {
  SeededRandom random(7);
  for (const Variant variant : kVariants) {
    GameState state = StartFrom(StartPosition(variant));
    while (state.ply() < 40 && !state.verdict().over()) {
      MoveList moves;
      state.position().LegalMoves(moves);
      ASSERT_TRUE(state.Play(moves[random.Below(moves.size())]));
    }
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = state.history();
      for (std::uint64_t flips = 1 + random.Below(6); flips > 0; --flips) {
        bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
      }
      // Make the scan walk back: pretend that the position occurred before.
      const std::size_t ply = 2 * random.Below(15);
      for (std::size_t i = 0; i < 4; ++i) {
        bytes[kHeaderBytes + ply * kEntryBytes + i] = bytes[bytes.size() - kEntryBytes + i];
      }
      auto resumed = GameState::Resume(state.ruleset(), state.position(), bytes);
      if (!resumed) continue;
      (void)resumed->Repetition();
      (void)resumed->MoveAt(static_cast<int>(random.Below(50)));
      (void)resumed->Impasse(ImpasseAsk::kDeclare, Side::kFirst);
      MoveList moves;
      resumed->position().LegalMoves(moves);
      if (!moves.empty()) (void)resumed->Play(moves[0]);
      if (resumed->TakeBack(static_cast<int>(random.Below(40)))) {
        EXPECT_TRUE(Position::From(resumed->position().ToSetup(), Kings::kOptional));
      }
    }
  }
}

}  // namespace
}  // namespace komadai::rules
