#include "tests/chaos/table.h"

#include "libs/notation/plain_move.h"
#include "tests/play/choose_move.h"

namespace komadai::chaos {

Table::Table(const GamePlan& plan)
    : variant_(plan.variant), finisher_(plan.finisher), state_(play::StartOf(plan.variant)) {}

Table::Cue Table::Await(Side side) {
  MutexLock lock(mutex_);
  for (;;) {
    if (over_) return Cue::kOver;
    if (giving_up_ && side == finisher_) return Cue::kGiveUp;
    if (offered_by_ == Opponent(side)) return Cue::kAnswerOffer;
    if (state_.position().side_to_move() == side) return Cue::kMove;
    changed_.Wait(lock);
  }
}

bool Table::AwaitEnd(Millis patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (!over_ && changed_.WaitUntil(lock, until)) {
  }
  return over_;
}

Table::View Table::Look() const {
  const MutexLock lock(mutex_);
  return {state_.position(), state_.ply(), deadline_};
}

void Table::Played(int ply, const std::string& move, TimePoint deadline) {
  const MutexLock lock(mutex_);
  if (ply != state_.ply()) return;  // known already
  const Side mover = state_.position().side_to_move();
  const Result<rules::Move> parsed = notation::ParsePlainMove(variant_, move);
  // A server that tells of a move which cannot be has lost its way: the audit will say how.
  if (!parsed || !state_.Play(*parsed)) return;
  deadline_ = deadline;
  if (offered_by_ == Opponent(mover)) offered_by_.reset();  // it lapses
  if (state_.verdict().over()) over_ = true;
  changed_.NotifyAll();
}

void Table::DrawOffered(Side by, int ply) {
  const MutexLock lock(mutex_);
  // An offer whose answer came late may have lapsed by now, or may have been made at the ply after
  // which the offerer has moved: then it stands.
  const bool opponent_moved =
      ply != state_.ply() && !(ply + 1 == state_.ply() && state_.position().side_to_move() != by);
  if (opponent_moved) return;
  offered_by_ = by;
  changed_.NotifyAll();
}

void Table::DrawAnswered() {
  const MutexLock lock(mutex_);
  offered_by_.reset();
  changed_.NotifyAll();
}

void Table::Ended() {
  const MutexLock lock(mutex_);
  over_ = true;
  changed_.NotifyAll();
}

void Table::GiveUp() {
  const MutexLock lock(mutex_);
  giving_up_ = true;
  changed_.NotifyAll();
}

}  // namespace komadai::chaos
