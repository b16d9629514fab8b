// A player as the rating service knows one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/time.h"

namespace komadai::rating {

// The server's computer opponent has no account and never gets here.
enum class PlayerKind {
  kGuest,   // a nickname for casual games; forgotten after a while
  kPerson,  // a verified account
  kBot,     // a program with an account
};

// "guest", "person", "bot": as stored.
std::string_view KindName(PlayerKind kind);
std::optional<PlayerKind> FindKind(std::string_view name);

struct Player {
  std::string id;
  std::string name;
  PlayerKind kind = PlayerKind::kGuest;
  TimePoint created_at{};
};

}  // namespace komadai::rating
