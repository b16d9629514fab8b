#include "services/rating/rating_service.h"

#include <chrono>
#include <utility>

#include "libs/convert/variant.h"
#include "libs/elo/elo.h"
#include "libs/elo/handicap.h"
#include "libs/rpc/error.h"
#include "services/rating/convert.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

pb::Session ToProto(const Session& session) {
  pb::Session proto;
  proto.set_token(session.token);
  proto.set_expires_at_ms(ToUnixMillis(session.expires));
  *proto.mutable_player() = rating::ToProto(session.player);
  return proto;
}

}  // namespace

RatingService::RatingService(rpc::Runtime& runtime, RatingStore& store, Sessions& sessions,
                             RatingMetrics& metrics)
    : Service(runtime, "komadai.rating.v1.RatingService"),
      store_(store),
      sessions_(sessions),
      metrics_(metrics) {
  const rpc::MethodOptions read{.allow = rpc::kAnyone};
  const rpc::MethodOptions list{.allow = rpc::kAnyone, .cost = 10};
  const rpc::MethodOptions open_session{
      .allow = rpc::kAnyone, .max_request_bytes = 4096, .cost = 10};
  Unary(&RatingService::CreateGuestSession, open_session);
  Unary(&RatingService::CreateTestSession, open_session);
  Unary(&RatingService::GetProfile, read);
  Unary(&RatingService::GetRating, read);
  Unary(&RatingService::ListRatingHistory, list);
  Unary(&RatingService::GetRatingChart, list);
  Unary(&RatingService::ListLeaderboard, list);
  Unary(&RatingService::ComparePlayers, list);
  Unary(&RatingService::CheckRatedGame, {.allow = rpc::kServices});
  Unary(&RatingService::ListRatingSignals, {.allow = rpc::kServices});
  // Long: many games of one player may have to be applied one after another.
  Unary(&RatingService::ApplyResult, {.max_deadline = Millis(10'000), .allow = rpc::kServices});
}

Task<Result<pb::CreateGuestSessionResponse>> RatingService::CreateGuestSession(
    rpc::Call call, const pb::CreateGuestSessionRequest& request) {
  const Result<Session> session =
      co_await sessions_.OpenGuest(request.nickname(), call.address(), DeadlineOf(call));
  if (!session) co_return session.error();
  metrics_.OnSession("guest");
  pb::CreateGuestSessionResponse response;
  *response.mutable_session() = ToProto(*session);
  co_return response;
}

Task<Result<pb::CreateTestSessionResponse>> RatingService::CreateTestSession(
    rpc::Call call, const pb::CreateTestSessionRequest& request) {
  const Result<Session> session = co_await sessions_.OpenTest(request.name(), DeadlineOf(call));
  if (!session) co_return session.error();
  metrics_.OnSession("test");
  pb::CreateTestSessionResponse response;
  *response.mutable_session() = ToProto(*session);
  co_return response;
}

Task<Result<pb::CheckRatedGameResponse>> RatingService::CheckRatedGame(
    rpc::Call call, const pb::CheckRatedGameRequest& request) {
  Status valid = CheckPlayerId(request.player_id(), "player_id");
  if (valid) valid = CheckPlayerId(request.opponent_id(), "opponent_id");
  if (!valid) co_return std::move(valid).error();
  const Result<PairCheck> check =
      co_await store_.CheckPair(request.player_id(), request.opponent_id(), DeadlineOf(call));
  if (!check) co_return check.error();
  co_return rating::ToProto(*check);
}

Task<Result<pb::ApplyResultResponse>> RatingService::ApplyResult(
    rpc::Call call, const pb::ApplyResultRequest& request) {
  const Result<std::optional<RatedGame>> game = FromProto(request);
  if (!game) co_return game.error();
  pb::ApplyResultResponse response;
  if (!*game) {
    metrics_.OnIgnored();
    co_return response;
  }
  const Result<Applied> applied = co_await store_.Apply(**game, DeadlineOf(call));
  if (!applied) co_return applied.error();
  metrics_.OnApplied(applied->repeated);
  *response.add_changes() = rating::ToProto(applied->first);
  *response.add_changes() = rating::ToProto(applied->second);
  co_return response;
}

}  // namespace komadai::rating
