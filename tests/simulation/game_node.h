// GameNode: a replica of the game service: its own code on simulated ports, and the calls it
// serves, each shown to the judge.
#pragma once

#include <memory>
#include <string>

#include "services/game/app/game_app.h"
#include "services/game/ports/linked_rules.h"
#include "tests/simulation/clock_node.h"
#include "tests/simulation/database.h"
#include "tests/simulation/judge.h"
#include "tests/simulation/pipe.h"
#include "tests/simulation/ports.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

using WatchPipe = Pipe<game::pb::WatchGameResponse>;

class GameNode {
 public:
  GameNode(Database& database, Cluster<ClockNode>& clocks, Cluster<Outside>& outside, Judge& judge,
           Process& process);

  Process& process() { return process_; }

  // The methods of the contract, each as its caller's player.
  Task<Result<game::StoredGame>> Create(game::NewGame wish);
  Task<Result<game::StoredGame>> Read(std::string game_id);
  Task<Result<game::MoveOutcome>> PlayMove(game::MoveCommand command);
  // A sabotage: the flag of whoever is to move falls.
  Task<void> FlagAtOnce(std::string game_id, int ply, Side side);
  Task<Result<game::StoredGame>> Resign(std::string game_id, std::string player);
  Task<Result<game::StoredGame>> Abort(std::string game_id, std::string player);
  Task<Result<game::StoredGame>> OfferDraw(std::string game_id, std::string player, int ply);
  Task<Result<game::StoredGame>> AnswerDraw(std::string game_id, std::string player, bool accept);
  Task<Result<game::TakebackOutcome>> RequestTakeback(std::string game_id, std::string player,
                                                      int ply);
  Task<Result<game::TakebackOutcome>> AnswerTakeback(std::string game_id, std::string player,
                                                     bool accept);
  Task<Result<timecontrol::Reading>> AddTime(std::string game_id, std::string player,
                                             std::string request_id, Millis add);
  Task<void> WatchGame(std::string game_id, std::int64_t after_sequence,
                       std::shared_ptr<WatchPipe> pipe);

 private:
  rpc::Call NewCall() const;
  game::PlayerAction ActionOf(std::string game_id, std::string player) const;
  void WatchExpiries();
  void OnExpiry(const clock::Expiry& expiry);
  Task<void> SweepForEver();

  Process& process_;
  Environment& environment_;
  Cluster<ClockNode>& clock_nodes_;
  Judge& judge_;
  Connection connection_;
  game::LinkedRules rules_;
  SimulatedClock clock_;
  SimulatedArchive archive_;
  SimulatedRating rating_;
  SimulatedEngine engine_;
  game::GameApp app_;
};

}  // namespace komadai::simulation
