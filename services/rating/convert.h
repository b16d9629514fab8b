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

namespace pb = ::komadai::rating::v1;
namespace common_pb = ::komadai::common::v1;

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
Result<std::optional<RatedGame>> FromProto(const pb::ApplyResultRequest& request);

common_pb::Player ToProto(const Player& player);
pb::Rating ToProto(rules::Variant variant, const Standing& standing);
pb::RatingChange ToProto(const RatingChange& change);
pb::GetProfileResponse ToProto(const Profile& profile);
pb::LeaderboardEntry ToProto(rules::Variant variant, const LeaderboardEntry& entry);
pb::RatingPoint ToProto(const ChartPoint& point);
pb::RatingSignal ToProto(const RatingSignal& signal);
pb::CheckRatedGameResponse ToProto(const PairCheck& check);

}  // namespace komadai::rating
