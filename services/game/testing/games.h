// Small games for tests of the domain: moves are words, nothing knows the rules.
#pragma once

#include <string>

#include "services/game/domain/game.h"

namespace komadai::game {

inline constexpr TimePoint kStart = TimePoint(Millis(1'000'000));

// Ann and Bob, without a clock.
inline Started Beginning() {
  Started started;
  started.setup.start_position = "start";
  started.players[0] = {"ann", "Ann", PlayerKind::kGuest, 0, 0};
  started.players[1] = {"bob", "Bob", PlayerKind::kGuest, 0, 0};
  return started;
}

inline timecontrol::TimeControl FiveMinutes() {
  timecontrol::SideTime side;
  side.main = Millis(300'000);
  side.byoyomi = Millis(30'000);
  side.byoyomi_periods = 3;
  return {.first = side, .second = side};
}

inline Game NewGame(const Started& started = Beginning()) {
  Game game;
  game.id = "g";
  Apply(game, {kStart, started});
  return game;
}

inline void Play(Game& game, const std::string& move, TimePoint at = kStart) {
  MovePlayed played;
  played.move = move;
  played.board = {"after " + move, Opponent(game.board.to_move), false, 1};
  played.history_entry = "12345678";
  Apply(game, {at, played});
}

inline void ApplyAll(Game& game, const std::vector<EventBody>& events, TimePoint at = kStart) {
  for (const EventBody& event : events) Apply(game, {at, event});
}

template <typename T>
std::string ReasonOf(const Result<T>& result) {
  return result ? "" : result.error().reason();
}

}  // namespace komadai::game
