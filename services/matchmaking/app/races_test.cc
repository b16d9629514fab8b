// Everything at once, on several replicas over a store in memory. The same over Redis, with more of
// it, is in tests/matchmaking.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>
#include <vector>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

using RacesTest = DesksTest;

// Promise P4, against every race at once: several replicas, many players, each clicking twice.
TEST_F(RacesTest, P4NobodyIsMatchedTwiceOrWithThemselves) {
  constexpr int kPlayers = 60;
  std::vector<std::thread> threads;
  for (int replica = 0; replica < 3; ++replica) {
    threads.emplace_back([&, replica] {
      Replica own(live_, games_, ratings_, time_, static_cast<std::uint64_t>(10 + replica));
      for (int i = 0; i < kPlayers; ++i) {
        const std::string player = "p" + std::to_string(i);
        (void)own.Seek("seek-" + player + "-" + std::to_string(replica), player);
        if (i % 10 == 0) {
          time_.now += Matchmaker::kLease.count();  // so that the waves change hands
          own.Wave();
        }
      }
      own.Sweep();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 5; ++i) {
    Pass(Matchmaker::kLease);
    Settle();
  }

  // No two games from one seek: the games named by the seeks are as many as those created.
  std::map<std::string, std::set<std::string>> players_of_game;
  for (int replica = 0; replica < 3; ++replica) {
    for (int i = 0; i < kPlayers; ++i) {
      const std::string player = "p" + std::to_string(i);
      const pb::Seek seek = one_.Load("seek-" + player + "-" + std::to_string(replica));
      if (!seek.game_id().empty()) players_of_game[seek.game_id()].insert(player);
    }
  }
  EXPECT_EQ(players_of_game.size(), games_.created.size());
  EXPECT_GE(games_.created.size(), kPlayers / 2u);
  for (const auto& [game_id, players] : players_of_game) EXPECT_EQ(players.size(), 2u) << game_id;
  for (const auto& [match_id, match] : games_.created) {
    EXPECT_NE(match.first.player_id(), match.second.player_id()) << match_id;
  }
}

TEST_F(RacesTest, CancelAgainstPairingGivesExactlyOneOfTheTwo) {
  for (int round = 0; round < 200; ++round) {
    const std::string ann = "ann" + std::to_string(round);
    const std::string bob = "bob" + std::to_string(round);
    ASSERT_TRUE(one_.Seek(ann, ann));
    ASSERT_TRUE(two_.Seek(bob, bob));
    std::thread pairing([&] { one_.Wave(); });
    const Result<pb::Seek> cancelled = two_.Cancel(ann, ann);
    pairing.join();
    ASSERT_TRUE(cancelled) << cancelled.error().ToString();
    const pb::Seek after = one_.Load(ann);
    EXPECT_EQ(after.state(), cancelled->state());
    const bool matched = after.state() == pb::SEEK_STATE_MATCHED;
    EXPECT_TRUE(matched || after.state() == pb::SEEK_STATE_CANCELLED);
    EXPECT_EQ(two_.Load(bob).state(), matched ? pb::SEEK_STATE_MATCHED : pb::SEEK_STATE_WAITING);
    if (!matched) {
      ASSERT_TRUE(two_.Cancel(bob, bob));
    }
  }
}

TEST_F(RacesTest, AcceptAgainstDeclineGivesExactlyOneOfTheTwo) {
  for (int round = 0; round < 200; ++round) {
    const std::string ann = "ann" + std::to_string(round);
    const std::string bob = "bob" + std::to_string(round);
    NewSeek asks = Replica::Wish(ann, ann);
    asks.confirm = true;
    ASSERT_TRUE(one_.Create(asks));
    ASSERT_TRUE(two_.Seek(bob, bob));
    one_.Wave();
    const std::string match_id = one_.Load(ann).match_id();
    std::thread accepting([&] { (void)one_.Answer(ann, ann, match_id, true); });
    const Result<pb::Seek> left = two_.Cancel(bob, bob);
    accepting.join();
    ASSERT_TRUE(left) << left.error().ToString();
    const bool matched = left->state() == pb::SEEK_STATE_MATCHED;
    EXPECT_TRUE(matched || left->state() == pb::SEEK_STATE_CANCELLED);
    EXPECT_EQ(one_.Load(ann).state(), matched ? pb::SEEK_STATE_MATCHED : pb::SEEK_STATE_WAITING);
    if (!matched) {
      ASSERT_TRUE(one_.Cancel(ann, ann));
    }
  }
}

TEST_F(RacesTest, TwoWavesAtOnceMakeNoPairTwice) {
  for (int round = 0; round < 50; ++round) {
    games_.created.clear();
    for (int i = 0; i < 10; ++i) {
      const std::string id = std::to_string(round) + "-" + std::to_string(i);
      ASSERT_TRUE(one_.Seek(id, id));
    }
    std::thread other([&] { SyncWait(two_.matchmaker.PairAll()); });
    SyncWait(one_.matchmaker.PairAll());
    other.join();
    Settle();
    EXPECT_EQ(games_.created.size(), 5u);
  }
}

}  // namespace
}  // namespace komadai::matchmaking
