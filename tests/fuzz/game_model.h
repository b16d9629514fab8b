// GameModel: a GameState beside a plain record of everything that happened in the game, against
// which every answer of the GameState is checked.
#pragma once

#include <string>
#include <vector>

#include "libs/rules/game_state.h"

namespace komadai::fuzz {

class GameModel {
 public:
  explicit GameModel(rules::GameState start);

  int ply() const { return static_cast<int>(past_.size()) - 1; }
  const rules::GameState& state() const { return state_; }
  const rules::Position& position_at(int ply) const {
    return past_[static_cast<std::size_t>(ply)].position;
  }

  // Plays the move if it is legal and the game is not over; checks that it is refused otherwise.
  void Play(rules::Move move);
  // Also more plies than there are, or fewer than none.
  void TakeBack(int plies);
  void Resume();
  void Declare(rules::ImpasseAsk ask, rules::Side by);
  void LookBack(int ply) const;

 private:
  struct Moment {
    rules::Position position;
    std::string history;
    rules::Verdict verdict;
    rules::Move move;  // that led here
  };

  // The state is as it was at the last moment, but for the verdict.
  void CheckUnmoved() const;
  void CheckPlayed(const Moment& before, rules::Move move) const;
  void CheckVerdict() const;
  void CheckRepetition(const std::vector<int>& occurrences) const;
  rules::Ending ExpectedLimit() const;

  rules::GameState state_;
  std::vector<Moment> past_;  // the start first
};

// Nothing a caller can do with a state resumed from hostile bytes does harm: it answers, or
// refuses.
void CheckHostileState(rules::GameState state, int plies_back);

}  // namespace komadai::fuzz
