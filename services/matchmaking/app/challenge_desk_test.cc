// Challenges and rematches over a store in memory, on two replicas.
#include "services/matchmaking/app/challenge_desk.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

class ChallengeTest : public DesksTest {
 protected:
  Result<pb::Challenge> Challenge(const std::string& opponent) {
    NewChallenge wish;
    wish.challenge_id = "c1";
    wish.challenger = Person("ann");
    wish.terms = Terms();
    wish.opponent_id = opponent;
    wish.lifetime = Millis(60'000);
    return SyncWait(one_.challenges.Create(wish));
  }
  Result<pb::Challenge> Room(const std::string& id, const std::string& challenger) {
    NewChallenge wish;
    wish.challenge_id = id;
    wish.challenger = Person(challenger);
    wish.terms = Terms();
    wish.listed = true;
    wish.lifetime = Millis(60'000);
    return SyncWait(one_.challenges.Create(wish));
  }
  Result<AcceptedChallenge> Accept(const std::string& player) {
    return SyncWait(two_.challenges.Accept(two_.Call(), "c1", Person(player)));
  }
};

TEST_F(ChallengeTest, ALinkIsUsedOnce) {
  ASSERT_TRUE(Challenge(""));
  const Result<AcceptedChallenge> accepted = Accept("bob");
  ASSERT_TRUE(accepted) << accepted.error().ToString();
  EXPECT_FALSE(accepted->challenge.game_id().empty());
  const Result<AcceptedChallenge> again = Accept("bob");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->challenge.game_id(), accepted->challenge.game_id());
  EXPECT_EQ(again->side, accepted->side);
  const Result<AcceptedChallenge> other = Accept("eve");
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().Is(kChallengeClosed));
}

TEST_F(ChallengeTest, OnlyTheInvitedAndNeverOneself) {
  ASSERT_TRUE(Challenge("bob"));
  EXPECT_TRUE(Accept("ann").error().Is(kOwnChallenge));
  EXPECT_TRUE(Accept("eve").error().Is(kNotYours));
  EXPECT_TRUE(Accept("bob"));
}

TEST_F(ChallengeTest, ItExpires) {
  ASSERT_TRUE(Challenge(""));
  time_.now += 60'000;
  EXPECT_TRUE(Accept("bob").error().Is(kChallengeClosed));
  const Result<pb::Challenge> late = SyncWait(one_.challenges.Get("c1"));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->state(), pb::CHALLENGE_STATE_EXPIRED);
}

TEST_F(ChallengeTest, AnAcceptedOneGetsItsGameWhenTheGameServiceIsBack) {
  ASSERT_TRUE(Challenge(""));
  games_.down = true;
  EXPECT_FALSE(Accept("bob"));
  games_.down = false;
  SyncWait(one_.challenges.Sweep());
  const Result<pb::Challenge> now = SyncWait(two_.challenges.Get("c1"));
  ASSERT_TRUE(now);
  EXPECT_FALSE(now->game_id().empty());
}

TEST_F(ChallengeTest, AGuestMayAcceptALink) {
  ASSERT_TRUE(Challenge(""));
  common_pb::Player guest = Person("guest");
  guest.set_kind(common_pb::PLAYER_KIND_GUEST);
  EXPECT_TRUE(SyncWait(two_.challenges.Accept(two_.Call(), "c1", guest)));
}

TEST_F(ChallengeTest, TooManyGamesLeaveItOpen) {
  ASSERT_TRUE(Challenge(""));
  games_.refuse = &kTooManyGames;
  EXPECT_TRUE(Accept("bob").error().Is(kTooManyGames));
  EXPECT_EQ(SyncWait(one_.challenges.Get("c1"))->state(), pb::CHALLENGE_STATE_OPEN);
  games_.refuse = nullptr;
  EXPECT_TRUE(Accept("eve"));
}

TEST_F(ChallengeTest, APlayerHasSoManyOpenOnes) {
  for (int i = 0; i < ChallengeDesk::kMaxOpen; ++i) {
    ASSERT_TRUE(Room("r" + std::to_string(i), "ann"));
  }
  EXPECT_TRUE(Room("more", "ann").error().Is(kTooManyChallenges));
  EXPECT_TRUE(Room("r3", "ann")) << "a repeat";
  EXPECT_TRUE(Room("other", "bob")) << "somebody else's";
  ASSERT_TRUE(SyncWait(one_.challenges.Decline("r3", "ann")));
  EXPECT_TRUE(Room("more", "ann"));
  EXPECT_TRUE(Room("yet more", "ann").error().Is(kTooManyChallenges));
  Pass(Millis(60'000));
  EXPECT_TRUE(Room("later", "ann"));
}

TEST_F(ChallengeTest, EvenIfTheyAreCreatedAtOnce) {
  std::atomic<int> created{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      Replica own(live_, games_, ratings_, time_, static_cast<std::uint64_t>(30 + thread));
      for (int i = 0; i < 25; ++i) {
        NewChallenge wish;
        wish.challenge_id = "c" + std::to_string(thread) + "-" + std::to_string(i);
        wish.challenger = Person("ann");
        wish.terms = Terms();
        wish.lifetime = Millis(60'000);
        if (SyncWait(own.challenges.Create(wish))) ++created;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, ChallengeDesk::kMaxOpen);
}

TEST_F(ChallengeTest, RatedGamesOfTheSameTwoAreLimited) {
  NewChallenge wish;
  wish.challenge_id = "c1";
  wish.challenger = Person("ann");
  wish.terms = RatedTerms();
  wish.lifetime = Millis(60'000);
  ASSERT_TRUE(SyncWait(one_.challenges.Create(wish)));
  ratings_.spent.insert({"ann", "bob"});
  EXPECT_TRUE(Accept("bob").error().Is(kTooManyRatedGames));
  EXPECT_TRUE(Accept("eve"));
}

TEST_F(ChallengeTest, TheGameKnowsTheRatings) {
  ratings_.ratings = {{"ann", 1400}, {"bob", 1600}};
  ASSERT_TRUE(Challenge(""));
  ASSERT_TRUE(Accept("bob"));
  const Match& match = games_.created.begin()->second;
  EXPECT_EQ(match.first.rating() + match.second.rating(), 3000);
}

TEST_F(ChallengeTest, ARoomThatNobodyEntersIsClosed) {
  ASSERT_TRUE(Room("r1", "ann"));
  EXPECT_EQ(SyncWait(one_.challenge_store.Rooms("shogi", time_.Now(), 10))->size(), 1u);
  Pass(Millis(60'000));
  EXPECT_TRUE(SyncWait(one_.challenge_store.Rooms("", time_.Now(), 10))->empty());
  SyncWait(two_.challenges.Sweep());
  EXPECT_EQ(SyncWait(one_.challenges.Get("r1"))->state(), pb::CHALLENGE_STATE_EXPIRED);
}

class RematchTest : public DesksTest {
 protected:
  void SetUp() override {
    game::v1::Game& game = games_.games["g1"];
    game.set_game_id("g1");
    *game.mutable_first() = Person("ann");
    *game.mutable_second() = Person("bob");
    game.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
    game.mutable_result()->set_outcome(common_pb::OUTCOME_FIRST_WINS);
  }
  Result<Rematch> Ask(Replica& replica, const std::string& player) {
    return SyncWait(replica.challenges.RequestRematch(replica.Call(), "g1", player));
  }
};

TEST_F(RematchTest, BothWishesMakeOneGameWithSidesSwapped) {
  const Result<Rematch> first = Ask(one_, "ann");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->new_game_id, "");
  const Result<Rematch> second = Ask(two_, "bob");
  ASSERT_TRUE(second);
  EXPECT_NE(second->new_game_id, "");
  EXPECT_EQ(Ask(one_, "ann")->new_game_id, second->new_game_id);
  ASSERT_EQ(games_.created.size(), 1u);
  EXPECT_EQ(games_.created.begin()->second.first.player_id(), "bob");
}

TEST_F(RematchTest, AHandicapKeepsItsGiver) {
  games_.games["g1"].mutable_setup()->set_handicap("2_piece");
  ASSERT_TRUE(Ask(one_, "ann"));
  ASSERT_TRUE(Ask(two_, "bob"));
  EXPECT_EQ(games_.created.begin()->second.second.player_id(), "bob");
}

TEST_F(RematchTest, AfterAReplayTheWholeTimeIsBack) {
  game::v1::Game drawn = games_.games["g1"];
  drawn.set_game_id("g0");
  drawn.mutable_time_control()->mutable_first()->set_main_ms(300'000);
  games_.games["g0"] = drawn;
  games_.games["g1"].set_replay_of("g0");
  games_.games["g1"].mutable_time_control()->mutable_first()->set_main_ms(7'000);
  games_.games["g1"].mutable_options()->set_first_move_ms(0);
  ASSERT_TRUE(Ask(one_, "ann"));
  ASSERT_TRUE(Ask(two_, "bob"));
  const Match& match = games_.created.begin()->second;
  EXPECT_EQ(match.terms.time_control().first().main_ms(), 300'000);
  EXPECT_FALSE(match.terms.options().has_first_move_ms());
  EXPECT_EQ(match.first.player_id(), "bob") << "sides swapped since the replay";
}

TEST_F(RematchTest, AWishLapses) {
  ASSERT_TRUE(Ask(one_, "ann"));
  time_.now += ChallengeDesk::kRematchLifetime.count() + 1;
  EXPECT_EQ(Ask(two_, "bob")->new_game_id, "");
}

TEST_F(RematchTest, ItHasThePresentRatings) {
  games_.games["g1"].mutable_first()->set_rating(0);
  ratings_.ratings = {{"ann", 1216}, {"bob", 1184}};
  ASSERT_TRUE(Ask(one_, "ann"));
  ASSERT_TRUE(Ask(two_, "bob"));
  const Match& match = games_.created.begin()->second;
  EXPECT_EQ(match.first.player_id(), "bob");
  EXPECT_EQ(match.first.rating(), 1184);
  EXPECT_EQ(match.second.rating(), 1216);
}

TEST_F(RematchTest, EveryAttemptToCreateItSaysTheSame) {
  ratings_.ratings = {{"ann", 1216}, {"bob", 1184}};
  ASSERT_TRUE(Ask(one_, "ann"));
  games_.down_after_asking = true;
  EXPECT_FALSE(Ask(two_, "bob"));
  games_.down_after_asking = false;
  ratings_.ratings["bob"] = 1300;  // another game has ended in between
  ASSERT_TRUE(Ask(two_, "bob"));
  EXPECT_EQ(games_.created.begin()->second.first.rating(), 1184);
}

TEST_F(RematchTest, AWishCanBeWithdrawn) {
  ASSERT_TRUE(Ask(one_, "ann"));
  ASSERT_TRUE(SyncWait(one_.challenges.WithdrawRematch(one_.Call(), "g1", "ann")));
  ASSERT_TRUE(SyncWait(two_.challenges.WithdrawRematch(two_.Call(), "g1", "ann"))) << "a repeat";
  EXPECT_EQ(Ask(two_, "bob")->new_game_id, "");
  EXPECT_TRUE(
      SyncWait(one_.challenges.WithdrawRematch(one_.Call(), "g1", "eve")).error().Is(kNotAPlayer));
  EXPECT_NE(Ask(one_, "ann")->new_game_id, "") << "bob still wants it";
  const Result<Rematch> late = SyncWait(one_.challenges.WithdrawRematch(one_.Call(), "g1", "ann"));
  EXPECT_NE(late->new_game_id, "") << "too late";
}

TEST_F(RematchTest, AWishLapsesWhenTheTwoBeginAnotherGame) {
  ASSERT_TRUE(Ask(one_, "ann"));
  games_.together.insert({"ann", "bob"});
  EXPECT_EQ(Ask(two_, "bob")->new_game_id, "");
  EXPECT_TRUE(games_.created.empty());
  games_.together.clear();
  EXPECT_NE(Ask(one_, "ann")->new_game_id, "") << "bob's wish is the one that counts now";
}

TEST_F(RematchTest, OnlyPlayersOfAFinishedGame) {
  EXPECT_TRUE(Ask(one_, "eve").error().Is(kNotAPlayer));
  games_.games["g1"].clear_result();
  EXPECT_TRUE(Ask(one_, "ann").error().Is(kGameStillOn));
}

TEST_F(RematchTest, BothAtOnceAreOneGame) {
  for (int round = 0; round < 100; ++round) {
    const std::string game_id = "race" + std::to_string(round);
    games_.games[game_id] = games_.games["g1"];
    games_.games[game_id].set_game_id(game_id);
    const auto ask = [&](Replica& replica, const std::string& player) {
      return SyncWait(replica.challenges.RequestRematch(replica.Call(), game_id, player));
    };
    std::thread ann([&] { EXPECT_TRUE(ask(one_, "ann")); });
    EXPECT_TRUE(ask(two_, "bob"));
    ann.join();
    EXPECT_EQ(ask(one_, "ann")->new_game_id, ask(two_, "bob")->new_game_id);
    EXPECT_NE(ask(one_, "ann")->new_game_id, "");
  }
  EXPECT_EQ(games_.created.size(), 100u);
}

TEST_F(RematchTest, RatedGamesOfTheSameTwoAreLimited) {
  games_.games["g1"].set_rated(true);
  ratings_.spent.insert({"ann", "bob"});
  ASSERT_TRUE(Ask(one_, "ann"));
  EXPECT_TRUE(Ask(two_, "bob").error().Is(kTooManyRatedGames));
}

}  // namespace
}  // namespace komadai::matchmaking
