#include "libs/elo/elo.h"

#include <cmath>
#include <cstdlib>

#include "libs/elo/grade.h"

namespace komadai::elo {
namespace {

struct Band {
  std::int64_t from_points;
  int k;
};
constexpr Band kFactors[] = {{2240, 16}, {1920, 20}, {1560, 24}, {1280, 28}, {1040, 32}, {720, 36}};
constexpr int kLargestK = 40;

}  // namespace

Rating Rating::FromPoints(double points) { return Rating{std::llround(points * 1000.0)}; }

Score ExpectedScore(Rating own, Rating opponent) {
  // Of the stronger side, so that rounding cannot break the sum with the weaker one's.
  if (own < opponent) return Opposite(ExpectedScore(opponent, own));
  const double gap = opponent.points() - own.points();
  return Score{std::llround(1e6 / (1.0 + std::pow(10.0, gap / 400.0)))};
}

int FactorK(Rating rating) {
  for (const Band& band : kFactors) {
    if (rating.milli_points >= band.from_points * 1000) return band.k;
  }
  return kLargestK;
}

std::int64_t Change(int k, Score score, Score expected) {
  // K points times millionths, to thousandths of a point: a division by 1000 with rounding.
  const std::int64_t exact = k * (score.millionths - expected.millionths);
  const std::int64_t rounded = (std::abs(exact) + 500) / 1000;
  return exact < 0 ? -rounded : rounded;
}

GameChange RateGame(Rating first, Rating second, Score first_score, double handicap_ranks) {
  const Rating second_plays_as = handicap_ranks == 0 ? second : Weakened(second, handicap_ranks);
  GameChange game;
  game.first.before = first;
  game.first.opponent = second_plays_as;
  game.first.expected = ExpectedScore(first, second_plays_as);
  game.first.score = first_score;
  game.first.k = FactorK(first);
  game.second.before = second;
  game.second.opponent = first;
  game.second.expected = Opposite(game.first.expected);
  game.second.score = Opposite(first_score);
  game.second.k = FactorK(second);
  for (SideChange* side : {&game.first, &game.second}) {
    side->after.milli_points =
        side->before.milli_points + Change(side->k, side->score, side->expected);
  }
  return game;
}

bool IsProvisional(const Record& record) { return record.games < kEstablishedGames; }

bool IsUnrated(const Record& record) {
  return record.games < kRatedGames || record.wins == record.games || record.losses == record.games;
}

}  // namespace komadai::elo
