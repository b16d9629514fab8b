#include "services/game/app/game_reader.h"

#include <algorithm>
#include <utility>

namespace komadai::game {
namespace {

constexpr int kMaxPage = 100;

}  // namespace

Task<Result<StoredGame>> GameReader::Read(rpc::Call call, std::string game_id) {
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored || stored->game->over() || !stored->game->time_control) co_return stored;
  Result<timecontrol::Reading> reading = co_await clock_.ReadFor(call, *stored);
  if (!reading) co_return stored;  // the last known reading says at which instant it was taken
  auto game = std::make_shared<Game>(*stored->game);
  game->clock = *reading;
  stored->game = std::move(game);
  co_return stored;
}

Task<Result<LivePage>> GameReader::ListLive(std::optional<Variant> variant, int page_size,
                                            std::string page_token) {
  return store_.ListLive(variant, std::min(page_size, kMaxPage), std::move(page_token));
}

Task<Result<LivePage>> GameReader::ListOfPlayer(std::string player_id,
                                                std::optional<Variant> variant) {
  Result<std::vector<std::string>> games = co_await store_.GamesOfPlayer(std::move(player_id));
  if (!games) co_return std::move(games).error();
  LivePage page;
  for (const std::string& game_id : *games) {
    Result<StoredGame> stored = co_await store_.Load(game_id);
    if (!stored || stored->game->over()) continue;  // a finished game leaves the list soon
    if (variant && stored->game->setup.variant != *variant) continue;
    page.games.push_back(SummaryOf(*stored->game));
  }
  co_return page;
}

Task<Result<std::int64_t>> GameReader::CountLive(Variant variant, TimePoint now) {
  return store_.CountLive(variant, now);
}

}  // namespace komadai::game
