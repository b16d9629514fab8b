// Request ids: what makes a creating call safe to repeat.
#pragma once

#include <string>

#include "libs/base/result.h"

namespace komadai::rpc {

inline constexpr Reason kBadRequestId{Code::kInvalidArgument, "BAD_REQUEST_ID"};

// 8 to 64 printable ASCII characters without blanks. BAD_REQUEST_ID.
Status CheckRequestId(const std::string& request_id);

// The id of what this creator's request creates: the same request finds the same thing, and other
// creators cannot hit it. 16 characters of a-z and 2-7 (80 bits of SHA-256).
std::string IdFromRequest(const std::string& creator_id, const std::string& request_id);

// The same for an id that nobody may guess, because knowing it is a right: with a key that only the
// servers have.
std::string SecretIdFromRequest(const std::string& key, const std::string& creator_id,
                                const std::string& request_id);

}  // namespace komadai::rpc
