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
    game.created_at = at;
    game.board = {event.setup.start_position, event.setup.moves_first, false, 1};
  }
  void operator()(const MovePlayed& event) const {
    game.history += event.history_entry;
    game.moves.push_back({event.move, event.used, at, game.history.size(), game.sequence + 1});
    game.board = event.board;
    game.clock = event.clock;
    // An offer lapses when the other side moves; the offerer's own move leaves it standing.
    const Side mover = game.MoverOf(game.ply() - 1);
    if (game.draw_offered_by && *game.draw_offered_by != mover) game.draw_offered_by.reset();
    game.takeback_requested_by.reset();
  }
  void operator()(const DrawOffered& event) const {
    game.draw_offered_by = event.by;
    ++game.draw_offers[static_cast<std::size_t>(rules::Index(event.by))];
  }
  void operator()(const DrawDeclined&) const { game.draw_offered_by.reset(); }
  void operator()(const TakebackRequested& event) const { game.takeback_requested_by = event.by; }
  void operator()(const TakebackDeclined&) const { game.takeback_requested_by.reset(); }
  void operator()(const TakenBack& event) const {
    game.moves.Shorten(static_cast<std::size_t>(event.ply));
    game.history.resize(game.moves.empty() ? 0 : game.moves.back().history_size);
    game.board = event.board;
    game.clock = event.clock;
    game.takeback_requested_by.reset();
    game.draw_offered_by.reset();
  }
  void operator()(const TimeAdded& event) const {
    game.time_gifts.push_back(event.request_id);
    game.clock = event.clock;
  }
  void operator()(const Ended& event) const {
    game.result = event.result;
    game.clock = event.clock;
    game.ended_at = at;
    game.draw_offered_by.reset();
    game.takeback_requested_by.reset();
  }
};

}  // namespace

void Apply(Game& game, const Event& event) {
  std::visit(Fold{game, event.at}, event.body);
  ++game.sequence;
}

}  // namespace komadai::game
