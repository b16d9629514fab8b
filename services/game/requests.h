// What many requests of the contract have in common.
#pragma once

#include <algorithm>
#include <string>

#include "libs/base/result.h"
#include "libs/rpc/call.h"
#include "services/game/app/game_commands.h"
#include "services/game/errors.h"

namespace komadai::game {

inline constexpr std::size_t kMaxGameIdBytes = 64;

// Anything that is no id of ours names no game. GAME_NOT_FOUND.
inline Status CheckGameId(const std::string& game_id) {
  const bool plain = std::all_of(game_id.begin(), game_id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (!game_id.empty() && game_id.size() <= kMaxGameIdBytes && plain) return {};
  return Error(kGameNotFound, "no such game");
}

// The caller acts, for themselves.
inline PlayerAction ActionOf(const rpc::Call& call, const std::string& game_id) {
  return {call, game_id, call.caller().id};
}

}  // namespace komadai::game
