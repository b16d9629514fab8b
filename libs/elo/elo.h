// Elo as FESA uses it (Federation of European Shogi Associations, fesashogi.eu "Elo system").
//
// All amounts are integers, so that a rating is exactly the sum of its history on every machine:
// ratings in thousandths of a point, expected scores in millionths. The only rounding is that of
// the expected score and of the change, both to the nearest, halves away from zero.
#pragma once

#include <compare>
#include <cstdint>

namespace komadai::elo {

// A rating in thousandths of a point.
struct Rating {
  std::int64_t milli_points = 0;

  static Rating FromPoints(double points);
  double points() const { return static_cast<double>(milli_points) / 1000.0; }
  friend auto operator<=>(const Rating&, const Rating&) = default;
};

inline constexpr Rating kInitialRating{1'200'000};

// A score or an expected score in millionths of a won game.
struct Score {
  std::int64_t millionths = 0;

  double value() const { return static_cast<double>(millionths) / 1e6; }
  friend auto operator<=>(const Score&, const Score&) = default;
};

inline constexpr Score kWin{1'000'000};
inline constexpr Score kDraw{500'000};
inline constexpr Score kLoss{0};

// What the other side gets.
constexpr Score Opposite(Score score) { return Score{kWin.millionths - score.millionths}; }

// 1 / (1 + 10^((opponent - own) / 400)). ExpectedScore(a, b) and ExpectedScore(b, a) sum to a win.
Score ExpectedScore(Rating own, Rating opponent);

// The factor K for a rating about to change: 40 for beginners down to 16 for masters.
int FactorK(Rating rating);

// K * (score - expected) in thousandths of a point. Equal K give changes that sum to zero.
std::int64_t Change(int k, Score score, Score expected);

// One side of a rated game.
struct SideChange {
  Rating before;
  Rating after;
  Rating opponent;  // as used in the formula: the giver of a handicap counts as weaker
  Score expected;
  Score score;
  int k = 0;
};

struct GameChange {
  SideChange first;
  SideChange second;
};

// Rates one game. `handicap_ranks` is what the second side (uwate) gave, see handicap.h; 0 is an
// even game. Each side's K follows from its own rating.
GameChange RateGame(Rating first, Rating second, Score first_score, double handicap_ranks);

// How far a rating can be trusted, from the rated games behind it.
struct Record {
  std::int64_t games = 0;
  std::int64_t wins = 0;
  std::int64_t losses = 0;
};

inline constexpr std::int64_t kEstablishedGames = 18;
inline constexpr std::int64_t kRatedGames = 9;

// Fewer than 18 rated games.
bool IsProvisional(const Record& record);
// Fewer than 9 rated games, or only wins or only losses so far.
bool IsUnrated(const Record& record);

}  // namespace komadai::elo
