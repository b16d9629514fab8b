#include "services/game/app/claims.h"

#include <utility>

#include "services/game/domain/claim.h"

namespace komadai::game {

Task<Result<StoredGame>> Claims::Claim(PlayerAction action, int expected_ply, Claimed what) {
  Result<StoredGame> stored = co_await store_.Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, action.player_id);
  if (!side) co_return std::move(side).error();
  // Who the absent one is does not change while the claim is decided.
  Result<TimePoint> seen = co_await SeenUntil(stored->game, Opponent(*side));
  if (!seen) co_return std::move(seen).error();
  const TimePoint now = action.call.received_at();
  const Outcome outcome = what == Claimed::kVictory ? WinFor(*side) : Outcome::kDraw;
  Result<StoredGame> claimed = co_await committer_.Act(
      action, [expected_ply, outcome, seen = *seen, now](const Game& game, Side by) {
        return DecideClaim(game, by, expected_ply, outcome, seen, now);
      });
  co_return claimed;
}

Task<Result<TimePoint>> Claims::SeenUntil(std::shared_ptr<const Game> game, Side side) {
  const Player& player = game->player(side);
  if (player.kind == PlayerKind::kComputer) co_return TimePoint::max();
  Result<TimePoint> seen = co_await presence_.SeenUntil(player.id);
  co_return seen;
}

Task<Result<PresenceReport>> Claims::PresenceIn(rpc::Call call, std::string game_id) {
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  PresenceReport report;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    Result<TimePoint> seen = co_await SeenUntil(stored->game, side);
    if (!seen) co_return std::move(seen).error();
    report.present[static_cast<std::size_t>(rules::Index(side))] = call.received_at() < *seen;
    if (side == game.board.to_move && call.received_at() >= *seen) {
      report.claim_at = ClaimableFrom(game, *seen);
    }
  }
  co_return report;
}

}  // namespace komadai::game
