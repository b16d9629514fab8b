// Requests and answers of the contract to and from the domain. All refusals are INVALID_ARGUMENT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "komadai/rating/v1/rating.pb.h"
#include "libs/base/result.h"
#include "services/rating/domain/player.h"
#include "services/rating/domain/standing.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

namespace v1 = ::komadai::rating::v1;
namespace common = ::komadai::common::v1;

inline constexpr std::size_t kIdBytesMax = 128;

// INVALID_PLAYER_ID for what cannot be an id.
Status CheckPlayerId(const std::string& player_id, const char* field);

// 0 is `standard`; more than `max` is `max`. INVALID_PAGE_SIZE below 0.
Result<std::int64_t> PageSizeOf(std::int32_t requested, std::int64_t standard, std::int64_t max);

// Page tokens. Clients treat them as opaque. INVALID_PAGE_TOKEN.
std::string ToToken(const RatingChange& last);
Result<std::optional<std::int64_t>> HistoryCursorOf(const std::string& token);
std::string ToToken(const LeaderboardEntry& last);
Result<std::optional<LeaderboardCursor>> LeaderboardCursorOf(const std::string& token);
std::string ToToken(const RatingSignal& last);
Result<std::optional<SignalCursor>> SignalCursorOf(const std::string& token);

// The game if it changes ratings; none if it is to be acknowledged only: casual, aborted or without
// result, one side never moved, a guest or the computer played, or the handicap has no agreed
// worth. UNKNOWN_VARIANT, INVALID_GAME_ID, INVALID_PLAYER_ID, INVALID_RESULT, SELF_PLAY.
Result<std::optional<RatedGame>> FromProto(const v1::ApplyResultRequest& request);

common::Player ToProto(const Player& player);
v1::Rating ToProto(rules::Variant variant, const Standing& standing);
v1::RatingChange ToProto(const RatingChange& change);
v1::GetProfileResponse ToProto(const Profile& profile);
v1::LeaderboardEntry ToProto(rules::Variant variant, const LeaderboardEntry& entry);
v1::RatingPoint ToProto(const ChartPoint& point);
v1::RatingSignal ToProto(const RatingSignal& signal);
v1::CheckRatedGameResponse ToProto(const PairCheck& check);

}  // namespace komadai::rating
