// Fold: what a history comes to, computed again from its rows. Pure. Promise P6 is that this equals
// what is stored.
#pragma once

#include <string>
#include <vector>

#include "services/rating/domain/standing.h"

namespace komadai::rating {

// Whether two standings are the same in everything that is stored.
bool operator==(const Standing& a, const Standing& b);

// One player's history in one variant, row by row from the first.
class HistoryFold {
 public:
  // Empty if the row follows from those before, else what is wrong with it. The row counts in any
  // case.
  std::string Add(const RatingChange& change);
  const Standing& standing() const { return standing_; }

 private:
  Standing standing_;
};

// A game as it stands in the tables.
struct RecordedGame {
  std::string id;
  rules::Variant variant = rules::Variant::kShogi;
  std::string first_id;
  std::string second_id;
  elo::Score first_score;
  std::string handicap;
  TimePoint ended_at{};
  std::vector<RatingChange> changes;  // in any order
};

// Empty if the game changed exactly its two players, as the formula says and at once; else what is
// wrong.
std::string CheckGame(const RecordedGame& game);

}  // namespace komadai::rating
