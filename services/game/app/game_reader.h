// GameReader: what anybody may read: a game, the games in progress, their number.
#pragma once

#include <optional>
#include <string>

#include "services/game/app/game_clock.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

class GameReader {
 public:
  GameReader(GameStore& store, GameClock& clock) : store_(store), clock_(clock) {}

  // The game with its clock as it stands now; with the last known reading if the clock is away.
  Task<Result<StoredGame>> Read(rpc::Call call, std::string game_id);
  // A page of the newest games in progress; `page_size` is cut to 100. INVALID_PAGE_TOKEN.
  Task<Result<LivePage>> ListLive(std::optional<Variant> variant, int page_size,
                                  std::string page_token);
  // A player's games in progress, at most 100, all on one page.
  Task<Result<LivePage>> ListOfPlayer(std::string player_id, std::optional<Variant> variant);
  Task<Result<std::int64_t>> CountLive(Variant variant, TimePoint now);

 private:
  GameStore& store_;
  GameClock& clock_;
};

}  // namespace komadai::game
