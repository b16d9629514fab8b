// Signals: what is unusual about a rated game, noted for those who look into abuse (players who
// lose on purpose to be given weaker opponents; two who feed each other points). Pure; judges
// nobody.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/rating/domain/standing.h"

namespace komadai::rating {

enum class SignalKind {
  kEarlyLoss,     // conceded before both sides had made ten moves
  kUpset,         // lost though nine points of ten were expected, with an established rating
  kRepeatedPair,  // more games of one pair in a day than are allowed
};

// "early_loss" etc.: as stored.
std::string_view SignalName(SignalKind kind);
std::optional<SignalKind> FindSignal(std::string_view name);

// One player's part in one game.
struct RatingSignal {
  SignalKind kind = SignalKind::kEarlyLoss;
  std::string game_id;
  rules::Variant variant = rules::Variant::kShogi;
  std::string player_id;
  std::string opponent_id;
  TimePoint at{};
};

inline constexpr int kEarlyPlies = 20;
inline constexpr elo::Score kUpsetExpectation{900'000};

// `first` and `second` are the standings before the game. `pair_exhausted`: the pair had played all
// the games a day that it may before this one.
std::vector<RatingSignal> SignalsOf(const RatedGame& game, const Standing& first,
                                    const Standing& second, const RatedPair& rated,
                                    bool pair_exhausted);

}  // namespace komadai::rating
