#include "services/game/ports/remote_finish.h"

#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "services/game/convert.h"

namespace komadai::game {
namespace {

constexpr rpc::CallOptions kFinish{.timeout = Millis(5000), .idempotent = true};
// A search is repeatable: the answer may differ, but only one is played.
constexpr rpc::CallOptions kThink{.timeout = Millis(60000), .idempotent = true};

}  // namespace

Task<Status> RemoteArchive::Store(rpc::Call call, std::shared_ptr<const Game> game) {
  kifu::v1::StoreKifuRequest request;
  request.set_game_id(game->id);
  *request.mutable_record() = RecordOf(*game);
  Result<kifu::v1::StoreKifuResponse> stored =
      co_await kifu_.Call<kifu::v1::StoreKifuResponse>(call, std::move(request), kFinish);
  if (!stored) co_return std::move(stored).error();
  co_return Status();
}

Task<Status> RemoteRating::Apply(rpc::Call call, std::shared_ptr<const Game> game) {
  rating::v1::ApplyResultRequest request;
  request.set_game_id(game->id);
  request.set_variant(convert::ToProto(game->setup.variant));
  *request.mutable_first() = ToProto(game->player(Side::kFirst));
  *request.mutable_second() = ToProto(game->player(Side::kSecond));
  *request.mutable_result() = ToProto(*game->result);
  request.set_handicap(game->setup.handicap);
  request.set_rated(game->rated);
  request.set_ended_at_ms(ToUnixMillis(game->ended_at));
  Result<rating::v1::ApplyResultResponse> applied =
      co_await rating_.Call<rating::v1::ApplyResultResponse>(call, std::move(request), kFinish);
  if (!applied) co_return std::move(applied).error();
  co_return Status();
}

Task<Result<ComputerMove>> RemoteEngine::Choose(rpc::Call call, std::shared_ptr<const Game> game) {
  engine::v1::BestMoveRequest request;
  engine::v1::SearchPosition& position = *request.mutable_position();
  position.set_variant(convert::ToProto(game->setup.variant));
  position.set_position(game->setup.start_position);
  for (const PlayedMove& move : game->moves) position.add_moves(move.move);
  request.set_level(static_cast<common_pb::ComputerLevel>(game->player(game->board.to_move).level));
  if (game->time_control && game->clock) {
    *request.mutable_clock() = convert::ToProto(*game->clock);
    *request.mutable_time_control() = convert::ToProto(*game->time_control);
  }
  Result<engine::v1::BestMoveResponse> response =
      co_await engine_.Call<engine::v1::BestMoveResponse>(call, std::move(request), kThink);
  if (!response) co_return std::move(response).error();
  co_return ComputerMove{response->move(), response->resign()};
}

}  // namespace komadai::game
