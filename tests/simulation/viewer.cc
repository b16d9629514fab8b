#include "tests/simulation/viewer.h"

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"

namespace komadai::simulation {
namespace {

namespace pb = ::komadai::game::v1;
using convert::SideFromProto;

template <typename Proto>
std::optional<TimePoint> DeadlineOf(const Proto& proto) {
  if (!proto.has_clock()) return std::nullopt;
  return convert::ReadingFromProto(proto.clock()).deadline;
}

}  // namespace

void Viewer::Open() {
  auto pipe = WatchPipe::To(
      process_, {.on_message = [this](const pb::WatchGameResponse& message) { OnMessage(message); },
                 .on_end = [this](const Status& status) { OnEnd(status); }});
  Environment& environment = process_.environment();
  const std::size_t index = environment.dice.Index(games_.size());
  process_.After(environment.Delay(), [this, index, pipe] {
    GameNode* node = games_.Up(index);
    if (node == nullptr) {
      pipe->Cut();
    } else {
      Detach(node->WatchGame(game_id_, view_.sequence, pipe));
    }
  });
}

void Viewer::OnEnd(const Status& status) {
  if (view_.over) return;
  if (status) judge_.Complain(game_id_, "a watcher's stream ended well before the game did");
  process_.After(process_.environment().dice.MillisBetween(1, 80), [this] { Open(); });
}

void Viewer::OnMessage(const pb::WatchGameResponse& message) {
  if (message.has_snapshot()) {
    judge_.SawSnapshot(game_id_, view_.sequence, message.snapshot());
    Fold(message.snapshot());
  } else if (message.has_event()) {
    judge_.Saw(game_id_, view_.sequence, message.event());
    Fold(message.event());
  }
  if (waiting_) waiting_->Answer(true);
}

void Viewer::Fold(const pb::Game& snapshot) {
  view_.sequence = snapshot.sequence();
  view_.ply = snapshot.ply();
  view_.position = snapshot.position();
  view_.to_move = SideFromProto(snapshot.side_to_move()).value_or(Side::kFirst);
  moves_first_ = view_.ply % 2 == 0 ? view_.to_move : Opponent(view_.to_move);
  view_.over = snapshot.phase() == pb::GAME_PHASE_ENDED;
  view_.draw_offered_by = SideFromProto(snapshot.draw_offered_by());
  view_.takeback_asked_by = SideFromProto(snapshot.takeback_requested_by());
  view_.deadline = DeadlineOf(snapshot);
}

void Viewer::Fold(const pb::GameEvent& event) {
  view_.sequence = event.sequence();
  switch (event.event_case()) {
    case pb::GameEvent::kMovePlayed: {
      const Side mover = view_.to_move;
      view_.ply = event.move_played().move().ply();
      view_.position = event.move_played().position();
      view_.deadline = DeadlineOf(event.move_played());
      view_.takeback_asked_by.reset();
      if (view_.draw_offered_by == Opponent(mover)) view_.draw_offered_by.reset();
      break;
    }
    case pb::GameEvent::kTakenBack:
      view_.ply = event.taken_back().ply();
      view_.position = event.taken_back().position();
      view_.deadline = DeadlineOf(event.taken_back());
      view_.takeback_asked_by.reset();
      view_.draw_offered_by.reset();
      break;
    case pb::GameEvent::kDrawOffered:
      view_.draw_offered_by = SideFromProto(event.draw_offered().by());
      break;
    case pb::GameEvent::kDrawDeclined:
      view_.draw_offered_by.reset();
      break;
    case pb::GameEvent::kTakebackRequested:
      view_.takeback_asked_by = SideFromProto(event.takeback_requested().by());
      break;
    case pb::GameEvent::kTakebackDeclined:
      view_.takeback_asked_by.reset();
      break;
    case pb::GameEvent::kTimeAdded:
      view_.deadline = DeadlineOf(event.time_added());
      break;
    case pb::GameEvent::kTurnRestarted:
      view_.deadline = DeadlineOf(event.turn_restarted());
      break;
    case pb::GameEvent::kEnded:
      view_.over = true;
      break;
    default:
      break;
  }
  view_.to_move = view_.ply % 2 == 0 ? moves_first_ : Opponent(moves_first_);
}

Task<bool> Viewer::News(Millis at_most) {
  const auto wait = Wait<bool>::In(process_, false);
  waiting_ = wait;
  if (process_.alive()) {
    process_.environment().scheduler.After(at_most, [wait] { wait->Answer(true); });
  }
  const bool alive = co_await wait->Over();
  waiting_.reset();
  co_return alive;
}

}  // namespace komadai::simulation
