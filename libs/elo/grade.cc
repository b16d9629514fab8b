#include "libs/elo/grade.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "libs/base/check.h"

namespace komadai::elo {
namespace {

struct Band {
  std::string_view name;
  int from_points;
};
constexpr Band kBands[] = {
    {"15 kyu", 400}, {"14 kyu", 480}, {"13 kyu", 560}, {"12 kyu", 640}, {"11 kyu", 720},
    {"10 kyu", 800}, {"9 kyu", 880},  {"8 kyu", 960},  {"7 kyu", 1040}, {"6 kyu", 1120},
    {"5 kyu", 1200}, {"4 kyu", 1280}, {"3 kyu", 1360}, {"2 kyu", 1460}, {"1 kyu", 1560},
    {"1 dan", 1680}, {"2 dan", 1800}, {"3 dan", 1920}, {"4 dan", 2080}, {"5 dan", 2240},
    {"6 dan", 2440},
};
static_assert(std::size(kBands) == kGradeCount);

const Band& BandOf(Grade grade) {
  KOMADAI_CHECK(grade >= kLowestGrade && grade <= kHighestGrade);
  return kBands[grade.index];
}

// How many points one rank is around `index`, which may lie outside the table.
double WidthAt(int index) {
  const int band = std::clamp(index, 0, kGradeCount - 2);
  return kBands[band + 1].from_points - kBands[band].from_points;
}

}  // namespace

std::optional<Grade> GradeOf(Rating rating) {
  for (int index = kGradeCount - 1; index >= 0; --index) {
    if (rating >= LowerBound(Grade{index})) return Grade{index};
  }
  return std::nullopt;
}

Rating LowerBound(Grade grade) { return Rating{std::int64_t{BandOf(grade).from_points} * 1000}; }

std::string_view GradeName(Grade grade) { return BandOf(grade).name; }

std::optional<Grade> FindGrade(std::string_view name) {
  for (int index = 0; index < kGradeCount; ++index) {
    if (kBands[index].name == name) return Grade{index};
  }
  return std::nullopt;
}

double RankOf(Rating rating) {
  const int index = GradeOf(rating).value_or(kLowestGrade).index;
  return index + (rating.points() - kBands[index].from_points) / WidthAt(index);
}

Rating RatingAt(double rank) {
  const int index = std::clamp(static_cast<int>(std::floor(rank)), 0, kGradeCount - 1);
  return Rating::FromPoints(kBands[index].from_points + (rank - index) * WidthAt(index));
}

Rating Weakened(Rating rating, double ranks) { return RatingAt(RankOf(rating) - ranks); }

}  // namespace komadai::elo
