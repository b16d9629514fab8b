// The computer as an opponent: what it does beside moving.
#include "services/game/testing/replicas.h"

namespace komadai::game {
namespace {

// Second has entered with ten pieces and 27 points in the zone and the hand.
constexpr char kSecondEntered[] =
    "4K4/9/9/9/9/9/9/+p+p+p+p+p+p+p+p+p/3gk4 b RB2G2S2N2L9Prbg2s2n2l 1";
// Both have; First has 22 points, or Second has.
constexpr char kFirstShort[] = "4K4/9/9/9/9/9/9/9/4k4 b B2G2S2N2L9P2rb2g2s2n2l9p 1";
constexpr char kSecondShort[] = "4K4/9/9/9/9/9/9/9/4k4 b 2RB2G2S2N2L9Pb2g2s2n2l9p 1";

class ComputerTest : public Replicas {
 protected:
  // The person (first) moves in `position`; then it is the computer's turn. The game after that.
  std::shared_ptr<const Game> After(const std::string& ruleset, const std::string& position) {
    NewGame wish = one_.Wish("g", false, true);
    wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kShogi, ruleset);
    wish.wish.ruleset_base = ruleset;
    wish.wish.start_position = position;
    const Result<StoredGame> created = one_.Create(std::move(wish));
    EXPECT_TRUE(created) << created.error().ToString();
    one_.engine.next = {"5i4i", false};
    const Result<MoveOutcome> played = one_.Play("g", 0, "5a5b");
    EXPECT_TRUE(played) << played.error().ToString();
    return one_.Load("g")->game;
  }
};

TEST_F(ComputerTest, DeclaresAWinUnderThe27PointRule) {
  const auto game = After("csa27", kSecondEntered);
  EXPECT_EQ(game->result, (GameResult{Outcome::kSecondWins, Ending::kImpasse, 1}));
}

TEST_F(ComputerTest, DoesNotDeclareInVainUnderThe27PointRule) {
  const auto game = After("csa27", kBothEntered);  // it would lose by that
  EXPECT_FALSE(game->over());
  EXPECT_EQ(game->ply(), 2);
}

TEST_F(ComputerTest, DeclaresAWinUnderThe24PointRule) {
  const auto game = After("standard", kFirstShort);
  EXPECT_EQ(game->result, (GameResult{Outcome::kSecondWins, Ending::kImpasse, 1}));
}

TEST_F(ComputerTest, DeclaresADrawUnderThe24PointRule) {
  const auto game = After("standard", kBothEntered);
  EXPECT_EQ(game->result, (GameResult{Outcome::kDraw, Ending::kImpasse, 1}));
}

TEST_F(ComputerTest, DoesNotDeclareALoss) {
  const auto game = After("standard", kSecondShort);
  EXPECT_FALSE(game->over());
  EXPECT_EQ(game->ply(), 2);
}

TEST_F(ComputerTest, AgreesToCountWhereThatTakesBoth) {
  const auto game = After("professional", kBothEntered);
  ASSERT_FALSE(game->over()) << "it proposes nothing";
  const Result<ImpasseOutcome> counted =
      SyncWait(one_.app.impasse.Declare(one_.By("ann"), 2, true));
  ASSERT_TRUE(counted) << counted.error().ToString();
  EXPECT_EQ(counted->result->outcome, Outcome::kNoResult);
}

}  // namespace
}  // namespace komadai::game
