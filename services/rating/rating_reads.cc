// What the rating service tells: profiles, lists, comparisons.
#include <chrono>
#include <utility>

#include "libs/convert/variant.h"
#include "libs/elo/elo.h"
#include "libs/elo/handicap.h"
#include "libs/rpc/error.h"
#include "services/rating/convert.h"
#include "services/rating/errors.h"
#include "services/rating/rating_service.h"

namespace komadai::rating {
namespace {

constexpr std::int64_t kHistoryPage = 50;
constexpr std::int64_t kHistoryPageMax = 200;
constexpr std::int64_t kLeaderboardPage = 50;
constexpr std::int64_t kLeaderboardPageMax = 100;
constexpr std::int64_t kSignalPage = 50;
constexpr std::int64_t kSignalPageMax = 200;
constexpr std::int64_t kChartDays = 1000;

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
pb::GetProfileResponse ProfileOf(const rpc::Caller& caller) {
  Profile profile;
  profile.player.id = caller.id;
  profile.player.name = caller.name;
  profile.player.kind = caller.kind == rpc::CallerKind::kGuest ? PlayerKind::kGuest
                        : caller.kind == rpc::CallerKind::kBot ? PlayerKind::kBot
                                                               : PlayerKind::kPerson;
  return ToProto(profile);
}

}  // namespace

Task<Result<pb::GetProfileResponse>> RatingService::GetProfile(
    rpc::Call call, const pb::GetProfileRequest& request) {
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

Task<Result<pb::GetRatingResponse>> RatingService::GetRating(rpc::Call call,
                                                             const pb::GetRatingRequest& request) {
  const Result<std::string> player_id = PlayerOf(call, request.player_id());
  if (!player_id) co_return player_id.error();
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  const Result<Standing> standing =
      co_await store_.LoadStanding(*player_id, *variant, DeadlineOf(call));
  if (!standing) co_return standing.error();
  pb::GetRatingResponse response;
  *response.mutable_rating() = rating::ToProto(*variant, *standing);
  co_return response;
}

Task<Result<pb::ListRatingHistoryResponse>> RatingService::ListRatingHistory(
    rpc::Call call, const pb::ListRatingHistoryRequest& request) {
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
  pb::ListRatingHistoryResponse response;
  for (const RatingChange& change : page->changes) {
    *response.add_changes() = rating::ToProto(change);
  }
  if (page->more) response.set_next_page_token(ToToken(page->changes.back()));
  co_return response;
}

Task<Result<pb::ListLeaderboardResponse>> RatingService::ListLeaderboard(
    rpc::Call call, const pb::ListLeaderboardRequest& request) {
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
  pb::ListLeaderboardResponse response;
  for (const LeaderboardEntry& entry : page->entries) {
    *response.add_entries() = rating::ToProto(*variant, entry);
  }
  if (page->more) response.set_next_page_token(ToToken(page->entries.back()));
  if (page->own) *response.mutable_own() = rating::ToProto(*variant, *page->own);
  co_return response;
}

Task<Result<pb::ComparePlayersResponse>> RatingService::ComparePlayers(
    rpc::Call call, const pb::ComparePlayersRequest& request) {
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  Status valid = CheckPlayerId(request.player_id(), "player_id");
  if (valid) valid = CheckPlayerId(request.opponent_id(), "opponent_id");
  if (!valid) co_return std::move(valid).error();
  const Result<Comparison> compared = co_await store_.Compare(
      request.player_id(), request.opponent_id(), *variant, DeadlineOf(call));
  if (!compared) co_return compared.error();

  const elo::Rating one = compared->player.rating;
  const elo::Rating other = compared->opponent.rating;
  const HeadToHead& between = compared->between;
  pb::ComparePlayersResponse response;
  response.set_expected(elo::ExpectedScore(one, other).value());
  response.set_wins(static_cast<std::int32_t>(between.wins));
  response.set_losses(static_cast<std::int32_t>(between.losses));
  response.set_draws(static_cast<std::int32_t>(between.draws));
  response.set_games(response.wins() + response.losses() + response.draws());
  if (*variant == rules::Variant::kShogi) {  // the only game whose handicaps have a known worth
    const bool gives = one > other;
    const std::string_view handicap =
        gives ? elo::SuggestedHandicap(one, other) : elo::SuggestedHandicap(other, one);
    if (!handicap.empty()) {
      response.set_suggested_handicap(std::string(handicap));
      response.set_giver_id(gives ? request.player_id() : request.opponent_id());
    }
  }
  co_return response;
}

Task<Result<pb::GetRatingChartResponse>> RatingService::GetRatingChart(
    rpc::Call call, const pb::GetRatingChartRequest& request) {
  const Result<std::string> player_id = PlayerOf(call, request.player_id());
  if (!player_id) co_return player_id.error();
  const Result<rules::Variant> variant = convert::VariantFromProto(request.variant());
  if (!variant) co_return variant.error();
  const Result<std::vector<ChartPoint>> chart =
      co_await store_.LoadChart(*player_id, *variant, kChartDays, DeadlineOf(call));
  if (!chart) co_return chart.error();
  pb::GetRatingChartResponse response;
  for (const ChartPoint& point : *chart) *response.add_points() = rating::ToProto(point);
  co_return response;
}

Task<Result<pb::ListRatingSignalsResponse>> RatingService::ListRatingSignals(
    rpc::Call call, const pb::ListRatingSignalsRequest& request) {
  Status valid = CheckPlayerId(request.player_id(), "player_id");
  if (!valid) co_return std::move(valid).error();
  const Result<std::int64_t> limit = PageSizeOf(request.page_size(), kSignalPage, kSignalPageMax);
  if (!limit) co_return limit.error();
  const Result<std::optional<SignalCursor>> after = SignalCursorOf(request.page_token());
  if (!after) co_return after.error();
  const Result<SignalPage> page =
      co_await store_.ListSignals(request.player_id(), *after, *limit, DeadlineOf(call));
  if (!page) co_return page.error();
  pb::ListRatingSignalsResponse response;
  for (const RatingSignal& signal : page->signals) {
    *response.add_signals() = rating::ToProto(signal);
  }
  if (page->more) response.set_next_page_token(ToToken(page->signals.back()));
  co_return response;
}

}  // namespace komadai::rating
