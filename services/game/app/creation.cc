#include "services/game/app/creation.h"

#include <utility>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

// Whether a repeated creation asks for the game that exists.
bool SameGame(const Game& game, const Setup& setup, const NewGame& wish) {
  return game.setup.variant == setup.variant && game.setup.ruleset == setup.ruleset &&
         game.setup.start_position == setup.start_position && game.players == wish.players &&
         game.rated == wish.rated && game.allow_takeback == wish.allow_takeback &&
         game.time_control == wish.time_control &&
         game.options.first_move == wish.first_move.value_or(game.options.first_move) &&
         game.options.claim_after == wish.claim_after && game.replay_of == wish.replay_of;
}

Error RequestIdReused() {
  return Error{kRequestIdReused, "this request id has created another game"};
}

// Games with more time than this for the first move are correspondence: nobody waits for it.
constexpr Millis kRealTime{std::int64_t{24} * 3600 * 1000};

Millis FirstMoveOf(const NewGame& wish, Millis setting) {
  if (wish.first_move) return *wish.first_move;
  if (!wish.time_control) return Millis(0);
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const TimePoint start{};
    const auto clock = timecontrol::Start(*wish.time_control, side, start);
    const auto deadline = clock ? timecontrol::DeadlineOf(*clock) : std::nullopt;
    if (deadline && *deadline - start >= kRealTime) return Millis(0);
  }
  return setting;
}

Events BeginningOf(const Setup& setup, const NewGame& wish, Millis first_move) {
  Started started{setup,
                  wish.players,
                  wish.rated,
                  wish.time_control,
                  wish.allow_takeback,
                  {first_move, wish.claim_after},
                  wish.replay_of};
  Events events;
  events.emplace_back(std::move(started));
  return events;
}

}  // namespace

Task<Result<StoredGame>> Creation::Create(rpc::Call call, NewGame wish) {
  Result<Setup> setup = co_await rules_.Normalise(call, wish.wish);
  if (!setup) co_return std::move(setup).error();
  const auto attempt = [this, &call, &wish, &setup](int) { return TryCreate(call, wish, *setup); };
  Result<StoredGame> created = co_await UntilCommitted(wish.id, attempt);
  co_return created;
}

Task<GameAttempt> Creation::TryCreate(rpc::Call call, NewGame wish, Setup setup) {
  Result<StoredGame> existing = co_await store_.Load(wish.id);
  if (existing) {
    if (!SameGame(*existing->game, setup, wish)) co_return RequestIdReused();
    co_return std::move(existing).value();
  }
  if (!existing.error().Is(kGameNotFound)) co_return std::move(existing).error();
  if (wish.replay_of.empty()) {
    Status room = co_await CheckLiveGames(wish.players);
    if (!room) co_return std::move(room).error();
  }
  auto game = std::make_shared<Game>();
  game->id = wish.id;
  StoredGame stored;
  stored.game = std::move(game);
  Events beginning = BeginningOf(setup, wish, FirstMoveOf(wish, limits_.first_move));
  GameAttempt committed =
      co_await committer_.Commit(std::move(stored), std::move(beginning), call.received_at());
  co_return committed;
}

Task<Status> Creation::CheckLiveGames(std::array<Player, 2> players) {
  if (limits_.live_games == 0) co_return Status();
  for (const Player& player : players) {
    if (player.id.empty()) continue;
    Result<int> games = co_await CountLiveGames(player.id);
    if (!games) co_return std::move(games).error();
    if (*games >= limits_.live_games) {
      const std::string limit = std::to_string(limits_.live_games);
      Error refused(kTooManyGames, "a player has at most " + limit + " games in progress",
                    {{"player", player.id}, {"limit", limit}});
      co_return refused;
    }
  }
  co_return Status();
}

Task<Result<int>> Creation::CountLiveGames(std::string player_id) {
  Result<std::int64_t> listed = co_await store_.CountGamesOfPlayer(player_id);
  if (!listed) co_return std::move(listed).error();
  if (*listed < limits_.live_games) co_return static_cast<int>(*listed);
  // Games that have ended stay in the list until they are archived: look which do.
  Result<std::vector<std::string>> games = co_await store_.GamesOfPlayer(player_id);
  if (!games) co_return std::move(games).error();
  int live = 0;
  for (const std::string& game_id : *games) {
    Result<StoredGame> stored = co_await store_.Fetch(game_id, true);
    if (!stored && !stored.error().Is(kGameNotFound)) co_return std::move(stored).error();
    if (stored && !stored->game->over()) ++live;
  }
  co_return live;
}

}  // namespace komadai::game
