#include "services/game/app/announcements.h"

#include "libs/convert/variant.h"

namespace komadai::game {
namespace {

pb::PlayerGameChange ChangeFor(const Game& game, const EventBody& last, Side side) {
  if (std::holds_alternative<Ended>(last)) return pb::PLAYER_GAME_CHANGE_ENDED;
  if (std::holds_alternative<Started>(last)) return pb::PLAYER_GAME_CHANGE_STARTED;
  if (std::holds_alternative<Paused>(last)) return pb::PLAYER_GAME_CHANGE_PAUSED;
  const Side other = Opponent(side);
  const bool offer = game.draws.open_by() == other || game.takebacks.open_by() == other ||
                     game.pauses.open_by() == other || game.impasse_proposed_by == other ||
                     (game.pause && game.pause->resume_wanted_by == other);
  if (offer) return pb::PLAYER_GAME_CHANGE_OFFER;
  return game.board.to_move == side ? pb::PLAYER_GAME_CHANGE_YOUR_MOVE
                                    : pb::PLAYER_GAME_CHANGE_OPPONENTS_MOVE;
}

}  // namespace

std::vector<PlayerChange> AnnouncementsOf(const Game& after, const std::vector<Event>& events) {
  std::vector<PlayerChange> changes;
  if (events.empty()) return changes;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const Player& player = after.player(side);
    if (player.id.empty()) continue;
    pb::WatchPlayerGamesResponse news;
    news.set_game_id(after.id);
    news.set_change(ChangeFor(after, events.back().body, side));
    news.set_side(convert::ToProto(side));
    news.set_ply(after.ply());
    news.set_at_ms(ToUnixMillis(events.back().at));
    if (after.result) *news.mutable_result() = ToProto(*after.result);
    news.set_replayed_by(after.replayed_by);
    changes.push_back({player.id, news.SerializeAsString()});
  }
  return changes;
}

}  // namespace komadai::game
