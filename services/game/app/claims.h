// Claims: a player ends a game that the opponent has left, as a win or a draw.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "services/game/app/committer.h"
#include "services/game/store/presence_store.h"

namespace komadai::game {

enum class Claimed { kVictory, kDraw };

struct PresenceReport {
  std::array<bool, 2> present{false, false};  // by Index(Side)
  std::optional<TimePoint> claim_at;          // by the side that waits; nullopt: not as things are
};

class Claims {
 public:
  Claims(Committer& committer, GameStore& store)
      : committer_(committer), store_(store), presence_(store.livestore()) {}

  Task<Result<StoredGame>> Claim(PlayerAction action, int expected_ply, Claimed what);
  Task<Result<PresenceReport>> PresenceIn(rpc::Call call, std::string game_id);

 private:
  // Until when the player of a side is known to be present.
  Task<Result<TimePoint>> SeenUntil(std::shared_ptr<const Game> game, Side side);

  Committer& committer_;
  GameStore& store_;
  PresenceStore presence_;
};

}  // namespace komadai::game
