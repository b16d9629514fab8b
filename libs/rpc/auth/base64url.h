// base64url without padding, as JWTs and JWKs write bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace komadai::rpc {

// None for anything else.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace komadai::rpc
