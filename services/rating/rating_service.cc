#include "services/rating/rating_service.h"

#include <chrono>
#include <utility>

#include "libs/convert/variant.h"
#include "libs/elo/elo.h"
#include "libs/elo/handicap.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/unary.h"
#include "services/rating/convert.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

v1::Session ToProto(const Session& session) {
  v1::Session proto;
  proto.set_token(session.token);
  proto.set_expires_at_ms(ToUnixMillis(session.expires));
  *proto.mutable_player() = rating::ToProto(session.player);
  return proto;
}

rpc::MethodTable::Rows Methods() {
  return {{"CreateGuestSession", {.allow = rpc::kAnyone, .max_request_bytes = 4096}},
          {"CreateTestSession", {.allow = rpc::kAnyone, .max_request_bytes = 4096}},
          {"GetProfile", {.allow = rpc::kAnyone}},
          {"GetRating", {.allow = rpc::kAnyone}},
          {"ListRatingHistory", {.allow = rpc::kAnyone}},
          {"GetRatingChart", {.allow = rpc::kAnyone}},
          {"ListLeaderboard", {.allow = rpc::kAnyone}},
          {"ComparePlayers", {.allow = rpc::kAnyone}},
          {"CheckRatedGame", {.allow = rpc::kServices}},
          {"ListRatingSignals", {.allow = rpc::kServices}},
          // Long: many games of one player may have to be applied one after another.
          {"ApplyResult", {.max_deadline = Millis(10'000), .allow = rpc::kServices}}};
}

}  // namespace

RatingService::RatingService(rpc::Runtime& runtime, RatingStore& store, Sessions& sessions,
                             RatingMetrics& metrics)
    : store_(store),
      sessions_(sessions),
      metrics_(metrics),
      methods_(runtime, v1::RatingService::service_full_name(), Methods()) {}

Task<Result<v1::CreateGuestSessionResponse>> RatingService::DoCreateGuestSession(
    rpc::Call call, const v1::CreateGuestSessionRequest& request) {
  const Result<Session> session =
      co_await sessions_.OpenGuest(request.nickname(), call.address(), DeadlineOf(call));
  if (!session) co_return session.error();
  metrics_.OnSession("guest");
  v1::CreateGuestSessionResponse response;
  *response.mutable_session() = ToProto(*session);
  co_return response;
}

Task<Result<v1::CreateTestSessionResponse>> RatingService::DoCreateTestSession(
    rpc::Call call, const v1::CreateTestSessionRequest& request) {
  const Result<Session> session = co_await sessions_.OpenTest(request.name(), DeadlineOf(call));
  if (!session) co_return session.error();
  metrics_.OnSession("test");
  v1::CreateTestSessionResponse response;
  *response.mutable_session() = ToProto(*session);
  co_return response;
}

Task<Result<v1::CheckRatedGameResponse>> RatingService::DoCheckRatedGame(
    rpc::Call call, const v1::CheckRatedGameRequest& request) {
  Status valid = CheckPlayerId(request.player_id(), "player_id");
  if (valid) valid = CheckPlayerId(request.opponent_id(), "opponent_id");
  if (!valid) co_return std::move(valid).error();
  const Result<PairCheck> check =
      co_await store_.CheckPair(request.player_id(), request.opponent_id(), DeadlineOf(call));
  if (!check) co_return check.error();
  co_return rating::ToProto(*check);
}

Task<Result<v1::ApplyResultResponse>> RatingService::DoApplyResult(
    rpc::Call call, const v1::ApplyResultRequest& request) {
  const Result<std::optional<RatedGame>> game = FromProto(request);
  if (!game) co_return game.error();
  v1::ApplyResultResponse response;
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

grpc::ServerUnaryReactor* RatingService::CreateGuestSession(
    grpc::CallbackServerContext* context, const v1::CreateGuestSessionRequest* request,
    v1::CreateGuestSessionResponse* response) {
  return rpc::Unary(methods_["CreateGuestSession"], context, request, response, this,
                    &RatingService::DoCreateGuestSession);
}

grpc::ServerUnaryReactor* RatingService::CreateTestSession(
    grpc::CallbackServerContext* context, const v1::CreateTestSessionRequest* request,
    v1::CreateTestSessionResponse* response) {
  return rpc::Unary(methods_["CreateTestSession"], context, request, response, this,
                    &RatingService::DoCreateTestSession);
}

grpc::ServerUnaryReactor* RatingService::ApplyResult(grpc::CallbackServerContext* context,
                                                     const v1::ApplyResultRequest* request,
                                                     v1::ApplyResultResponse* response) {
  return rpc::Unary(methods_["ApplyResult"], context, request, response, this,
                    &RatingService::DoApplyResult);
}

grpc::ServerUnaryReactor* RatingService::CheckRatedGame(grpc::CallbackServerContext* context,
                                                        const v1::CheckRatedGameRequest* request,
                                                        v1::CheckRatedGameResponse* response) {
  return rpc::Unary(methods_["CheckRatedGame"], context, request, response, this,
                    &RatingService::DoCheckRatedGame);
}

}  // namespace komadai::rating
