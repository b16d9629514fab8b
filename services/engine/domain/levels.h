// The strength of the computer opponents: the one table that says what Easy, Medium and Hard are.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/base/time.h"
#include "services/engine/domain/search.h"

namespace komadai::engine {

enum class Level { kEasy, kMedium, kHard };

// `skill` makes the engine choose weaker moves on purpose, the limits bound how far it looks. Depth
// and nodes come first so that a level is as strong on a slow machine as on a fast one; the time is
// what a person waits at most.
struct LevelSettings {
  Level level;
  std::optional<int> skill;
  std::optional<int> depth;
  std::optional<std::int64_t> nodes;
  Millis time;
};

inline constexpr LevelSettings kLevels[] = {
    {Level::kEasy, -8, 3, 3'000, Millis(500)},
    {Level::kMedium, 8, 8, 60'000, Millis(1'500)},
    {Level::kHard, std::nullopt, std::nullopt, std::nullopt, Millis(3'000)},
};

inline const LevelSettings& SettingsOf(Level level) { return kLevels[static_cast<int>(level)]; }
inline Limits LimitsOf(const LevelSettings& settings) {
  return {.time = settings.time, .nodes = settings.nodes, .depth = settings.depth};
}

}  // namespace komadai::engine
