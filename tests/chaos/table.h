// Table: where the two players of a game meet. What they know of the game is what has been
// acknowledged to one of them or shown to a watcher. Thread-safe.
#pragma once

#include <optional>
#include <string>

#include "libs/base/mutex.h"
#include "libs/rules/game_state.h"
#include "tests/chaos/plan.h"

namespace komadai::chaos {

class Table {
 public:
  explicit Table(const GamePlan& plan);

  enum class Cue : std::uint8_t {
    kMove,         // it is one's turn
    kAnswerOffer,  // the opponent offers a draw
    kGiveUp,       // the run ends
    kOver,
  };
  // Waits for something to do.
  Cue Await(Side side);
  // Waits for the end of the game at most for `patience`; whether it has come.
  bool AwaitEnd(Millis patience);

  struct View {
    rules::Position position;
    int ply = 0;
    TimePoint deadline;  // of the side to move; the epoch if nothing is known
  };
  View Look() const;

  // Acknowledged to their callers, or seen by a watcher, whichever comes first.
  void Played(int ply, const std::string& move, TimePoint deadline);
  void DrawOffered(Side by, int ply);
  void DrawAnswered();

  void Ended();
  void GiveUp();  // asks the plan's finisher to resign

 private:
  const rules::Variant variant_;
  const Side finisher_;
  mutable Mutex mutex_;
  CondVar changed_;
  rules::GameState state_ KOMADAI_GUARDED_BY(mutex_);
  TimePoint deadline_ KOMADAI_GUARDED_BY(mutex_) = {};
  std::optional<Side> offered_by_ KOMADAI_GUARDED_BY(mutex_);
  bool over_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool giving_up_ KOMADAI_GUARDED_BY(mutex_) = false;
};

}  // namespace komadai::chaos
