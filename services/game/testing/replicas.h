// Replicas of the game service in one process: real rules, a fake clock, one store in memory.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "libs/base/sync_wait.h"
#include "libs/livestore/memory_live_store.h"
#include "libs/telemetry/log.h"
#include "services/game/app/game_app.h"
#include "services/game/errors.h"
#include "services/game/ports/linked_rules.h"
#include "services/game/testing/fakes.h"

namespace komadai::game {

// Both kings have entered; everything else is in the hands, 27 points each.
inline constexpr char kBothEntered[] = "4K4/9/9/9/9/9/9/9/4k4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";

// One replica of the service on a given store.
struct Replica {
  Replica(livestore::LiveStore& live, FakeTime& fake_time, FakeClock& fake_clock,
          GameLimits limits = {})
      : time(fake_time),
        clock(fake_clock),
        game_metrics(metrics, telemetry::Logger::Null()),
        app(live, {rules, clock, archive, rating, engine}, time, game_metrics,
            {100, limits, [this] { return follows_up; }}) {}

  rpc::Call Call() { return rpc::Call::Background("test", time, Millis(5000)); }
  PlayerAction By(const std::string& player, const std::string& id = "g") {
    return {Call(), id, player};
  }

  // A game of shogi between Ann (first) and Bob, or the computer.
  NewGame Wish(const std::string& id, bool clocked, bool computer = false) {
    NewGame wish;
    wish.id = id;
    wish.wish.ruleset = *rules::FindRuleset(rules::Variant::kShogi, "");
    wish.wish.ruleset_base = "standard";
    wish.players[0] = {"ann", "Ann", PlayerKind::kPerson, 0, 0};
    wish.players[1] = computer ? Player{"", "Computer", PlayerKind::kComputer, 1, 0}
                               : Player{"bob", "Bob", PlayerKind::kPerson, 0, 0};
    if (clocked) {
      timecontrol::SideTime side;
      side.main = Millis(300'000);
      side.byoyomi = Millis(30'000);
      side.byoyomi_periods = 3;
      wish.time_control = timecontrol::TimeControl{side, side};
    }
    return wish;
  }
  Result<StoredGame> Create(NewGame wish) { return SyncWait(app.creation.Create(Call(), wish)); }
  Result<StoredGame> Create(const std::string& id, bool clocked, bool computer = false,
                            bool rated = false, const std::string& position = "") {
    NewGame wish = Wish(id, clocked, computer);
    wish.rated = rated;
    wish.wish.start_position = position;
    return Create(std::move(wish));
  }
  // By Ann at even plies and Bob at odd ones, unless said otherwise.
  Result<MoveOutcome> Play(const std::string& id, int ply, const std::string& move,
                           const std::string& player = "") {
    MoveCommand command;
    command.game_id = id;
    command.player_id = !player.empty() ? player : ply % 2 == 0 ? "ann" : "bob";
    command.expected_ply = ply;
    command.move = move;
    return SyncWait(app.moves.Play(Call(), command));
  }
  Result<StoredGame> Load(const std::string& id) { return SyncWait(app.store.Load(id)); }
  // The sweep, late enough to find whatever is left to be done.
  void SweepLater() {
    time.now += Millis(60'000);
    SyncWait(app.chores.Sweep());
  }

  // False: it dies after every commit, as far as chores are concerned.
  bool follows_up = true;
  FakeTime& time;
  FakeClock& clock;
  telemetry::Metrics metrics;
  LinkedRules rules;
  FakeArchive archive;
  FakeRating rating;
  FakeEngine engine;
  GameMetrics game_metrics;
  GameApp app;
};

class Replicas : public ::testing::Test {
 protected:
  FakeTime time_;
  FakeClock clock_{time_};
  livestore::MemoryLiveStore live_{time_};
  Replica one_{live_, time_, clock_};
  Replica two_{live_, time_, clock_};
};

template <typename T>
std::string ReasonOf(const Result<T>& result) {
  return result ? "" : result.error().reason();
}

}  // namespace komadai::game
