// Seeks, challenges and rematches over a store in memory, on several replicas at once.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/livestore/faulty_live_store.h"
#include "libs/livestore/memory_live_store.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr Reason kDown{Code::kUnavailable, "DOWN"};

class FakeTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now); }
  std::atomic<std::int64_t> now{1'700'000'000'000};
};

// Creates games as the game service does: one per match id, however often it is asked.
class FakeGames final : public GamePort {
 public:
  Task<Result<std::string>> Create(rpc::Call, Match match) override {
    const std::lock_guard lock(mutex);
    if (refuse != nullptr) co_return Error(*refuse, "no such game can be");
    if (down) co_return Error(kDown, "the game service is away");
    created[match.match_id] = match;
    co_return "game-of-" + match.match_id;
  }
  Task<Result<game::v1::Game>> Get(rpc::Call, std::string game_id) override {
    const std::lock_guard lock(mutex);
    if (!games.contains(game_id)) co_return Error(kSeekNotFound, "no such game");
    co_return games[game_id];
  }
  std::mutex mutex;
  bool down = false;
  const Reason* refuse = nullptr;
  std::map<std::string, Match> created;
  std::map<std::string, game::v1::Game> games;
};

class FakeRatings final : public RatingPort {
 public:
  Task<Result<int>> RatingOf(rpc::Call, std::string, common_pb::Variant) override { co_return 0; }
};

pb::GameTerms Terms(std::int64_t main_ms = 300000) {
  pb::GameTerms terms;
  terms.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  terms.mutable_time_control()->mutable_first()->set_main_ms(main_ms);
  return *NormaliseTerms(terms, false);
}

common_pb::Player Person(const std::string& id) {
  common_pb::Player player;
  player.set_player_id(id);
  player.set_name(id);
  player.set_kind(common_pb::PLAYER_KIND_PERSON);
  return player;
}

// One replica of the service on a given store.
struct Replica {
  Replica(livestore::LiveStore& live, FakeGames& games, FakeTime& time, std::uint64_t seed)
      : random(seed),
        store(live),
        seeks(store, games, ratings, random, time),
        challenges(store, games, random, time),
        fake_time(time) {}

  rpc::Call Call() { return rpc::Call::Background("test", fake_time, Millis(5000)); }
  Result<pb::Seek> Seek(const std::string& id, const std::string& player,
                        const pb::GameTerms& terms) {
    NewSeek wish;
    wish.seek_id = id;
    wish.player = Person(player);
    wish.terms = terms;
    return SyncWait(seeks.Create(Call(), wish));
  }
  pb::Seek Load(const std::string& id) { return SyncWait(store.LoadSeek(id))->value.seek(); }

  SeededRandom random;
  FakeRatings ratings;
  MatchStore store;
  SeekDesk seeks;
  ChallengeDesk challenges;
  FakeTime& fake_time;
};

class DesksTest : public ::testing::Test {
 protected:
  FakeTime time_;
  FakeGames games_;
  livestore::MemoryLiveStore live_{time_};
  Replica one_{live_, games_, time_, 1};
  Replica two_{live_, games_, time_, 2};
};

TEST_F(DesksTest, TwoCompatibleSeeksBecomeOneGame) {
  const Result<pb::Seek> first = one_.Seek("s1", "ann", Terms());
  ASSERT_TRUE(first) << first.error().ToString();
  EXPECT_EQ(first->state(), pb::SEEK_STATE_WAITING);
  const Result<pb::Seek> second = two_.Seek("s2", "bob", Terms());
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->state(), pb::SEEK_STATE_MATCHED);
  const pb::Seek other = one_.Load("s1");
  EXPECT_EQ(other.state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(other.game_id(), second->game_id());
  EXPECT_NE(other.side(), second->side());
  EXPECT_EQ(games_.created.size(), 1u);
}

TEST_F(DesksTest, DifferentTimeControlsWaitForTheirOwnKind) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms(300000)));
  const Result<pb::Seek> other = one_.Seek("s2", "bob", Terms(600000));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->state(), pb::SEEK_STATE_WAITING);
}

TEST_F(DesksTest, APlayerHasOneSeek) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms()));
  const Result<pb::Seek> second = two_.Seek("s2", "ann", Terms());
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(kAlreadySeeking));
  const Result<pb::Seek> repeat = two_.Seek("s1", "ann", Terms());
  ASSERT_TRUE(repeat) << repeat.error().ToString();
  EXPECT_EQ(repeat->state(), pb::SEEK_STATE_WAITING);
}

TEST_F(DesksTest, ACancelledSeekIsNeverMatched) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms()));
  const Result<pb::Seek> cancelled = SyncWait(two_.seeks.Cancel(two_.Call(), "s1", "ann"));
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->state(), pb::SEEK_STATE_CANCELLED);
  const Result<pb::Seek> other = one_.Seek("s2", "bob", Terms());
  EXPECT_EQ(other->state(), pb::SEEK_STATE_WAITING);
  EXPECT_FALSE(SyncWait(two_.seeks.Cancel(two_.Call(), "s2", "ann"))) << "not hers";
}

TEST_F(DesksTest, APairSurvivesTheDeathOfItsReplica) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms()));
  games_.down = true;  // paired, but nobody could create the game
  const Result<pb::Seek> paired = one_.Seek("s2", "bob", Terms());
  ASSERT_TRUE(paired);
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_PAIRED);
  games_.down = false;
  time_.now += 10'000;
  SyncWait(two_.seeks.Sweep());
  EXPECT_EQ(two_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(two_.Load("s2").game_id(), two_.Load("s1").game_id());
  EXPECT_EQ(games_.created.size(), 1u);
}

TEST_F(DesksTest, ARefusedGameFreesBothSeekers) {
  int round = 0;
  for (const Reason& reason : {kInvalidTerms, kTooManyGames}) {
    const std::string number = std::to_string(++round);
    ASSERT_TRUE(one_.Seek("s1-" + number, "ann", Terms()));
    games_.refuse = &reason;
    ASSERT_TRUE(one_.Seek("s2-" + number, "bob", Terms()));
    EXPECT_EQ(one_.Load("s1-" + number).state(), pb::SEEK_STATE_CANCELLED) << reason.name;
    games_.refuse = nullptr;
  }
  EXPECT_TRUE(one_.Seek("s3", "ann", Terms()));
}

TEST_F(DesksTest, OptionsAreTermsLikeOthers) {
  pb::GameTerms claims = Terms();
  claims.mutable_options()->set_claim_after_ms(30'000);
  claims.set_allow_takeback(true);
  ASSERT_TRUE(one_.Seek("s1", "ann", *NormaliseTerms(claims, false)));
  ASSERT_TRUE(one_.Seek("s2", "bob", Terms()));
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_WAITING) << "not what the other wants";
  ASSERT_TRUE(one_.Seek("s3", "cat", *NormaliseTerms(claims, false)));
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
  ASSERT_EQ(games_.created.size(), 1u);
  EXPECT_EQ(games_.created.begin()->second.terms.options().claim_after_ms(), 30'000);
  EXPECT_TRUE(games_.created.begin()->second.terms.allow_takeback());
}

TEST_F(DesksTest, OptionsOutOfRangeAreNoTerms) {
  pb::GameTerms terms = Terms();
  terms.mutable_options()->set_claim_after_ms(1);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
  terms.mutable_options()->set_claim_after_ms(0);
  terms.mutable_options()->set_first_move_ms(-5);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
  terms.clear_options();
  terms.mutable_options();  // says nothing: the same as none
  EXPECT_FALSE(NormaliseTerms(terms, true)->has_options());
  terms.set_rated(true);
  terms.set_allow_takeback(true);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
}

TEST_F(DesksTest, AnUnwatchedSeekExpiresAndAWatchedOneDoesNot) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms(300000)));
  ASSERT_TRUE(one_.Seek("s2", "bob", Terms(600000)));
  time_.now += SeekDesk::kGrace.count() - 1000;
  ASSERT_TRUE(SyncWait(two_.seeks.Touch("s2")));
  time_.now += 2000;
  SyncWait(two_.seeks.Sweep());
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_EXPIRED);
  EXPECT_EQ(one_.Load("s2").state(), pb::SEEK_STATE_WAITING);
}

TEST_F(DesksTest, WatchingAClosedSeekLeavesNothingBehind) {
  ASSERT_TRUE(one_.Seek("s1", "ann", Terms()));
  ASSERT_TRUE(one_.Seek("s2", "bob", Terms()));
  ASSERT_TRUE(SyncWait(two_.seeks.Touch("s1")));  // it was matched a moment ago
  time_.now += SeekDesk::kGrace.count() + 1;
  SyncWait(two_.seeks.Sweep());
  const auto left = SyncWait(one_.store.UnwatchedBefore(time_.Now(), 10));
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->empty());
  EXPECT_EQ(one_.Load("s1").state(), pb::SEEK_STATE_MATCHED);
}

TEST_F(DesksTest, TheSameTimeControlTwiceIsOnePool) {
  NewSeek wish;
  wish.seek_id = "s1";
  wish.player = Person("ann");
  wish.terms = Terms();
  wish.other_controls = {wish.terms.time_control(), wish.terms.time_control()};
  const Result<pb::Seek> seek = SyncWait(one_.seeks.Create(one_.Call(), wish));
  ASSERT_TRUE(seek) << seek.error().ToString();
  EXPECT_EQ(seek->state(), pb::SEEK_STATE_WAITING);
}

// Promise P4, against every race at once: several replicas, many players, each clicking twice.
TEST_F(DesksTest, P4NobodyIsMatchedTwiceOrWithThemselves) {
  constexpr int kPlayers = 60;
  std::vector<std::thread> threads;
  for (int replica = 0; replica < 3; ++replica) {
    threads.emplace_back([&, replica] {
      Replica own(live_, games_, time_, static_cast<std::uint64_t>(10 + replica));
      for (int i = 0; i < kPlayers; ++i) {
        const std::string player = "p" + std::to_string(i);
        (void)own.Seek("seek-" + player + "-" + std::to_string(replica), player, Terms());
      }
      SyncWait(own.seeks.Sweep());
    });
  }
  for (std::thread& thread : threads) thread.join();
  time_.now += 10'000;
  for (int i = 0; i < 5; ++i) SyncWait(one_.seeks.Sweep());

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

TEST_F(DesksTest, CancelAgainstPairingGivesExactlyOneOfTheTwo) {
  for (int round = 0; round < 200; ++round) {
    const std::string ann = "ann" + std::to_string(round);
    const std::string bob = "bob" + std::to_string(round);
    ASSERT_TRUE(one_.Seek(ann, ann, Terms()));
    std::thread pairing([&] { (void)two_.Seek(bob, bob, Terms()); });
    const Result<pb::Seek> cancelled = SyncWait(one_.seeks.Cancel(one_.Call(), ann, ann));
    pairing.join();
    ASSERT_TRUE(cancelled) << cancelled.error().ToString();
    const pb::Seek after = one_.Load(ann);
    EXPECT_EQ(after.state(), cancelled->state());
    const bool matched = after.state() == pb::SEEK_STATE_MATCHED;
    EXPECT_TRUE(matched || after.state() == pb::SEEK_STATE_CANCELLED);
    EXPECT_EQ(two_.Load(bob).state(), matched ? pb::SEEK_STATE_MATCHED : pb::SEEK_STATE_WAITING);
    if (!matched) ASSERT_TRUE(SyncWait(two_.seeks.Cancel(two_.Call(), bob, bob)));
  }
}

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

TEST_F(RematchTest, OnlyPlayersOfAFinishedGame) {
  EXPECT_TRUE(Ask(one_, "eve").error().Is(kNotAPlayer));
  games_.games["g1"].clear_result();
  EXPECT_TRUE(Ask(one_, "ann").error().Is(kGameStillOn));
}

}  // namespace
}  // namespace komadai::matchmaking
