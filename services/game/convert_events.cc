// The events of a game in the words of the contract: the journal's format.
#include <utility>

#include "libs/convert/time_control.h"
#include "services/game/convert.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

using convert::SideFromProto;

template <typename Proto>
void SetClock(Proto& out, const std::optional<timecontrol::Reading>& clock) {
  if (clock) *out.mutable_clock() = convert::ToProto(*clock);
}

template <typename Proto>
std::optional<timecontrol::Reading> ClockOf(const Proto& proto) {
  if (!proto.has_clock()) return std::nullopt;
  return convert::ReadingFromProto(proto.clock());
}

struct Writer {
  const Game& before;
  TimePoint at;
  internal::v1::StoredEvent& out;

  void operator()(const Started& event) const {
    pb::GameStarted& started = *out.mutable_event()->mutable_started();
    *started.mutable_setup() = ToProto(event.setup);
    *started.mutable_first() = ToProto(event.players[0]);
    *started.mutable_second() = ToProto(event.players[1]);
    started.set_rated(event.rated);
    if (event.time_control) {
      *started.mutable_time_control() = convert::ToProto(*event.time_control);
    }
    started.set_start_position(event.setup.start_position);
    started.set_allow_takeback(event.allow_takeback);
    *started.mutable_options() = ToProto(event.options);
    started.set_replay_of(event.replay_of);
  }
  void operator()(const MovePlayed& event) const {
    pb::MovePlayed& played = *out.mutable_event()->mutable_move_played();
    *played.mutable_move() =
        ToProto(PlayedMove{event.move, event.used, at, 0, 0}, before.ply() + 1);
    played.set_position(event.board.position);
    played.set_check(event.board.check);
    played.set_occurrences(event.board.occurrences);
    SetClock(played, event.clock);
    out.set_history_entry(event.history_entry);
  }
  void operator()(const DrawOffered& event) const {
    out.mutable_event()->mutable_draw_offered()->set_by(convert::ToProto(event.by));
  }
  void operator()(const DrawDeclined& event) const {
    out.mutable_event()->mutable_draw_declined()->set_by(convert::ToProto(event.by));
  }
  void operator()(const TakebackRequested& event) const {
    out.mutable_event()->mutable_takeback_requested()->set_by(convert::ToProto(event.by));
  }
  void operator()(const TakebackDeclined& event) const {
    out.mutable_event()->mutable_takeback_declined()->set_by(convert::ToProto(event.by));
  }
  void operator()(const TakenBack& event) const {
    pb::TakenBack& taken = *out.mutable_event()->mutable_taken_back();
    taken.set_ply(event.ply);
    taken.set_position(event.board.position);
    taken.set_check(event.board.check);
    taken.set_occurrences(event.board.occurrences);
    SetClock(taken, event.clock);
  }
  void operator()(const TimeAdded& event) const {
    pb::TimeAdded& added = *out.mutable_event()->mutable_time_added();
    added.set_side(convert::ToProto(event.side));
    added.set_add_ms(event.add.count());
    SetClock(added, event.clock);
    out.set_request_id(event.request_id);
  }
  void operator()(const PauseOffered& event) const {
    pb::PauseOffered& offered = *out.mutable_event()->mutable_pause_offered();
    offered.set_by(convert::ToProto(event.by));
    offered.set_pause_ms(event.length.count());
  }
  void operator()(const PauseDeclined& event) const {
    out.mutable_event()->mutable_pause_declined()->set_by(convert::ToProto(event.by));
  }
  void operator()(const Paused& event) const {
    pb::Paused& paused = *out.mutable_event()->mutable_paused();
    paused.set_until_ms(ToUnixMillis(event.until));
    SetClock(paused, event.clock);
  }
  void operator()(const ResumeWanted& event) const {
    out.mutable_event()->mutable_resume_wanted()->set_by(convert::ToProto(event.by));
  }
  void operator()(const Resumed& event) const {
    SetClock(*out.mutable_event()->mutable_resumed(), event.clock);
  }
  void operator()(const ImpasseProposed& event) const {
    out.mutable_event()->mutable_impasse_proposed()->set_by(convert::ToProto(event.by));
  }
  void operator()(const TurnRestarted& event) const {
    *out.mutable_event()->mutable_turn_restarted()->mutable_clock() = convert::ToProto(event.clock);
  }
  void operator()(const Ended& event) const {
    pb::GameEnded& ended = *out.mutable_event()->mutable_ended();
    *ended.mutable_result() = ToProto(event.result);
    SetClock(ended, event.clock);
    ended.set_replayed_by(event.replayed_by);
    ended.set_aborted_by(convert::ToProto(event.aborted_by));
    ended.set_illegal_move(event.illegal_move);
  }
};

Result<EventBody> ReadStarted(const pb::GameStarted& proto) {
  Result<Setup> setup = SetupFromProto(proto.setup());
  if (!setup) return std::move(setup).error();
  Started started;
  started.setup = std::move(setup).value();
  started.players = {PlayerFromProto(proto.first()), PlayerFromProto(proto.second())};
  started.rated = proto.rated();
  started.allow_takeback = proto.allow_takeback();
  started.options = OptionsFromProto(proto.options());
  started.replay_of = proto.replay_of();
  if (proto.has_time_control()) {
    Result<timecontrol::TimeControl> control = convert::TimeControlFromProto(proto.time_control());
    if (!control) return std::move(control).error();
    started.time_control = *control;
  }
  return EventBody(std::move(started));
}

EventBody ReadMove(const Game& before, const internal::v1::StoredEvent& stored) {
  const pb::MovePlayed& proto = stored.event().move_played();
  MovePlayed played;
  played.move = proto.move().move();
  played.used = Millis(proto.move().used_ms());
  played.board = {proto.position(), before.MoverOf(before.ply() + 1), proto.check(),
                  proto.occurrences()};
  played.history_entry = stored.history_entry();
  played.clock = ClockOf(proto);
  return played;
}

EventBody ReadTakenBack(const Game& before, const pb::TakenBack& proto) {
  TakenBack taken;
  taken.ply = proto.ply();
  taken.board = {proto.position(), before.MoverOf(proto.ply()), proto.check(), proto.occurrences()};
  taken.clock = ClockOf(proto);
  return taken;
}

Result<EventBody> ReadBody(const Game& before, const internal::v1::StoredEvent& stored) {
  const pb::GameEvent& event = stored.event();
  const auto side = [](const auto& proto) {
    return SideFromProto(proto.by()).value_or(Side::kFirst);
  };
  switch (event.event_case()) {
    case pb::GameEvent::kStarted:
      return ReadStarted(event.started());
    case pb::GameEvent::kMovePlayed:
      return ReadMove(before, stored);
    case pb::GameEvent::kDrawOffered:
      return EventBody(DrawOffered{side(event.draw_offered())});
    case pb::GameEvent::kDrawDeclined:
      return EventBody(DrawDeclined{side(event.draw_declined())});
    case pb::GameEvent::kTakebackRequested:
      return EventBody(TakebackRequested{side(event.takeback_requested())});
    case pb::GameEvent::kTakebackDeclined:
      return EventBody(TakebackDeclined{side(event.takeback_declined())});
    case pb::GameEvent::kTakenBack:
      if (event.taken_back().ply() < 0 || event.taken_back().ply() >= before.ply()) break;
      return ReadTakenBack(before, event.taken_back());
    case pb::GameEvent::kTimeAdded:
      return EventBody(TimeAdded{SideFromProto(event.time_added().side()).value_or(Side::kFirst),
                                 Millis(event.time_added().add_ms()), stored.request_id(),
                                 ClockOf(event.time_added())});
    case pb::GameEvent::kEnded:
      return EventBody(Ended{ResultFromProto(event.ended().result()), ClockOf(event.ended()),
                             event.ended().replayed_by(), SideFromProto(event.ended().aborted_by()),
                             event.ended().illegal_move()});
    case pb::GameEvent::kPauseOffered:
      return EventBody(
          PauseOffered{side(event.pause_offered()), Millis(event.pause_offered().pause_ms())});
    case pb::GameEvent::kPauseDeclined:
      return EventBody(PauseDeclined{side(event.pause_declined())});
    case pb::GameEvent::kPaused:
      return EventBody(Paused{FromUnixMillis(event.paused().until_ms()), ClockOf(event.paused())});
    case pb::GameEvent::kResumeWanted:
      return EventBody(ResumeWanted{side(event.resume_wanted())});
    case pb::GameEvent::kResumed:
      return EventBody(Resumed{ClockOf(event.resumed())});
    case pb::GameEvent::kImpasseProposed:
      return EventBody(ImpasseProposed{side(event.impasse_proposed())});
    case pb::GameEvent::kTurnRestarted:
      return EventBody(TurnRestarted{convert::ReadingFromProto(event.turn_restarted().clock())});
    case pb::GameEvent::EVENT_NOT_SET:
      break;
  }
  return Error{kCorruptGame,
               "the journal holds something that is no event",
               {{"game", before.id}, {"sequence", std::to_string(before.sequence + 1)}}};
}

}  // namespace

internal::v1::StoredEvent ToStored(const Game& before, const Event& event) {
  internal::v1::StoredEvent out;
  out.mutable_event()->set_sequence(before.sequence + 1);
  out.mutable_event()->set_at_ms(ToUnixMillis(event.at));
  std::visit(Writer{before, event.at, out}, event.body);
  return out;
}

Result<Event> EventFromStored(const Game& before, const internal::v1::StoredEvent& stored) {
  Result<EventBody> body = ReadBody(before, stored);
  if (!body) return std::move(body).error();
  return Event{FromUnixMillis(stored.event().at_ms()), std::move(body).value()};
}

}  // namespace komadai::game
