#include "services/game/domain/offers.h"

#include <algorithm>

namespace komadai::game {

void Offers::Open(Side by, std::int64_t sequence, int ply) {
  open_by_ = by;
  sequence_ = sequence;
  const int number = ++count_[static_cast<std::size_t>(rules::Index(by))];
  made_.push_back({by, ply, number});
}

void Offers::Close(bool accepted, int ply) {
  if (!open_by_) return;
  answers_.push_back({Opponent(*open_by_), sequence_, accepted, ply});
  open_by_.reset();
}

void Offers::GoBackTo(int ply) {
  std::erase_if(made_, [ply](const Made& made) { return made.ply >= ply; });
}

int Offers::NumberAt(Side by, int ply) const {
  const auto made = std::find_if(made_.begin(), made_.end(),
                                 [&](const Made& m) { return m.by == by && m.ply == ply; });
  return made == made_.end() ? 0 : made->number;
}

bool Offers::CanAnswer(Side by, std::int64_t offer) const {
  return open_by_ == Opponent(by) && (offer == 0 || offer == sequence_);
}

const Offers::Answer* Offers::FindRepeat(Side by, std::int64_t offer, bool accept, int ply) const {
  const auto given = std::find_if(answers_.rbegin(), answers_.rend(), [&](const Answer& answer) {
    return answer.by == by && (offer == 0 || answer.offer == offer);
  });
  if (given == answers_.rend() || given->accepted != accept) return nullptr;
  return offer != 0 || given->ply == ply ? &*given : nullptr;
}

}  // namespace komadai::game
