// What a simulated game replica asks others, over the simulated network.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "services/game/ports/clock_port.h"
#include "services/game/ports/finish_ports.h"
#include "tests/simulation/clock_node.h"
#include "tests/simulation/cluster.h"
#include "tests/simulation/judge.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

// The archive, the ratings and the engine: another process, which does not crash but is reached
// over the same network.
class Outside {
 public:
  Outside(Judge& judge, Process& process) : judge_(judge), process_(process) {}
  Process& process() { return process_; }
  Judge& judge() { return judge_; }

 private:
  Judge& judge_;
  Process& process_;
};

class SimulatedClock final : public game::ClockPort {
 public:
  SimulatedClock(Process& process, Cluster<ClockNode>& clocks)
      : process_(process), clocks_(clocks) {}

  Task<Result<timecontrol::Reading>> Start(rpc::Call call, std::string game_id,
                                           timecontrol::TimeControl control, Side to_move,
                                           TimePoint at) override;
  Task<Result<game::PressedClock>> Press(rpc::Call call, std::string game_id, int ply, Side side,
                                         TimePoint at, std::optional<Millis> thinking) override;
  Task<Result<timecontrol::Reading>> Read(rpc::Call call, std::string game_id) override;
  Task<Result<timecontrol::Reading>> Stop(rpc::Call call, std::string game_id,
                                          TimePoint at) override;
  Task<Result<timecontrol::Reading>> AddTime(rpc::Call call, std::string game_id,
                                             std::string request_id, Side side, Millis add,
                                             TimePoint at) override;
  Task<Result<timecontrol::Reading>> Rewind(rpc::Call call, std::string game_id,
                                            std::string request_id, int ply, Side to_move,
                                            TimePoint at, bool restart) override;
  Task<Result<timecontrol::Reading>> Pause(rpc::Call call, std::string game_id,
                                           std::string request_id, int ply, TimePoint at) override;
  Task<Result<timecontrol::Reading>> Resume(rpc::Call call, std::string game_id,
                                            std::string request_id, int ply, TimePoint at) override;

 private:
  Task<Result<clock::Answer>> Ask(Handler<clock::Answer, ClockNode> handler, std::string what);

  Process& process_;
  Cluster<ClockNode>& clocks_;
};

class SimulatedArchive final : public game::ArchivePort {
 public:
  SimulatedArchive(Process& process, Cluster<Outside>& outside)
      : process_(process), outside_(outside) {}
  Task<Status> Store(rpc::Call call, std::shared_ptr<const game::Game> game) override;

 private:
  Process& process_;
  Cluster<Outside>& outside_;
};

class SimulatedRating final : public game::RatingPort {
 public:
  SimulatedRating(Process& process, Cluster<Outside>& outside)
      : process_(process), outside_(outside) {}
  Task<Status> Apply(rpc::Call call, std::shared_ptr<const game::Game> game) override;

 private:
  Process& process_;
  Cluster<Outside>& outside_;
};

// Plays any legal move.
class SimulatedEngine final : public game::EnginePort {
 public:
  SimulatedEngine(Process& process, Cluster<Outside>& outside)
      : process_(process), outside_(outside) {}
  Task<Result<game::ComputerMove>> Choose(rpc::Call call,
                                          std::shared_ptr<const game::Game> game) override;

 private:
  Process& process_;
  Cluster<Outside>& outside_;
};

// A legal move of the position, any of them; empty if there is none.
std::string AnyMove(rules::Variant variant, const std::string& position, Dice& dice);

}  // namespace komadai::simulation
