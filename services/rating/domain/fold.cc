#include "services/rating/domain/fold.h"

#include <optional>

#include "libs/elo/handicap.h"

namespace komadai::rating {
namespace {

const RatingChange* ChangeFor(const RecordedGame& game, const std::string& player_id) {
  for (const RatingChange& change : game.changes) {
    if (change.player_id == player_id) return &change;
  }
  return nullptr;
}

bool Same(const elo::SideChange& a, const elo::SideChange& b) {
  return a.before == b.before && a.after == b.after && a.opponent == b.opponent &&
         a.expected == b.expected && a.score == b.score && a.k == b.k;
}

bool Describes(const RatingChange& change, const RecordedGame& game, const std::string& opponent) {
  return change.game_id == game.id && change.variant == game.variant &&
         change.opponent_id == opponent && change.handicap == game.handicap &&
         change.at == game.ended_at;
}

}  // namespace

bool operator==(const Standing& a, const Standing& b) {
  // Without a grade its date has no meaning.
  const bool same_date = !a.grade || a.grade_reached_at == b.grade_reached_at;
  return a.rating == b.rating && a.peak == b.peak && a.wins == b.wins && a.losses == b.losses &&
         a.draws == b.draws && a.grade == b.grade && same_date;
}

std::string HistoryFold::Add(const RatingChange& change) {
  const elo::SideChange& side = change.side;
  std::string wrong;
  if (change.number != standing_.games() + 1) {
    wrong = "row " + std::to_string(change.number) + " follows row " +
            std::to_string(standing_.games());
  } else if (side.before != standing_.rating) {
    wrong = "does not begin where the row before ended";
  } else if (side.score != elo::kWin && side.score != elo::kLoss && side.score != elo::kDraw) {
    wrong = "is neither won nor lost nor drawn";
  } else if (side.k != elo::FactorK(side.before)) {
    wrong = "has another K than its rating";
  } else if (side.after.milli_points !=
             side.before.milli_points + elo::Change(side.k, side.score, side.expected)) {
    wrong = "does not end where its own figures lead";
  }
  standing_ = After(standing_, side, change.at);
  return wrong;
}

std::string CheckGame(const RecordedGame& game) {
  const RatingChange* first = ChangeFor(game, game.first_id);
  const RatingChange* second = ChangeFor(game, game.second_id);
  if (game.changes.size() != 2 || first == nullptr || second == nullptr || first == second) {
    return "has " + std::to_string(game.changes.size()) + " changes instead of one a player";
  }
  if (!Describes(*first, game, game.second_id) || !Describes(*second, game, game.first_id)) {
    return "is not the game its changes speak of";
  }
  const std::optional<double> ranks = elo::HandicapRanks(game.handicap);
  if (!ranks) return "has a handicap without a worth";
  const elo::GameChange due =
      elo::RateGame(first->side.before, second->side.before, game.first_score, *ranks);
  if (!Same(first->side, due.first) || !Same(second->side, due.second)) {
    return "did not change the ratings as the formula says";
  }
  return "";
}

}  // namespace komadai::rating
