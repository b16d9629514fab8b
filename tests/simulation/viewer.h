// Viewer: somebody who watches a game through WatchGame and reconnects for as long as it lasts.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/simulation/cluster.h"
#include "tests/simulation/game_node.h"
#include "tests/simulation/judge.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

// The game as far as a viewer has heard.
struct View {
  std::int64_t sequence = 0;  // 0: nothing yet
  int ply = 0;
  std::string position;
  Side to_move = Side::kFirst;
  bool over = false;
  std::optional<Side> draw_offered_by;
  std::optional<Side> takeback_asked_by;
  std::optional<TimePoint> deadline;  // of the side to move
};

class Viewer {
 public:
  Viewer(Process& process, Cluster<GameNode>& games, Judge& judge, std::string game_id)
      : process_(process), games_(games), judge_(judge), game_id_(std::move(game_id)) {}

  void Open();
  const View& view() const { return view_; }
  // Until there is news or `at_most` has passed; false if the process has died.
  Task<bool> News(Millis at_most);

 private:
  void OnMessage(const game::pb::WatchGameResponse& message);
  void OnEnd(const Status& status);
  void Fold(const game::pb::GameEvent& event);
  void Fold(const game::pb::Game& snapshot);

  Process& process_;
  Cluster<GameNode>& games_;
  Judge& judge_;
  const std::string game_id_;
  View view_;
  Side moves_first_ = Side::kFirst;
  std::shared_ptr<Wait<bool>> waiting_;
};

}  // namespace komadai::simulation
