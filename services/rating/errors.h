// The reasons the rating service refuses with, beside those of libs/sql, libs/names and
// libs/convert.
#pragma once

#include "libs/base/result.h"

namespace komadai::rating {

// The request.
inline constexpr Reason kPlayerRequired{Code::kInvalidArgument, "PLAYER_REQUIRED"};
inline constexpr Reason kInvalidPlayerId{Code::kInvalidArgument, "INVALID_PLAYER_ID"};
inline constexpr Reason kInvalidPageSize{Code::kInvalidArgument, "INVALID_PAGE_SIZE"};
inline constexpr Reason kInvalidPageToken{Code::kInvalidArgument, "INVALID_PAGE_TOKEN"};

// Sessions.
inline constexpr Reason kTooManySessions{Code::kResourceExhausted, "TOO_MANY_SESSIONS"};
inline constexpr Reason kTestPlayersDisabled{Code::kPermissionDenied, "TEST_PLAYERS_DISABLED"};

// Players and games.
inline constexpr Reason kPlayerNotFound{Code::kNotFound, "PLAYER_NOT_FOUND"};
inline constexpr Reason kInvalidGameId{Code::kInvalidArgument, "INVALID_GAME_ID"};
inline constexpr Reason kInvalidResult{Code::kInvalidArgument, "INVALID_RESULT"};
inline constexpr Reason kSelfPlay{Code::kInvalidArgument, "SELF_PLAY"};
inline constexpr Reason kGameRatedDifferently{Code::kAlreadyExists, "GAME_RATED_DIFFERENTLY"};

}  // namespace komadai::rating
