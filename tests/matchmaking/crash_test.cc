// The process that has paired two seeks is killed before the game is created, or after the game is
// created but before the process knows of it.
#include "tests/matchmaking/processes.h"

namespace komadai::matchmaking {
namespace {

class MatchCrashTest : public MatchProcessesTest {
 protected:
  void KillBetween(GameBook::Hold hold, int round) {
    const std::string ann = "ann" + std::to_string(round);
    const std::string bob = "bob" + std::to_string(round);
    book_.SetHold(hold);
    const std::size_t games_before = book_.games().size();
    Seek(round, ann);
    Seek(round + 1, bob);
    const int pairing = book_.AwaitHeld();
    ASSERT_GE(pairing, 0) << "nobody has asked for a game";
    Process(pairing).Kill();
    const std::size_t created = hold == GameBook::Hold::kAfterCreation ? 1u : 0u;
    EXPECT_EQ(book_.games().size(), games_before + created);
    book_.Release();
    const pb::Seek of_ann = Follow(pairing + 1, ann);
    const pb::Seek of_bob = Follow(pairing + 2, bob);
    EXPECT_EQ(of_ann.state(), pb::SEEK_STATE_MATCHED);
    EXPECT_EQ(of_bob.state(), pb::SEEK_STATE_MATCHED);
    EXPECT_EQ(of_ann.game_id(), of_bob.game_id());
    EXPECT_NE(of_ann.side(), of_bob.side());
    EXPECT_EQ(book_.games().size(), games_before + 1) << "one game for the two";
    const Status restarted = Process(pairing).Restart();
    ASSERT_TRUE(restarted) << restarted.error().ToString();
  }
};

TEST_F(MatchCrashTest, P4KilledBetweenPairingAndCreationTheGameIsCreatedOnceByAnother) {
  for (int round = 0; round < 3; ++round) KillBetween(GameBook::Hold::kBeforeCreation, round);
}

TEST_F(MatchCrashTest, P4KilledBeforeItKnowsOfTheGameItIsStillOneGame) {
  for (int round = 0; round < 3; ++round) KillBetween(GameBook::Hold::kAfterCreation, round);
}

}  // namespace
}  // namespace komadai::matchmaking
