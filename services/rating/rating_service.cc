#include "services/rating/rating_service.h"

#include <chrono>
#include <utility>

#include "libs/convert/variant.h"
#include "libs/elo/elo.h"
#include "libs/elo/handicap.h"
#include "libs/rpc/error.h"
#include "libs/rpc/unary.h"
#include "services/rating/convert.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

constexpr std::int64_t kHistoryPage = 50;
constexpr std::int64_t kHistoryPageMax = 200;
constexpr std::int64_t kLeaderboardPage = 50;
constexpr std::int64_t kLeaderboardPageMax = 100;

TimePoint DeadlineOf(const rpc::Call& call) {
  return std::chrono::time_point_cast<Millis>(call.deadline());
}

// The player a request is about: the named one, else the caller. PLAYER_REQUIRED if that is nobody.
Result<std::string> PlayerOf(const rpc::Call& call, const std::string& player_id) {
  if (player_id.empty()) {
    if (call.caller().IsPerson()) return call.caller().id;
    return rpc::InvalidField(kPlayerRequired, "player_id", "say which player, or sign in");
  }
  if (Status valid = CheckPlayerId(player_id, "player_id"); !valid) return valid.error();
  return player_id;
}

// What a verified token says about a player this service has not met yet.
v1::GetProfileResponse ProfileOf(const rpc::Caller& caller) {
  Profile profile;
  profile.player.id = caller.id;
  profile.player.name = caller.name;
  profile.player.kind = caller.kind == rpc::CallerKind::kGuest ? PlayerKind::kGuest
                        : caller.kind == rpc::CallerKind::kBot ? PlayerKind::kBot
                                                               : PlayerKind::kPerson;
  return ToProto(profile);
}

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
          {"ListLeaderboard", {.allow = rpc::kAnyone}},
          {"ComparePlayers", {.allow = rpc::kAnyone}},
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
      co_await sessions_.OpenGuest(request.nickname(), call.peer(), DeadlineOf(call));
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

Task<Result<v1::GetProfileResponse>> RatingService::DoGetProfile(
    rpc::Call call, const v1::GetProfileRequest& request) {
  const Result<std::string> player_id = PlayerOf(call, request.player_id());
  if (!player_id) co_return player_id.error();
  const Result<Profile> profile = co_await store_.LoadProfile(*player_id, DeadlineOf(call));
  if (!profile) {
    const bool self = call.caller().IsPerson() && call.caller().id == *player_id;
    if (self && profile.error().Is(kPlayerNotFound)) co_return ProfileOf(call.caller());
    co_return profile.error();
  }
  co_return rating::ToProto(*profile);
}

Task<Result<v1::GetRatingResponse>> RatingService::DoGetRating(
    rpc::Call call, const v1::GetRatingRequest& request) {
  const Result<std::string> player_id = PlayerOf(call, request.player_id());
  if (!player_id) co_return player_id.error();
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  const Result<Standing> standing =
      co_await store_.LoadStanding(*player_id, *variant, DeadlineOf(call));
  if (!standing) co_return standing.error();
  v1::GetRatingResponse response;
  *response.mutable_rating() = rating::ToProto(*variant, *standing);
  co_return response;
}

Task<Result<v1::ListRatingHistoryResponse>> RatingService::DoListRatingHistory(
    rpc::Call call, const v1::ListRatingHistoryRequest& request) {
  const Result<std::string> player_id = PlayerOf(call, request.player_id());
  if (!player_id) co_return player_id.error();
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  const Result<std::int64_t> limit = PageSizeOf(request.page_size(), kHistoryPage, kHistoryPageMax);
  if (!limit) co_return limit.error();
  const Result<std::optional<std::int64_t>> before = HistoryCursorOf(request.page_token());
  if (!before) co_return before.error();
  const Result<HistoryPage> page =
      co_await store_.ListHistory(*player_id, *variant, *before, *limit, DeadlineOf(call));
  if (!page) co_return page.error();
  v1::ListRatingHistoryResponse response;
  for (const RatingChange& change : page->changes) {
    *response.add_changes() = rating::ToProto(change);
  }
  if (page->more) response.set_next_page_token(ToToken(page->changes.back()));
  co_return response;
}

Task<Result<v1::ListLeaderboardResponse>> RatingService::DoListLeaderboard(
    rpc::Call call, const v1::ListLeaderboardRequest& request) {
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  const Result<std::int64_t> limit =
      PageSizeOf(request.page_size(), kLeaderboardPage, kLeaderboardPageMax);
  if (!limit) co_return limit.error();
  const Result<std::optional<LeaderboardCursor>> after = LeaderboardCursorOf(request.page_token());
  if (!after) co_return after.error();
  const std::string own_id = call.caller().IsPerson() ? call.caller().id : std::string();
  const Result<LeaderboardPage> page =
      co_await store_.ListLeaderboard(*variant, *after, *limit, own_id, DeadlineOf(call));
  if (!page) co_return page.error();
  v1::ListLeaderboardResponse response;
  for (const LeaderboardEntry& entry : page->entries) {
    *response.add_entries() = rating::ToProto(*variant, entry);
  }
  if (page->more) response.set_next_page_token(ToToken(page->entries.back()));
  if (page->own) *response.mutable_own() = rating::ToProto(*variant, *page->own);
  co_return response;
}

Task<Result<v1::ComparePlayersResponse>> RatingService::DoComparePlayers(
    rpc::Call call, const v1::ComparePlayersRequest& request) {
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  Status valid = CheckPlayerId(request.player_id(), "player_id");
  if (valid) valid = CheckPlayerId(request.opponent_id(), "opponent_id");
  if (!valid) co_return std::move(valid).error();
  const TimePoint deadline = DeadlineOf(call);
  const Result<Standing> one =
      co_await store_.LoadStanding(request.player_id(), *variant, deadline);
  if (!one) co_return one.error();
  const Result<Standing> other =
      co_await store_.LoadStanding(request.opponent_id(), *variant, deadline);
  if (!other) co_return other.error();

  v1::ComparePlayersResponse response;
  response.set_expected(elo::ExpectedScore(one->rating, other->rating).value());
  if (*variant == rules::Variant::kShogi) {  // the only game whose handicaps have a known worth
    const bool gives = one->rating > other->rating;
    const std::string_view handicap = gives ? elo::SuggestedHandicap(one->rating, other->rating)
                                            : elo::SuggestedHandicap(other->rating, one->rating);
    if (!handicap.empty()) {
      response.set_suggested_handicap(std::string(handicap));
      response.set_giver_id(gives ? request.player_id() : request.opponent_id());
    }
  }
  co_return response;
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

grpc::ServerUnaryReactor* RatingService::GetProfile(grpc::CallbackServerContext* context,
                                                    const v1::GetProfileRequest* request,
                                                    v1::GetProfileResponse* response) {
  return rpc::Unary(methods_["GetProfile"], context, request, response, this,
                    &RatingService::DoGetProfile);
}

grpc::ServerUnaryReactor* RatingService::GetRating(grpc::CallbackServerContext* context,
                                                   const v1::GetRatingRequest* request,
                                                   v1::GetRatingResponse* response) {
  return rpc::Unary(methods_["GetRating"], context, request, response, this,
                    &RatingService::DoGetRating);
}

grpc::ServerUnaryReactor* RatingService::ListRatingHistory(
    grpc::CallbackServerContext* context, const v1::ListRatingHistoryRequest* request,
    v1::ListRatingHistoryResponse* response) {
  return rpc::Unary(methods_["ListRatingHistory"], context, request, response, this,
                    &RatingService::DoListRatingHistory);
}

grpc::ServerUnaryReactor* RatingService::ListLeaderboard(grpc::CallbackServerContext* context,
                                                         const v1::ListLeaderboardRequest* request,
                                                         v1::ListLeaderboardResponse* response) {
  return rpc::Unary(methods_["ListLeaderboard"], context, request, response, this,
                    &RatingService::DoListLeaderboard);
}

grpc::ServerUnaryReactor* RatingService::ComparePlayers(grpc::CallbackServerContext* context,
                                                        const v1::ComparePlayersRequest* request,
                                                        v1::ComparePlayersResponse* response) {
  return rpc::Unary(methods_["ComparePlayers"], context, request, response, this,
                    &RatingService::DoComparePlayers);
}

grpc::ServerUnaryReactor* RatingService::ApplyResult(grpc::CallbackServerContext* context,
                                                     const v1::ApplyResultRequest* request,
                                                     v1::ApplyResultResponse* response) {
  return rpc::Unary(methods_["ApplyResult"], context, request, response, this,
                    &RatingService::DoApplyResult);
}

}  // namespace komadai::rating
