// The world around the matchmaking service, for its tests and benchmarks.
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/live_store.h"
#include "libs/telemetry/metrics.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/matchmaker.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/convert.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {

inline constexpr Reason kDown{Code::kUnavailable, "DOWN"};

class FakeTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now); }
  std::atomic<std::int64_t> now{1'700'000'000'000};
};

// Creates games as the game service does: one per match id, however often it is asked.
class FakeGames final : public GamePort {
 public:
  Task<Result<std::string>> Create(rpc::Call, Match match) override {
    const MutexLock lock(mutex);
    ++asked;
    if (refuse != nullptr) {
      Error refused(*refuse, "no such game can be", {{"player", busy_player}});
      co_return refused;
    }
    if (down || down_after_asking) co_return Error(kDown, "the game service is away");
    const std::string game_id = "game-of-" + match.match_id;
    created[match.match_id] = std::move(match);
    co_return game_id;
  }
  Task<Result<game::v1::Game>> Get(rpc::Call, std::string game_id) override {
    const MutexLock lock(mutex);
    if (down) co_return Error(kDown, "the game service is away");
    if (!games.contains(game_id)) co_return Error(kSeekNotFound, "no such game");
    co_return games[game_id];
  }
  Task<Result<bool>> PlayTogether(rpc::Call, std::string player_id,
                                  std::string opponent_id) override {
    const MutexLock lock(mutex);
    if (down) co_return Error(kDown, "the game service is away");
    co_return together.contains({player_id, opponent_id}) ||
        together.contains({opponent_id, player_id});
  }
  Task<Result<Counts>> CountLive(rpc::Call) override {
    const MutexLock lock(mutex);
    if (down) co_return Error(kDown, "the game service is away");
    co_return counts;
  }
  // Against calls from several threads. A test reads and sets the members while there is no call.
  Mutex mutex;
  bool down = false;
  bool down_after_asking = false;  // only Create fails
  int asked = 0;
  const Reason* refuse = nullptr;
  std::string busy_player;
  std::map<std::string, Match> created;
  std::map<std::string, game::v1::Game> games;
  std::set<std::pair<std::string, std::string>> together;  // who has a game in progress
  Counts counts;
};

class FakeRatings final : public RatingPort {
 public:
  Task<Result<std::optional<int>>> RatingOf(rpc::Call, std::string player_id,
                                            common_pb::Variant) override {
    if (down) co_return Error(kDown, "the rating service is away");
    const auto found = ratings.find(player_id);
    if (found == ratings.end()) co_return std::optional<int>();
    co_return std::optional<int>(found->second);
  }
  Task<Result<bool>> MayPlayRated(rpc::Call, std::string player_id,
                                  std::string opponent_id) override {
    if (down) co_return Error(kDown, "the rating service is away");
    co_return !spent.contains({player_id, opponent_id}) &&
        !spent.contains({opponent_id, player_id});
  }
  bool down = false;
  std::map<std::string, int> ratings;
  std::set<std::pair<std::string, std::string>> spent;  // who have played enough today
};

inline pb::GameTerms Terms(std::int64_t main_ms = 300000,
                           common_pb::Variant variant = common_pb::VARIANT_SHOGI) {
  pb::GameTerms terms;
  terms.mutable_setup()->set_variant(variant);
  terms.mutable_time_control()->mutable_first()->set_main_ms(main_ms);
  return *NormaliseTerms(terms, TermsOf::kSeek);
}

inline pb::GameTerms RatedTerms() {
  pb::GameTerms terms = Terms();
  terms.set_rated(true);
  return terms;
}

inline common_pb::Player Person(const std::string& id) {
  common_pb::Player player;
  player.set_player_id(id);
  player.set_name(id);
  player.set_kind(common_pb::PLAYER_KIND_PERSON);
  return player;
}

// One replica of the service on a given store.
struct Replica {
  Replica(livestore::LiveStore& live, GamePort& games, RatingPort& ratings,
          const TimeSource& time_source, std::uint64_t seed)
      : random(seed),
        metrics(registry),
        store(live),
        challenge_store(live),
        finisher(store, games, time_source, metrics),
        matchmaker(store, finisher, ratings, random, time_source, metrics),
        seeks(store, finisher, games, ratings, time_source, metrics),
        challenges(challenge_store, games, ratings, random, time_source),
        time(time_source) {}

  rpc::Call Call() { return rpc::Call::Background("test", time, Millis(5000)); }
  static NewSeek Wish(const std::string& id, const std::string& player,
                      const pb::GameTerms& terms = Terms()) {
    NewSeek wish;
    wish.seek_id = id;
    wish.player = Person(player);
    wish.terms = terms;
    return wish;
  }
  Result<pb::Seek> Create(NewSeek wish) { return SyncWait(seeks.Create(Call(), std::move(wish))); }
  Result<pb::Seek> Seek(const std::string& id, const std::string& player,
                        const pb::GameTerms& terms = Terms()) {
    return Create(Wish(id, player, terms));
  }
  Result<pb::Seek> Cancel(const std::string& id, const std::string& player) {
    return SyncWait(seeks.Cancel(Call(), id, player));
  }
  Result<pb::Seek> Answer(const std::string& id, const std::string& player,
                          const std::string& match_id, bool accept) {
    return SyncWait(seeks.Answer(id, player, match_id, accept));
  }
  void Wave() { SyncWait(matchmaker.Wave()); }
  void Sweep() { SyncWait(matchmaker.Sweep()); }
  pb::Seek Load(const std::string& id) { return SyncWait(store.Load(id))->value.seek(); }

  SeededRandom random;
  telemetry::Metrics registry;
  MatchMetrics metrics;
  SeekStore store;
  ChallengeStore challenge_store;
  PairFinisher finisher;
  Matchmaker matchmaker;
  SeekDesk seeks;
  ChallengeDesk challenges;
  const TimeSource& time;
};

}  // namespace komadai::matchmaking
