// Reasons of the kifu service, in addition to those of the rules and of record files.
#pragma once

#include "libs/base/result.h"

namespace komadai::kifu {

inline constexpr Reason kKifuNotFound{Code::kNotFound, "KIFU_NOT_FOUND"};
inline constexpr Reason kStoredDifferently{Code::kAlreadyExists, "GAME_STORED_DIFFERENTLY"};
inline constexpr Reason kRequestIdReused{Code::kInvalidArgument, "REQUEST_ID_REUSED"};
inline constexpr Reason kInvalidRecord{Code::kInvalidArgument, "INVALID_RECORD"};
inline constexpr Reason kInvalidRequest{Code::kInvalidArgument, "INVALID_REQUEST"};
inline constexpr Reason kInvalidPageToken{Code::kInvalidArgument, "INVALID_PAGE_TOKEN"};

}  // namespace komadai::kifu
