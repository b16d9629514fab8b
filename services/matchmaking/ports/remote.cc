#include "services/matchmaking/ports/remote.h"

#include <cmath>
#include <utility>

namespace komadai::matchmaking {
namespace {

constexpr rpc::CallOptions kQuick{.timeout = Millis(3000), .idempotent = true};
// Others wait for the rating, and most can do without.
constexpr int kMostLiveGames = 100;  // more than a player may have
constexpr rpc::CallOptions kSoon{.timeout = Millis(1500), .idempotent = true};

}  // namespace

Task<Result<std::string>> RemoteGame::Create(rpc::Call call, Match match) {
  game::v1::CreateGameRequest request;
  request.set_request_id(match.match_id);
  *request.mutable_setup() = std::move(*match.terms.mutable_setup());
  *request.mutable_first() = std::move(match.first);
  *request.mutable_second() = std::move(match.second);
  request.set_rated(match.terms.rated());
  request.set_allow_takeback(match.terms.allow_takeback());
  if (match.terms.has_options()) {
    *request.mutable_options() = std::move(*match.terms.mutable_options());
  }
  if (match.terms.has_time_control()) {
    *request.mutable_time_control() = std::move(*match.terms.mutable_time_control());
  }
  Result<game::v1::CreateGameResponse> created =
      co_await game_.Call<game::v1::CreateGameResponse>(call, std::move(request), kQuick);
  if (!created) co_return std::move(created).error();
  co_return created->game().game_id();
}

Task<Result<game::v1::Game>> RemoteGame::Get(rpc::Call call, std::string game_id) {
  game::v1::GetGameRequest request;
  request.set_game_id(std::move(game_id));
  Result<game::v1::GetGameResponse> found =
      co_await game_.Call<game::v1::GetGameResponse>(call, std::move(request), kQuick);
  if (!found) co_return std::move(found).error();
  co_return std::move(*found->mutable_game());
}

Task<Result<bool>> RemoteGame::PlayTogether(rpc::Call call, std::string player_id,
                                            std::string opponent_id) {
  game::v1::ListLiveGamesRequest request;
  request.set_player_id(player_id);
  request.set_page_size(kMostLiveGames);
  Result<game::v1::ListLiveGamesResponse> live =
      co_await game_.Call<game::v1::ListLiveGamesResponse>(call, std::move(request), kQuick);
  if (!live) co_return std::move(live).error();
  for (const game::v1::GameSummary& game : live->games()) {
    if (game.first().player_id() == opponent_id || game.second().player_id() == opponent_id) {
      co_return true;
    }
  }
  co_return false;
}

Task<Result<GamePort::Counts>> RemoteGame::CountLive(rpc::Call call) {
  game::v1::CountLiveGamesRequest request;
  Result<game::v1::CountLiveGamesResponse> found =
      co_await game_.Call<game::v1::CountLiveGamesResponse>(call, std::move(request), kQuick);
  if (!found) co_return std::move(found).error();
  Counts counts;
  for (const game::v1::VariantCount& count : found->counts()) {
    counts[count.variant()] = static_cast<int>(count.games());
  }
  co_return counts;
}

Task<Result<std::optional<int>>> RemoteRating::RatingOf(rpc::Call call, std::string player_id,
                                                        common::v1::Variant variant) {
  rating::v1::GetRatingRequest request;
  request.set_player_id(std::move(player_id));
  request.set_variant(variant);
  Result<rating::v1::GetRatingResponse> found =
      co_await rating_.Call<rating::v1::GetRatingResponse>(call, std::move(request), kSoon);
  if (!found) co_return std::move(found).error();
  std::optional<int> rating;
  if (found->rating().games() > 0) {
    rating = static_cast<int>(std::lround(found->rating().elo()));
  }
  co_return rating;
}

Task<Result<bool>> RemoteRating::MayPlayRated(rpc::Call call, std::string player_id,
                                              std::string opponent_id) {
  rating::v1::CheckRatedGameRequest request;
  request.set_player_id(std::move(player_id));
  request.set_opponent_id(std::move(opponent_id));
  Result<rating::v1::CheckRatedGameResponse> check =
      co_await rating_.Call<rating::v1::CheckRatedGameResponse>(call, std::move(request), kSoon);
  if (!check) co_return std::move(check).error();
  co_return check->allowed();
}

}  // namespace komadai::matchmaking
