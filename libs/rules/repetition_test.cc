#include "libs/rules/repetition.h"

#include "libs/rules/handicap.h"
#include "libs/rules/history.h"
#include "libs/rules/positions_test.h"

namespace komadai::rules {
namespace {

constexpr char kRookShuffle[] = "2h3h 8b7b 3h2h 7b8b";

Verdict After(GameState state, std::string_view moves, int times = 1) {
  PlayAll(state, moves, times);
  return state.verdict();
}

TEST(Sennichite, FourthOccurrenceDrawsAndTheStartCounts) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state, kRookShuffle, 2);
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "2h3h 8b7b 3h2h");
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "7b8b");
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kRepetitionDraw, std::nullopt}));
  EXPECT_EQ(state.ply(), 12);
}

TEST(Sennichite, NeedNotGoBackToTheStart) {
  GameState state = StartFrom(StartPosition(Variant::kShogi));
  PlayAll(state, "5i4h 5a5b 4h5h 5b5a 5h5i");
  PlayAll(state, "8b7b 2h3h 7b8b 3h2h", 3);
  EXPECT_EQ(state.verdict().ending, Ending::kRepetitionDraw);
  EXPECT_EQ(state.ply(), 17);
}

TEST(Sennichite, TellsHandsApart) {
  // Sente drops a pawn, Gote takes it and goes back: the same board, but the pawn changed hands.
  GameState state = StartFrom(Shogi("4k3r/9/9/9/9/9/9/9/4K4 b P 1"));
  PlayAll(state, "P*1c 1a1c 5i5h 1c1b 5h5i 1b1a");
  EXPECT_TRUE(state.position() == Shogi("4k3r/9/9/9/9/9/9/9/4K4 b p 1"));
  EXPECT_EQ(state.Repetition().occurrences, 1);
}

TEST(Sennichite, TellsTheSideToMoveApart) {
  // The rook loses a move: the same board comes back with the other side to move.
  GameState state = StartFrom(Shogi("4k4/9/9/9/9/9/9/9/R3K4 b - 1"));
  PlayAll(state, "9i8i 5a4a 8i7i 4a5a 7i9i");
  EXPECT_TRUE(state.position() == Shogi("4k4/9/9/9/9/9/9/9/R3K4 w - 1"));
  EXPECT_EQ(state.Repetition().occurrences, 1);
}

// Every position before the last one with the same side to move gets the key of `last`, as if all
// the keys had collided.
std::string WithCollidingKeys(std::string history, const GameState& last) {
  const std::size_t key_bytes = 4;
  const std::string key = std::string(last.LastEntry().substr(0, key_bytes));
  history.replace(4, key_bytes, key);  // the header: the start position
  for (int ply = 2; ply < last.ply(); ply += 2) {
    const std::size_t entry = kHeaderBytes + kEntryBytes * static_cast<std::size_t>(ply - 1);
    history.replace(entry, key_bytes, key);
  }
  return history;
}

TEST(Sennichite, ComparesWholePositionsAndNotOnlyTheirKeys) {
  for (const Variant variant : {Variant::kShogi, Variant::kXiangqi}) {
    GameState state = StartFrom(StartPosition(variant));
    PlayAll(state, variant == Variant::kShogi ? "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h"
                                              : "a3a4 a6a5 c3c4 c6c5 e3e4 e6e5 g3g4");
    const Move last = MoveOf(variant, variant == Variant::kShogi ? "4a3b" : "g6g5");
    GameState played = state;
    ASSERT_TRUE(played.Play(last));
    auto colliding = GameState::Resume(state.ruleset(), state.position(),
                                       WithCollidingKeys(state.history(), played));
    ASSERT_TRUE(colliding) << colliding.error().ToString();
    ASSERT_TRUE(colliding->Play(last));
    EXPECT_FALSE(colliding->verdict().over());
    EXPECT_EQ(colliding->Repetition().occurrences, 1);
  }
}

TEST(PerpetualCheck, LosesForTheChecker) {
  const Verdict verdict =
      After(StartFrom(Shogi("k2K5/2R6/9/9/9/9/9/9/9 b - 1")), "7b7a 9a9b 7a7b 9b9a", 3);
  EXPECT_EQ(verdict, (Verdict{Ending::kPerpetualCheck, Side::kSecond}));
}

TEST(PerpetualCheck, LosesAlsoWhenTheCycleClosesOnACheck) {
  GameState state = StartFrom(Shogi("9/6k2/9/9/9/9/9/6R2/K8 w - 1"));
  PlayAll(state, "3b4b 3h4h 4b3b 4h3h", 3);
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kPerpetualCheck, Side::kSecond}));
}

TEST(PerpetualCheck, IsNoneWithOneQuietMoveInTheWindow) {
  const Verdict verdict = After(StartFrom(Shogi("k2K5/2R6/9/9/9/9/9/9/9 b - 1")),
                                "7b7a 9a9b 7a7b 9b9a 7b7a 9a9b 7a7d 9b9a 7d7a 9a9b 7a7b 9b9a 7b7a");
  EXPECT_EQ(verdict, (Verdict{Ending::kRepetitionDraw, std::nullopt}));
}

TEST(PerpetualCheck, OfBothSidesIsADraw) {
  const auto rules = FindRuleset(Variant::kShogi, "standard");
  EXPECT_EQ(JudgeRepetition({Offence::kCheck, Offence::kCheck}, *rules).ending,
            Ending::kRepetitionDraw);
}

TEST(MinishogiRepetition, LosesForSente) {
  const Verdict verdict =
      After(StartFrom(StartPosition(Variant::kMinishogi)), "4e4d 2a2b 4d4e 2b2a", 3);
  EXPECT_EQ(verdict, (Verdict{Ending::kRepetitionLoss, Side::kSecond}));
}

TEST(MinishogiRepetition, LosesForSenteInHandicapGamesToo) {
  const Verdict verdict =
      After(StartFrom(*StartPosition(Variant::kMinishogi, "bishop")), "5a4a 4e4d 4a5a 4d4e", 3);
  EXPECT_EQ(verdict, (Verdict{Ending::kRepetitionLoss, Side::kSecond}));
}

TEST(RepetitionWarning, TellsWhatOneMoreWouldMean) {
  GameState state = StartFrom(Shogi("k2K5/2R6/9/9/9/9/9/9/9 b - 1"));
  EXPECT_EQ(state.Repetition().occurrences, 1);
  EXPECT_FALSE(state.Repetition().if_repeated.over());
  PlayAll(state, "7b7a 9a9b 7a7b 9b9a", 2);
  const RepetitionInfo info = state.Repetition();
  EXPECT_EQ(info.occurrences, 3);
  EXPECT_EQ(info.limit, 4);
  EXPECT_EQ(info.if_repeated, (Verdict{Ending::kPerpetualCheck, Side::kSecond}));
}

TEST(XiangqiRepetition, ThirdOccurrenceDraws) {
  GameState state = StartFrom(StartPosition(Variant::kXiangqi));
  PlayAll(state, "h2e2 h7e7 e2h2 e7h7");
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "h2e2 h7e7 e2h2");
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "e7h7");
  EXPECT_EQ(state.verdict(), (Verdict{Ending::kRepetitionDraw, std::nullopt}));
}

TEST(XiangqiRepetition, PerpetualCheckLoses) {
  const Verdict verdict =
      After(StartFrom(Xiangqi("4k4/8R/9/9/9/9/9/9/9/rrEA1K3 w - - 0 1")), "i8i9 e9e8 i9i8 e8e9", 2);
  EXPECT_EQ(verdict, (Verdict{Ending::kPerpetualCheck, Side::kSecond}));
}

TEST(XiangqiRepetition, PerpetualChaseOfAnUnprotectedPieceLoses) {
  const Verdict verdict =
      After(StartFrom(Xiangqi("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1")), "h0i0 i9h7 i0h0 h7i9", 2);
  EXPECT_EQ(verdict, (Verdict{Ending::kPerpetualChase, Side::kSecond}));
}

// Black unpins its horse with one move and pins the cannon's protector with the other.
TEST(XiangqiRepetition, UnpinningAndPinningAreChasesToo) {
  const Verdict verdict = After(StartFrom(Xiangqi("4k4/9/9/9/4n4/9/5C3/9/4N4/4K4 w - - 0 1")),
                                "e1g0 e9f9 g0e1 f9e9", 2);
  EXPECT_EQ(verdict, (Verdict{Ending::kPerpetualChase, Side::kFirst}));
}

// The third occurrence ends the game by itself; until it arises the chaser may still deviate.
TEST(XiangqiRepetition, MayBeAvoidedUpToTheLastMove) {
  GameState state = StartFrom(Xiangqi("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1"));
  PlayAll(state, "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7");
  EXPECT_EQ(state.Repetition().if_repeated, (Verdict{Ending::kPerpetualChase, Side::kSecond}));
  PlayAll(state, "i0h0");
  EXPECT_FALSE(state.verdict().over());
  PlayAll(state, "h7g5");
  EXPECT_FALSE(state.verdict().over());
}

TEST(XiangqiRepetition, CheckOutranksChaseAndChaseOutranksNothing) {
  const Ruleset rules = *FindRuleset(Variant::kXiangqi, "standard");
  const auto judge = [&rules](Offence first, Offence second) {
    return JudgeRepetition({first, second}, rules);
  };
  const Verdict draw{Ending::kRepetitionDraw, std::nullopt};
  EXPECT_EQ(judge(Offence::kCheck, Offence::kChase),
            (Verdict{Ending::kPerpetualCheck, Side::kSecond}));
  EXPECT_EQ(judge(Offence::kNone, Offence::kChase),
            (Verdict{Ending::kPerpetualChase, Side::kFirst}));
  EXPECT_EQ(judge(Offence::kCheck, Offence::kCheck), draw);
  EXPECT_EQ(judge(Offence::kChase, Offence::kChase), draw);
  EXPECT_EQ(judge(Offence::kNone, Offence::kNone), draw);
}

}  // namespace
}  // namespace komadai::rules
