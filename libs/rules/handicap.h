// Start positions: the even game and the handicaps, with the names people use.
#pragma once

#include <span>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/types.h"

namespace komadai::rules {

// Uwate (Second) gives the pieces and moves first. `id` is "none" for the even game.
struct Handicap {
  std::string_view id;          // "2_piece"
  std::string_view english;     // "Two pieces"
  std::string_view romaji;      // "Nimai-ochi"
  std::string_view kanji;       // "二枚落ち"
  std::string_view vietnamese;  // "Chấp 2 quân"
  std::string_view removed;     // Second's squares, file digit and rank letter: "2b8b"
  int second_pawns_in_hand = 0;
};

// The even game first.
std::span<const Handicap> HandicapsOf(Variant variant);
// NOT_FOUND/UNKNOWN_HANDICAP. An empty id is the even game.
Result<Handicap> FindHandicap(Variant variant, std::string_view id);
Position StartPosition(Variant variant);
Result<Position> StartPosition(Variant variant, std::string_view handicap_id);

inline constexpr Reason kUnknownHandicap{Code::kNotFound, "UNKNOWN_HANDICAP"};

}  // namespace komadai::rules
