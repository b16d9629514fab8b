// Moves between our plain notation and what an engine says.
//
// USI is the same on both sides. In xiangqi we write UCCI (ranks 0-9, "h2e2"), while engines of
// the Stockfish family speak UCI with ranks 1-10 ("h3e3", "a10a9").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "services/engine/domain/engine_spec.h"

namespace komadai::engine {

// `move` is in plain notation and valid.
std::string ToEngineMove(RankNumbers ranks, std::string_view move);
// Nothing when the text cannot be a move of the notation.
std::optional<std::string> FromEngineMove(RankNumbers ranks, std::string_view text);

}  // namespace komadai::engine
