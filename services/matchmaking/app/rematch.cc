// Rematches: the part of ChallengeDesk that joins two wishes into one game.
#include <algorithm>
#include <utility>

#include "libs/convert/variant.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxReplays = 16;

// Sides are swapped, unless a handicap was given: uwate stays uwate. `terms` is the game itself or,
// if it replays a drawn game with the remaining time, the first game of that chain.
Match RematchOf(const game::v1::Game& game, const game::v1::Game& terms) {
  Match match;
  match.match_id = "rematch-" + game.game_id();
  const bool handicap = !game.setup().handicap().empty();
  match.first = handicap ? game.first() : game.second();
  match.second = handicap ? game.second() : game.first();
  *match.terms.mutable_setup() = game.setup();
  match.terms.set_rated(game.rated());
  match.terms.set_allow_takeback(game.allow_takeback());
  *match.terms.mutable_options() = terms.options();
  if (terms.has_time_control()) *match.terms.mutable_time_control() = terms.time_control();
  return match;
}

bool Wants(const stored_pb::StoredRematch& rematch, Side side) {
  const auto& wanted = rematch.wanted_by();
  return std::find(wanted.begin(), wanted.end(), convert::ToProto(side)) != wanted.end();
}

Result<Side> SideIn(const game::v1::Game& game, const std::string& player_id) {
  if (game.first().player_id() == player_id) return Side::kFirst;
  if (game.second().player_id() == player_id) return Side::kSecond;
  return Error(kNotAPlayer, "the caller did not play in this game", {{"game", game.game_id()}});
}

// The computer always agrees to a rematch.
bool AgainstComputer(const game::v1::Game& game) {
  return game.first().kind() == common_pb::PLAYER_KIND_COMPUTER ||
         game.second().kind() == common_pb::PLAYER_KIND_COMPUTER;
}

}  // namespace

// A replay names the game it replays, which may itself be a replay.
Task<Result<game::v1::Game>> ChallengeDesk::FirstOf(rpc::Call call, game::v1::Game game) {
  for (int i = 0; i < kMaxReplays && !game.replay_of().empty(); ++i) {
    Result<game::v1::Game> before = co_await games_.Get(call, game.replay_of());
    // The service forgets games after a day. The rematch then has the remaining time.
    if (!before && before.error().code() == Code::kNotFound) break;
    if (!before) co_return before;
    game = *std::move(before);
  }
  co_return game;
}

Task<Result<Rematch>> ChallengeDesk::RequestRematch(rpc::Call call, std::string game_id,
                                                    std::string player_id) {
  Result<game::v1::Game> game = co_await games_.Get(call, game_id);
  if (!game) co_return std::move(game).error();
  Result<Side> side = SideIn(*game, player_id);
  if (!side) co_return std::move(side).error();
  if (!game->has_result()) {
    Error still_on(kGameStillOn, "the game has not ended yet", {{"game", game_id}});
    co_return still_on;
  }
  auto attempt = [this, call, game = *std::move(game), side = *side](int) {
    return TryRematch(call, game, side);
  };
  Result<Rematch> rematch =
      co_await livestore::UntilCommitted(kMaxAttempts, std::move(attempt), Contention);
  co_return rematch;
}

Task<livestore::Attempt<Rematch>> ChallengeDesk::TryRematch(rpc::Call call, game::v1::Game game,
                                                            Side side) {
  Result<RematchEntry> entry = co_await store_.LoadRematch(game.game_id());
  if (!entry) co_return std::move(entry).error();
  stored_pb::StoredRematch& rematch = entry->value;
  if (!rematch.new_game_id().empty()) {
    co_return Rematch{rematch.new_game_id(), rematch.expires_at_ms()};
  }
  const std::int64_t now = ToUnixMillis(time_.Now());
  if (rematch.expires_at_ms() <= now) {  // the old wish has lapsed
    rematch.clear_wanted_by();
    rematch.clear_first();
    rematch.clear_second();
  }
  const bool both = Wants(rematch, Opponent(side)) || AgainstComputer(game);
  if (both) co_return co_await TryBegin(call, std::move(game), side, *std::move(entry));
  if (Wants(rematch, side)) co_return Rematch{"", rematch.expires_at_ms()};
  rematch.add_wanted_by(convert::ToProto(side));
  rematch.set_expires_at_ms(now + kRematchLifetime.count());
  const Rematch answer{"", rematch.expires_at_ms()};
  Result<bool> put = co_await store_.PutRematch(game.game_id(), *entry);
  co_return Outcome(std::move(put), answer);
}

Task<livestore::Attempt<Rematch>> ChallengeDesk::TryBegin(rpc::Call call, game::v1::Game game,
                                                          Side side, RematchEntry entry) {
  stored_pb::StoredRematch& rematch = entry.value;
  if (rematch.has_first()) {
    Result<game::v1::Game> terms = co_await FirstOf(call, game);
    if (!terms) co_return std::move(terms).error();
    // The match id names the game: concurrent calls create one game.
    Match match = RematchOf(game, *terms);
    match.first = rematch.first();
    match.second = rematch.second();
    Result<std::string> created = co_await games_.Create(call, std::move(match));
    if (!created) co_return std::move(created).error();
    rematch.set_new_game_id(*created);
    const Rematch answer{*created, rematch.expires_at_ms()};
    Result<bool> put = co_await store_.PutRematch(game.game_id(), entry);
    co_return Outcome(std::move(put), answer);
  }
  if (!AgainstComputer(game)) {
    Result<bool> together =
        co_await games_.PlayTogether(call, game.first().player_id(), game.second().player_id());
    if (!together) co_return std::move(together).error();
    if (*together) co_return co_await WishAgain(std::move(game), side, std::move(entry));
  }
  if (game.rated()) {
    Status may =
        co_await CheckRatedGames(call, game.first().player_id(), game.second().player_id());
    if (!may) co_return std::move(may).error();
  }
  const Match match = RematchOf(game, game);
  const common_pb::Variant variant = game.setup().variant();
  *rematch.mutable_first() = co_await WithRating(call, match.first, variant);
  *rematch.mutable_second() = co_await WithRating(call, match.second, variant);
  Result<bool> put = co_await store_.PutRematch(game.game_id(), entry);
  if (!put) co_return std::move(put).error();
  co_return livestore::LostRace{};  // and with what is stored now the game is created
}

// The two have begun another game since: the other's wish has lapsed, and this one is a new one.
Task<livestore::Attempt<Rematch>> ChallengeDesk::WishAgain(game::v1::Game game, Side side,
                                                           RematchEntry entry) {
  stored_pb::StoredRematch& rematch = entry.value;
  rematch.clear_wanted_by();
  rematch.add_wanted_by(convert::ToProto(side));
  rematch.set_expires_at_ms(ToUnixMillis(time_.Now()) + kRematchLifetime.count());
  const Rematch answer{"", rematch.expires_at_ms()};
  Result<bool> put = co_await store_.PutRematch(game.game_id(), entry);
  co_return Outcome(std::move(put), answer);
}

Task<Result<Rematch>> ChallengeDesk::WithdrawRematch(rpc::Call call, std::string game_id,
                                                     std::string player_id) {
  Result<game::v1::Game> game = co_await games_.Get(call, game_id);
  if (!game) co_return std::move(game).error();
  Result<Side> side = SideIn(*game, player_id);
  if (!side) co_return std::move(side).error();
  auto attempt = [this, game_id, side = *side](int) { return TryWithdraw(game_id, side); };
  Result<Rematch> rematch =
      co_await livestore::UntilCommitted(kMaxAttempts, std::move(attempt), Contention);
  co_return rematch;
}

Task<livestore::Attempt<Rematch>> ChallengeDesk::TryWithdraw(std::string game_id, Side side) {
  Result<RematchEntry> entry = co_await store_.LoadRematch(game_id);
  if (!entry) co_return std::move(entry).error();
  stored_pb::StoredRematch& rematch = entry->value;
  if (!rematch.new_game_id().empty() || !Wants(rematch, side)) {
    co_return Rematch{rematch.new_game_id(), 0};
  }
  auto& wanted = *rematch.mutable_wanted_by();
  wanted.erase(std::remove(wanted.begin(), wanted.end(), convert::ToProto(side)), wanted.end());
  rematch.clear_first();
  rematch.clear_second();
  Result<bool> put = co_await store_.PutRematch(game_id, *entry);
  co_return Outcome(std::move(put), Rematch{});
}

}  // namespace komadai::matchmaking
