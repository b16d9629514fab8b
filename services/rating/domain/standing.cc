#include "services/rating/domain/standing.h"

#include <algorithm>

namespace komadai::rating {

Standing After(Standing standing, const elo::SideChange& change, TimePoint at) {
  standing.rating = change.after;
  standing.peak = std::max(standing.peak, change.after);
  if (change.score == elo::kWin) ++standing.wins;
  if (change.score == elo::kLoss) ++standing.losses;
  if (change.score == elo::kDraw) ++standing.draws;
  if (standing.provisional()) return standing;
  const std::optional<elo::Grade> grade = elo::GradeOf(standing.rating);
  if (grade && (!standing.grade || *grade > *standing.grade)) {
    standing.grade = grade;
    standing.grade_reached_at = at;
  }
  return standing;
}

namespace {

RatingChange ChangeOf(const RatedGame& game, const Player& player, const Player& opponent,
                      const elo::SideChange& side, const Standing& after) {
  RatingChange change;
  change.number = after.games();
  change.game_id = game.id;
  change.variant = game.variant;
  change.player_id = player.id;
  change.opponent_id = opponent.id;
  change.side = side;
  change.handicap = game.handicap;
  change.at = game.ended_at;
  return change;
}

}  // namespace

RatedPair Rate(const RatedGame& game, const Standing& first, const Standing& second) {
  const elo::GameChange change =
      elo::RateGame(first.rating, second.rating, game.first_score, game.handicap_ranks);
  RatedPair pair;
  pair.first = After(first, change.first, game.ended_at);
  pair.second = After(second, change.second, game.ended_at);
  pair.first_change = ChangeOf(game, game.first, game.second, change.first, pair.first);
  pair.second_change = ChangeOf(game, game.second, game.first, change.second, pair.second);
  return pair;
}

}  // namespace komadai::rating
