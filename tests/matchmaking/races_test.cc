// Races of three replicas over one real Redis, each with a connection of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/livestore/redis_live_store.h"
#include "libs/testing/temp_redis.h"
#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

constexpr int kReplicas = 3;

// Some calls fail before the game is created, and some answers are lost.
class FlakyGames final : public GamePort {
 public:
  Task<Result<std::string>> Create(rpc::Call call, Match match) override {
    const int number = ++calls_;
    if (flaky && number % 11 == 0) co_return Error(kDown, "nothing happened");
    Result<std::string> created = co_await games.Create(std::move(call), std::move(match));
    if (flaky && number % 7 == 0) co_return Error(kDown, "it happened, but the answer was lost");
    co_return created;
  }
  Task<Result<game::v1::Game>> Get(rpc::Call call, std::string game_id) override {
    return games.Get(std::move(call), std::move(game_id));
  }
  Task<Result<bool>> PlayTogether(rpc::Call, std::string, std::string) override { co_return false; }
  Task<Result<Counts>> CountLive(rpc::Call call) override {
    return games.CountLive(std::move(call));
  }
  FakeGames games;
  std::atomic<bool> flaky{false};

 private:
  std::atomic<int> calls_{0};
};

class MatchRacesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto redis = testing::TempRedis::Start();
    ASSERT_TRUE(redis) << redis.error().ToString();
    redis_ = *std::move(redis);
    redis::Options options = *redis::ParseUrl(redis_->Url());
    options.offline_patience = options.command_timeout = std::chrono::seconds(30);
    for (std::uint64_t i = 0; i < kReplicas; ++i) {
      stores_.push_back(std::make_unique<livestore::RedisLiveStore>(options));
      replicas_.push_back(
          std::make_unique<Replica>(*stores_.back(), games_, ratings_, time_, 100 + i));
    }
  }
  void TearDown() override {
    for (const std::unique_ptr<Replica>& replica : replicas_) replica->finisher.Stop();
  }
  Replica& replica(int i) { return *replicas_[static_cast<std::size_t>(i % kReplicas)]; }
  static void Join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
  }
  // Sweeps until no pair is left without a game: answers of the game service may be lost.
  void Finish() {
    games_.flaky = false;
    for (int i = 0; i < 200; ++i) {
      time_.now += Matchmaker::kLease.count();
      replica(0).Wave();
      replica(0).Sweep();
      const auto paired = SyncWait(replica(0).store.PairedBefore(time_.Now()));
      const auto waiting = SyncWait(replica(0).store.Waiting());
      ASSERT_TRUE(paired && waiting);
      if (paired->empty() && waiting->size() < 2) return;
    }
    ADD_FAILURE() << "some pairs never got their game";
  }

  FakeTime time_;
  FlakyGames games_;
  FakeRatings ratings_;
  std::unique_ptr<testing::TempRedis> redis_;
  std::vector<std::unique_ptr<livestore::RedisLiveStore>> stores_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

TEST_F(MatchRacesTest, P4AHundredSeeksOfOneAccountAtOnceAreOneTicket) {
  std::atomic<int> created{0};
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 10; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) {
        const std::string id = std::to_string(thread) + "-" + std::to_string(i);
        const Result<pb::Seek> seek = replica(thread + i).Seek(id, "ann");
        if (seek) ++created;
        if (!seek && seek.error().Is(kAlreadySeeking)) ++refused;
      }
    });
  }
  Join(threads);
  EXPECT_EQ(created, 1);
  EXPECT_EQ(refused, 99);
  EXPECT_EQ(SyncWait(replica(0).store.Waiting())->size(), 1u);
}

TEST_F(MatchRacesTest, P4CancelAgainstPairingIsAlwaysExactlyOneOfTheTwo) {
  int matched = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string ann = "ann" + std::to_string(round);
    const std::string bob = "bob" + std::to_string(round);
    ASSERT_TRUE(replica(0).Seek(ann, ann));
    ASSERT_TRUE(replica(1).Seek(bob, bob));
    std::thread pairing([&] { SyncWait(replica(0).matchmaker.PairAll()); });
    std::thread pairing_too([&] { SyncWait(replica(1).matchmaker.PairAll()); });
    const Result<pb::Seek> cancelled = replica(2).Cancel(ann, ann);
    pairing.join();
    pairing_too.join();
    ASSERT_TRUE(cancelled) << cancelled.error().ToString();
    Finish();
    const pb::SeekState after = replica(0).Load(ann).state();
    ASSERT_EQ(after, cancelled->state());
    const bool is_matched = after == pb::SEEK_STATE_MATCHED;
    ASSERT_TRUE(is_matched || after == pb::SEEK_STATE_CANCELLED);
    ASSERT_EQ(replica(1).Load(bob).state(),
              is_matched ? pb::SEEK_STATE_MATCHED : pb::SEEK_STATE_WAITING);
    matched += is_matched ? 1 : 0;
    if (!is_matched) {
      ASSERT_TRUE(replica(1).Cancel(bob, bob));
    }
  }
  RecordProperty("matched", matched);
}

// KOMADAI_MATCH_PAIRS says how many; every replica pairs as fast as it can, without the lease.
TEST_F(MatchRacesTest, P4ManyPairsWithoutADoubleMatchOrASelfMatch) {
  const char* wanted = std::getenv("KOMADAI_MATCH_PAIRS");
  const int pairs = wanted != nullptr ? std::atoi(wanted) : 500;
  ASSERT_GT(pairs, 0);
  games_.flaky = true;
  std::atomic<int> creating{kReplicas};
  std::vector<std::thread> threads;
  for (int i = 0; i < kReplicas; ++i) {
    threads.emplace_back([&, i] {
      for (int player = i; player < 2 * pairs; player += kReplicas) {
        const std::string id = "p" + std::to_string(player);
        const Result<pb::Seek> seek = replica(i).Seek("seek-" + id, id);
        EXPECT_TRUE(seek) << seek.error().ToString();
        // The same player at another replica at the same time: refused, or a seek after the game.
        if (player % 5 == 0) (void)replica(i + 1).Seek("again-" + id, id);
      }
      --creating;
    });
    threads.emplace_back([&, i] {
      while (creating > 0) SyncWait(replica(i).matchmaker.PairAll());
    });
  }
  Join(threads);
  Finish();

  std::map<std::string, std::vector<std::string>> seeks_of_game;
  int open = 0;
  for (int player = 0; player < 2 * pairs; ++player) {
    const std::string id = "p" + std::to_string(player);
    for (const std::string& seek_id : {"seek-" + id, "again-" + id}) {
      const auto entry = SyncWait(replica(0).store.Load(seek_id));
      ASSERT_TRUE(entry);
      if (!entry->exists()) continue;
      if (IsOpen(*entry)) ++open;
      const std::string& game_id = entry->value.seek().game_id();
      if (!game_id.empty()) seeks_of_game[game_id].push_back(id);
    }
  }
  EXPECT_LE(open, 1);
  EXPECT_GE(seeks_of_game.size(), static_cast<std::size_t>(pairs));
  int wrong = 0;
  for (const auto& [game_id, players] : seeks_of_game) {
    if (players.size() != 2 || players[0] == players[1]) ++wrong;
  }
  EXPECT_EQ(wrong, 0) << "games that are not of two seeks of two people";
  EXPECT_EQ(seeks_of_game.size(), games_.games.created.size()) << "games that nobody's seek knows";
  std::printf("%zu pairs, %d calls of the game service\n", seeks_of_game.size(),
              games_.games.asked);
}

TEST_F(MatchRacesTest, ALinkOpenedByManyIsOneGame) {
  for (int round = 0; round < 20; ++round) {
    NewChallenge wish;
    wish.challenge_id = "c" + std::to_string(round);
    wish.challenger = Person("ann");
    wish.terms = Terms();
    wish.lifetime = Millis(60'000);
    ASSERT_TRUE(SyncWait(replica(0).challenges.Create(wish)));
    std::atomic<int> accepted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 9; ++i) {
      threads.emplace_back([&, i] {
        Replica& own = replica(i);
        const common_pb::Player player = Person("p" + std::to_string(i));
        if (SyncWait(own.challenges.Accept(own.Call(), wish.challenge_id, player))) ++accepted;
      });
    }
    Join(threads);
    EXPECT_EQ(accepted, 1);
  }
  EXPECT_EQ(games_.games.created.size(), 20u);
}

TEST_F(MatchRacesTest, ARematchThatBothWantAtOnceIsOneGame) {
  for (int round = 0; round < 100; ++round) {
    const std::string game_id = "g" + std::to_string(round);
    game::v1::Game& game = games_.games.games[game_id];
    game.set_game_id(game_id);
    *game.mutable_first() = Person("ann");
    *game.mutable_second() = Person("bob");
    game.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
    game.mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
    const auto ask = [&](int i, const std::string& player) {
      Replica& own = replica(i);
      return SyncWait(own.challenges.RequestRematch(own.Call(), game_id, player));
    };
    std::vector<std::thread> threads;
    threads.emplace_back([&] { EXPECT_TRUE(ask(0, "ann")); });
    threads.emplace_back([&] { EXPECT_TRUE(ask(1, "bob")); });
    threads.emplace_back([&] { EXPECT_TRUE(ask(2, "ann")); });
    Join(threads);
    EXPECT_EQ(ask(0, "ann")->new_game_id, ask(1, "bob")->new_game_id);
    EXPECT_NE(ask(0, "ann")->new_game_id, "");
  }
  EXPECT_EQ(games_.games.created.size(), 100u);
}

}  // namespace
}  // namespace komadai::matchmaking
