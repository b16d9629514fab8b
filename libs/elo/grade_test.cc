#include "libs/elo/grade.h"

#include <gtest/gtest.h>

#include <iterator>
#include <utility>

#include "libs/base/random.h"
#include "libs/elo/handicap.h"

namespace komadai::elo {
namespace {

Rating Points(double points) { return Rating::FromPoints(points); }

std::string_view NameAt(double points) {
  const std::optional<Grade> grade = GradeOf(Points(points));
  return grade ? GradeName(*grade) : "none";
}

TEST(GradeTest, BandsBeginAtTheirLowerBound) {
  EXPECT_EQ(NameAt(399.999), "none");
  EXPECT_EQ(NameAt(400), "15 kyu");
  EXPECT_EQ(NameAt(479.999), "15 kyu");
  EXPECT_EQ(NameAt(1200), "5 kyu");
  EXPECT_EQ(NameAt(1459.999), "3 kyu");
  EXPECT_EQ(NameAt(1460), "2 kyu");
  EXPECT_EQ(NameAt(1679.999), "1 kyu");
  EXPECT_EQ(NameAt(1680), "1 dan");
  EXPECT_EQ(NameAt(1920), "3 dan");
  EXPECT_EQ(NameAt(2440), "6 dan");
  EXPECT_EQ(NameAt(3000), "6 dan");
}

TEST(GradeTest, TheTableIsThatOfTheSpecification) {
  const std::pair<const char*, int> table[] = {
      {"6 dan", 2440}, {"5 dan", 2240}, {"4 dan", 2080}, {"3 dan", 1920}, {"2 dan", 1800},
      {"1 dan", 1680}, {"1 kyu", 1560}, {"2 kyu", 1460}, {"3 kyu", 1360}, {"4 kyu", 1280},
      {"5 kyu", 1200}, {"6 kyu", 1120}, {"7 kyu", 1040}, {"8 kyu", 960},  {"9 kyu", 880},
      {"10 kyu", 800}, {"11 kyu", 720}, {"12 kyu", 640}, {"13 kyu", 560}, {"14 kyu", 480},
      {"15 kyu", 400}};
  EXPECT_EQ(std::size(table), static_cast<std::size_t>(kGradeCount));
  for (const auto& [name, points] : table) {
    EXPECT_EQ(NameAt(points), name);
    EXPECT_NE(NameAt(points - 0.001), name);
  }
}

TEST(GradeTest, NamesReadBack) {
  for (int index = 0; index < kGradeCount; ++index) {
    EXPECT_EQ(FindGrade(GradeName(Grade{index})), Grade{index});
  }
  EXPECT_EQ(FindGrade("7 dan"), std::nullopt);
}

TEST(RankTest, AGradeAndThePartOfItsBand) {
  EXPECT_DOUBLE_EQ(RankOf(Points(400)), 0);
  EXPECT_DOUBLE_EQ(RankOf(Points(1480)), 13.2);
  EXPECT_DOUBLE_EQ(RankOf(Points(1740)), 15.5);
  EXPECT_DOUBLE_EQ(RankOf(Points(320)), -1);     // below the table
  EXPECT_DOUBLE_EQ(RankOf(Points(2540)), 20.5);  // above it
}

TEST(RankTest, RanksConvertBackToTheSameRating) {
  SeededRandom random(1);
  for (int i = 0; i < 20000; ++i) {
    const Rating rating{static_cast<std::int64_t>(random.Below(4'000'000)) - 500'000};
    EXPECT_EQ(RatingAt(RankOf(rating)), rating) << rating.milli_points;
  }
}

TEST(RankTest, RanksWidenWithStrength) {
  EXPECT_EQ(Weakened(Points(2240), 1), Points(2080));
  EXPECT_EQ(Weakened(Points(960), 1), Points(880));
  EXPECT_EQ(Weakened(Points(1560), 1.5), Points(1410));  // 1 kyu -> half of 3 kyu
  EXPECT_EQ(Weakened(Points(440), 1), Points(360));      // continues below 15 kyu
}

TEST(HandicapTest, WorthInRanks) {
  EXPECT_EQ(HandicapRanks(""), 0);
  EXPECT_EQ(HandicapRanks("none"), 0);
  EXPECT_EQ(HandicapRanks("moving_first"), 0.15);
  EXPECT_EQ(HandicapRanks("left_lance"), 0.5);
  EXPECT_EQ(HandicapRanks("bishop"), 1.5);
  EXPECT_EQ(HandicapRanks("rook"), 2);
  EXPECT_EQ(HandicapRanks("rook_lance"), 2.5);
  EXPECT_EQ(HandicapRanks("2_piece"), 3.5);
  EXPECT_EQ(HandicapRanks("4_piece"), 4.5);
  EXPECT_EQ(HandicapRanks("5_piece"), 6);
  EXPECT_EQ(HandicapRanks("6_piece"), 7);
  EXPECT_EQ(HandicapRanks("bare_king"), std::nullopt);
}

TEST(HandicapTest, SuggestionsFollowTheDifferenceOfRanks) {
  const struct {
    double difference;
    std::string_view handicap;
  } cases[] = {{-3, ""},
               {0, ""},
               {0.5, ""},
               {0.54, ""},
               {0.6, "left_lance"},
               {1.4, "left_lance"},
               {1.5, "bishop"},
               {2.0, "bishop"},
               {2.1, "rook"},
               {2.6, "rook"},
               {2.7, "rook_lance"},
               {3.5, "rook_lance"},
               {3.6, "2_piece"},
               {4.9, "2_piece"},
               {5.0, "4_piece"},
               {6.4, "4_piece"},
               {6.5, "5_piece"},
               {7.9, "5_piece"},
               {8.0, "6_piece"},
               {15, "6_piece"}};
  for (const auto& c : cases) {
    const Rating weaker = RatingAt(3.0);
    EXPECT_EQ(SuggestedHandicap(RatingAt(3.0 + c.difference), weaker), c.handicap) << c.difference;
  }
}

}  // namespace
}  // namespace komadai::elo
