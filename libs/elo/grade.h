// Grades (kyu and dan) as bands of Elo, and ranks: the continuous scale they form.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libs/elo/elo.h"

namespace komadai::elo {

// 0 is 15 kyu, 14 is 1 kyu, 15 is 1 dan, 20 is 6 dan.
struct Grade {
  int index = 0;
  friend auto operator<=>(const Grade&, const Grade&) = default;
};

inline constexpr int kGradeCount = 21;
inline constexpr Grade kLowestGrade{0};
inline constexpr Grade kHighestGrade{kGradeCount - 1};

// The band `rating` is in; none below 15 kyu (400).
std::optional<Grade> GradeOf(Rating rating);
// The lower bound of the band.
Rating LowerBound(Grade grade);
// "15 kyu" ... "1 kyu", "1 dan" ... "6 dan".
std::string_view GradeName(Grade grade);
std::optional<Grade> FindGrade(std::string_view name);

// The grade's index plus how far into its band the rating is: 1480 is 2 kyu and a fifth, 13.2.
// Continues beyond the table with the width of the last band on either side.
double RankOf(Rating rating);
// The inverse.
Rating RatingAt(double rank);

// The rating of somebody `ranks` weaker. Ranks widen with strength, so the points differ.
Rating Weakened(Rating rating, double ranks);

}  // namespace komadai::elo
