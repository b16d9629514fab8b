#include "libs/elo/handicap.h"

#include <cmath>

#include "libs/elo/grade.h"

namespace komadai::elo {
namespace {

struct Worth {
  std::string_view handicap_id;
  double ranks;
};
constexpr Worth kWorths[] = {
    {"", 0},
    {"none", 0},
    {"moving_first", 0.15},  // the even game in which the weaker side is always given the move
    {"left_lance", 0.5},
    {"right_lance", 0.5},
    {"bishop", 1.5},
    {"rook", 2},
    {"rook_lance", 2.5},
    {"2_piece", 3.5},
    {"4_piece", 4.5},
    {"5_piece", 6},
    {"5_piece_left_knight", 6},
    {"6_piece", 7},
};

// From which difference, in tenths of a rank, a handicap is suggested.
struct Suggestion {
  std::int64_t from_tenths;
  std::string_view handicap_id;
};
constexpr Suggestion kSuggestions[] = {
    {80, "6_piece"},    {65, "5_piece"}, {50, "4_piece"}, {36, "2_piece"},
    {27, "rook_lance"}, {21, "rook"},    {15, "bishop"},  {6, "left_lance"},
};

}  // namespace

std::optional<double> HandicapRanks(std::string_view handicap_id) {
  for (const Worth& worth : kWorths) {
    if (worth.handicap_id == handicap_id) return worth.ranks;
  }
  return std::nullopt;
}

std::string_view SuggestedHandicap(Rating stronger, Rating weaker) {
  const std::int64_t tenths = std::llround((RankOf(stronger) - RankOf(weaker)) * 10.0);
  for (const Suggestion& suggestion : kSuggestions) {
    if (tenths >= suggestion.from_tenths) return suggestion.handicap_id;
  }
  return "";
}

}  // namespace komadai::elo
