#include "libs/rpc/caller.h"

#include <array>

namespace komadai::rpc {
namespace {
constexpr std::array<std::string_view, 6> kNames{"anonymous", "guest",   "player",
                                                 "bot",       "service", "admin"};
}  // namespace

std::string_view KindName(CallerKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<CallerKind> ParseKind(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<CallerKind>(i);
  }
  return std::nullopt;
}

}  // namespace komadai::rpc
