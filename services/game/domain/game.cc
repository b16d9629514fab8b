#include "services/game/domain/game.h"

namespace komadai::game {
namespace {

struct Fold {
  Game& game;
  TimePoint at;

  void operator()(const Started& event) const {
    game.setup = event.setup;
    game.players = event.players;
    game.rated = event.rated;
    game.time_control = event.time_control;
    game.allow_takeback = event.allow_takeback;
    game.options = event.options;
    game.replay_of = event.replay_of;
    game.created_at = at;
    game.turn_began = at;
    game.board = {event.setup.start_position, event.setup.moves_first, false, 1};
  }
  void operator()(const MovePlayed& event) const {
    game.history += event.history_entry;
    game.moves.push_back({event.move, event.used, at, game.history.size(), sequence()});
    game.board = event.board;
    game.clock = event.clock;
    game.turn_began = at;
    // An offer lapses when the other side moves; the offerer's own move leaves it standing.
    const Side mover = game.MoverOf(game.ply() - 1);
    if (game.draws.open_by() != mover) game.draws.Lapse();
    if (game.pauses.open_by() != mover) game.pauses.Lapse();
    game.takebacks.Lapse();
    game.impasse_proposed_by.reset();
  }
  void operator()(const DrawOffered& event) const {
    game.draws.Open(event.by, sequence(), game.ply());
  }
  void operator()(const DrawDeclined&) const { game.draws.Close(false, game.ply()); }
  void operator()(const TakebackRequested& event) const {
    game.takebacks.Open(event.by, sequence(), game.ply());
  }
  void operator()(const TakebackDeclined&) const { game.takebacks.Close(false, game.ply()); }
  void operator()(const TakenBack& event) const {
    game.last_takeback = Takeback{game.ply(), event.ply, AskedBy(), at};
    ++game.takebacks_done;
    const std::int64_t undone_from = game.moves[static_cast<std::size_t>(event.ply)].sequence;
    for (TimeGift& gift : game.time_gifts) gift.undone |= gift.sequence > undone_from;
    game.moves.Shorten(static_cast<std::size_t>(event.ply));
    game.history.resize(game.moves.empty() ? 0 : game.moves.back().history_size);
    game.board = event.board;
    game.clock = event.clock;
    game.turn_began = at;
    game.takebacks.Close(true, event.ply);
    game.draws.Lapse();
    game.pauses.Lapse();
    game.impasse_proposed_by.reset();
    for (Offers* offers : {&game.draws, &game.takebacks, &game.pauses}) offers->GoBackTo(event.ply);
    Order(ClockOrder::Kind::kRewind);
  }
  void operator()(const TimeAdded& event) const {
    game.time_gifts.push_back({event.request_id, event.side, event.add, sequence(), false});
    game.clock = event.clock;
  }
  void operator()(const PauseOffered& event) const {
    game.pauses.Open(event.by, sequence(), game.ply());
    game.pause_offered = event.length;
  }
  void operator()(const PauseDeclined&) const { game.pauses.Close(false, game.ply()); }
  void operator()(const Paused& event) const {
    game.pauses.Close(true, game.ply());
    game.pause = Pause{at, event.until, std::nullopt};
    game.clock = event.clock;
    Order(ClockOrder::Kind::kPause);
  }
  void operator()(const ResumeWanted& event) const {
    if (game.pause) game.pause->resume_wanted_by = event.by;
  }
  void operator()(const Resumed& event) const {
    game.pause.reset();
    game.clock = event.clock;
    game.turn_began = at;
    Order(ClockOrder::Kind::kResume);
  }
  void operator()(const ImpasseProposed& event) const { game.impasse_proposed_by = event.by; }
  void operator()(const TurnRestarted& event) const {
    game.clock = event.clock;
    game.turn_began = event.clock.at;
    Order(ClockOrder::Kind::kRestart, event.clock.at);
  }
  void operator()(const Ended& event) const {
    game.result = event.result;
    game.replayed_by = event.replayed_by;
    game.aborted_by = event.aborted_by;
    game.illegal_move = event.illegal_move;
    game.clock = event.clock;
    game.ended_at = at;
    if (event.result.ending == Ending::kAgreedDraw) game.draws.Close(true, game.ply());
    game.draws.Lapse();
    game.takebacks.Lapse();
    game.pauses.Lapse();
    game.impasse_proposed_by.reset();
  }

 private:
  // Of the event being applied.
  std::int64_t sequence() const { return game.sequence + 1; }
  // Who asked for the takeback that happens now: a computer never does.
  Side AskedBy() const {
    if (game.takebacks.open_by()) return *game.takebacks.open_by();
    return game.IsComputer(Side::kFirst) ? Side::kSecond : Side::kFirst;
  }
  void Order(ClockOrder::Kind kind) const { Order(kind, at); }
  void Order(ClockOrder::Kind kind, TimePoint instant) const {
    if (!game.time_control) return;
    game.clock_orders.push_back({sequence(), kind, game.ply(), game.board.to_move, instant});
  }
};

}  // namespace

void Apply(Game& game, const Event& event) {
  std::visit(Fold{game, event.at}, event.body);
  ++game.sequence;
}

}  // namespace komadai::game
