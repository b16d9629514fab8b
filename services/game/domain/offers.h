// Offers: the draws, takebacks or pauses that the players of one game offer each other.
//
// One of a kind is open at a time, and a player makes at most one a ply, so that the same call
// again is a repeat. Answers are remembered by the offer's event, for the same reason.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "libs/rules/types.h"

namespace komadai::game {

using rules::Side;

class Offers {
 public:
  struct Answer {
    Side by = Side::kFirst;
    std::int64_t offer = 0;  // sequence number of the offer's event
    bool accepted = false;
    int ply = 0;  // plies played after it

    friend bool operator==(const Answer&, const Answer&) = default;
  };

  // `by` offers, in the event of this sequence number.
  void Open(Side by, std::int64_t sequence, int ply);
  // Nobody answers any more.
  void Lapse() { open_by_.reset(); }
  // The other side answers the open offer, if there is one.
  void Close(bool accepted, int ply);
  // The game has gone back to `ply`: what was offered from there on may be offered again.
  void GoBackTo(int ply);

  std::optional<Side> open_by() const { return open_by_; }
  // Of the open offer's event; 0: none is open.
  std::int64_t open_sequence() const { return open_by_ ? sequence_ : 0; }
  // How many offers a side has made in the whole game.
  int count(Side by) const { return count_[static_cast<std::size_t>(rules::Index(by))]; }
  // Which offer of its side was made at this ply, 1 being its first; 0: none.
  int NumberAt(Side by, int ply) const;
  // Whether `by` may answer `offer` now (0: whichever the opponent has open).
  bool CanAnswer(Side by, std::int64_t offer) const;
  // The answer that `by` has given to `offer` before, if it is the same; with 0, the last one as
  // long as no move has been played since. Null: this is no repeat.
  const Answer* FindRepeat(Side by, std::int64_t offer, bool accept, int ply) const;

 private:
  struct Made {
    Side by = Side::kFirst;
    int ply = 0;
    int number = 0;
  };

  std::optional<Side> open_by_;
  std::int64_t sequence_ = 0;
  std::array<int, 2> count_{0, 0};
  std::vector<Made> made_;
  std::vector<Answer> answers_;
};

}  // namespace komadai::game
