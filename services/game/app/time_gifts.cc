#include "services/game/app/time_gifts.h"

#include <utility>

#include "libs/convert/time_control.h"
#include "libs/rpc/server/request_id.h"

namespace komadai::game {

Task<Result<timecontrol::Reading>> TimeGifts::Add(PlayerAction action, std::string request_id,
                                                  Millis add) {
  const std::string game_id = action.game_id;
  return UntilCommitted(game_id, [this, action = std::move(action), request_id, add](int) {
    return TryAdd(action, request_id, add);
  });
}

Task<livestore::Attempt<timecontrol::Reading>> TimeGifts::TryAdd(PlayerAction action,
                                                                 std::string request_id,
                                                                 Millis add) {
  Result<StoredGame> stored = co_await store_.Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  Result<Side> side = SideOf(game, action.player_id);
  if (!side) co_return std::move(side).error();
  Result<const TimeGift*> given = DecideAddTime(game, *side, request_id, add);
  if (!given) co_return std::move(given).error();
  if (*given != nullptr) {
    Result<pb::GameEvent> event = co_await store_.ReadEvent(game.id, (*given)->sequence);
    if (!event) co_return std::move(event).error();
    co_return convert::ReadingFromProto(event->time_added().clock());
  }
  // On a clock that is at another ply it would be given to another turn.
  livestore::Attempt<timecontrol::Reading> open =
      co_await clock_.ReadOpen(action.call, FreshGame(*stored));
  if (!open.committed()) co_return open;
  const Side receiver = Opponent(*side);
  const std::string gift = rpc::IdFromRequest(action.player_id, request_id);
  Result<timecontrol::Reading> reading =
      co_await clock_.AddTime(action.call, game.id, gift, receiver, add);
  if (!reading) co_return std::move(reading).error();
  // A move has stopped the clock meanwhile: the gift is on record after that move.
  if (reading->ply != game.ply()) co_return livestore::LostRace{};
  Events events;
  events.emplace_back(TimeAdded{receiver, add, request_id, *reading});
  GameAttempt committed =
      co_await committer_.Commit(*stored, std::move(events), action.call.received_at());
  co_return std::move(committed).With(*std::move(reading));
}

}  // namespace komadai::game
