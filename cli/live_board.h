// LiveBoard: a game as the command line sees it: the fold of a WatchGame stream.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/board_view.h"
#include "komadai/game/v1/game.pb.h"
#include "libs/rules/position.h"

namespace komadai::cli {

class LiveBoard {
 public:
  // Takes in a message; true when there is something new to show.
  bool See(const game::v1::WatchGameResponse& message);

  // Board, hands, names, clocks and what is going on; several lines.
  std::string Draw(const BoardStyle& style) const;

  bool ready() const { return position_.has_value(); }
  bool over() const { return game_.has_result(); }
  int ply() const { return game_.ply(); }
  std::int64_t sequence() const { return game_.sequence(); }
  const rules::Position& position() const { return *position_; }
  const std::string& last_move() const { return last_move_; }
  const game::v1::Game& game() const { return game_; }
  bool IsToMove(common::v1::Side side) const { return !over() && game_.side_to_move() == side; }

 private:
  void SeeEvent(const game::v1::GameEvent& event);
  void SeeOffer(const game::v1::GameEvent& event);
  void SetPosition(const std::string& text);
  std::string ClockLine(common::v1::Side side) const;
  std::string StatusLine() const;

  game::v1::Game game_;  // as of the last event
  std::optional<rules::Position> position_;
  std::string last_move_;
  std::string news_;
  std::chrono::steady_clock::time_point clock_seen_;
};

// "☗ won by resignation after 117 plies".
std::string ResultText(const common::v1::GameResult& result);

}  // namespace komadai::cli
