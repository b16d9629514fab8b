#include "services/rating/domain/player.h"

namespace komadai::rating {

std::string_view KindName(PlayerKind kind) {
  switch (kind) {
    case PlayerKind::kGuest:
      return "guest";
    case PlayerKind::kPerson:
      return "person";
    case PlayerKind::kBot:
      return "bot";
  }
  return "";
}

std::optional<PlayerKind> FindKind(std::string_view name) {
  for (const PlayerKind kind : {PlayerKind::kGuest, PlayerKind::kPerson, PlayerKind::kBot}) {
    if (KindName(kind) == name) return kind;
  }
  return std::nullopt;
}

}  // namespace komadai::rating
