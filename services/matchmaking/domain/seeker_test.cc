#include "services/matchmaking/domain/seeker.h"

#include <gtest/gtest.h>

namespace komadai::matchmaking {
namespace {

constexpr TimePoint kNow{Millis{1'700'000'000'000}};
constexpr std::uint64_t kBlitz = 1;
constexpr std::uint64_t kRapid = 2;

Seeker Somebody(const std::string& id, int rating = 1500) {
  Seeker seeker;
  seeker.seek_id = "seek-" + id;
  seeker.player_id = id;
  seeker.pools = {kBlitz};
  seeker.rating = rating;
  seeker.since = kNow;
  return seeker;
}

TEST(LegalTest, TwoPeopleInOnePool) {
  EXPECT_TRUE(Legal(Somebody("a"), Somebody("b")));
  Seeker again = Somebody("a");
  again.seek_id = "another seek";
  EXPECT_FALSE(Legal(Somebody("a"), again)) << "nobody plays themselves";
  Seeker other = Somebody("b");
  other.pools = {kRapid};
  EXPECT_FALSE(Legal(Somebody("a"), other));
}

TEST(LegalTest, TheSameWishedSideKeepsThemApart) {
  Seeker a = Somebody("a");
  Seeker b = Somebody("b");
  a.wish = b.wish = Side::kFirst;
  EXPECT_FALSE(Legal(a, b));
  b.wish = Side::kSecond;
  EXPECT_TRUE(Legal(a, b));
}

TEST(LegalTest, BothMustAcceptTheRatingDifference) {
  Seeker a = Somebody("a", 1500);
  Seeker b = Somebody("b", 1300);
  a.range = 200;
  EXPECT_TRUE(Legal(a, b));
  b.range = 199;
  EXPECT_FALSE(Legal(a, b));
  EXPECT_FALSE(Legal(b, a));
}

TEST(LegalTest, AnUnratedPlayerCountsAs1200) {
  Seeker a = Somebody("a", 1250);
  Seeker unrated = Somebody("b");
  unrated.rating = std::nullopt;
  a.range = 100;
  EXPECT_TRUE(Legal(a, unrated));
  a.rating = 1400;
  EXPECT_FALSE(Legal(a, unrated));
}

TEST(LegalTest, WhoExcludesSomebodyDoesNotMeetThem) {
  Seeker a = Somebody("a");
  a.excluded = {"b"};
  EXPECT_FALSE(Legal(a, Somebody("b")));
  EXPECT_FALSE(Legal(Somebody("b"), a));
  EXPECT_TRUE(Legal(a, Somebody("c")));
}

TEST(LegalTest, AgainstTheStrengthsAHandicapNeedsBothWishes) {
  Seeker strong = Somebody("strong", 1800);
  Seeker weak = Somebody("weak", 1200);
  strong.handicap = weak.handicap = HandicapWish::kFixed;
  EXPECT_TRUE(Legal(strong, weak));
  strong.wish = Side::kFirst;
  EXPECT_FALSE(Legal(strong, weak)) << "the weaker did not offer to give";
  weak.wish = Side::kSecond;
  EXPECT_TRUE(Legal(strong, weak));
}

TEST(LegalTest, ASuggestedHandicapIsNeverGivenByTheWeaker) {
  Seeker strong = Somebody("strong", 1800);
  Seeker weak = Somebody("weak", 1200);
  strong.handicap = weak.handicap = HandicapWish::kSuggested;
  strong.wish = Side::kFirst;
  weak.wish = Side::kSecond;
  EXPECT_FALSE(Legal(strong, weak));
  weak.rating = 1790;  // nothing is suggested: an even game
  EXPECT_TRUE(Legal(strong, weak));
}

TEST(WindowTest, ItWidensAndThenAnybodyWillDo) {
  Seeker seeker = Somebody("a");
  EXPECT_EQ(RatingWindow(seeker, kNow), 100);
  EXPECT_EQ(RatingWindow(seeker, kNow + Millis(30'000)), 400);
  EXPECT_EQ(RatingWindow(seeker, kNow + kAnybodyAfter), std::nullopt);
  seeker.range = 250;
  EXPECT_EQ(RatingWindow(seeker, kNow), 100);
  EXPECT_EQ(RatingWindow(seeker, kNow + Millis(30'000)), 250);
  EXPECT_EQ(RatingWindow(seeker, kNow + kAnybodyAfter), 250);
  seeker.first_range = 300;
  EXPECT_EQ(RatingWindow(seeker, kNow), 250);
}

TEST(GainTest, CloserAndLongerWaitingPairsGainMore) {
  const Seeker a = Somebody("a", 1500);
  const Seeker near = Somebody("near", 1520);
  const Seeker far = Somebody("far", 1590);
  EXPECT_EQ(Gain(a, near, kNow), 80);
  EXPECT_EQ(Gain(a, far, kNow), 10);
  EXPECT_EQ(Gain(a, Somebody("b", 1601), kNow), -1);
  Seeker waited = far;
  waited.since = kNow - Millis(10'000);
  EXPECT_EQ(Gain(a, waited, kNow), 60) << "half of what one alone has waited";
  Seeker met = near;
  met.recent = {"a"};
  EXPECT_EQ(Gain(a, met, kNow), 80 - kMetBefore);
}

TEST(GainTest, WhoIsOverdueGainsWithAnybody) {
  Seeker overdue = Somebody("a", 3500);
  overdue.since = kNow - kAnybodyAfter;
  const std::int64_t gain = Gain(overdue, Somebody("b", 400), kNow);
  EXPECT_GT(gain, 10'000);
  overdue.since -= Millis(10'000);
  EXPECT_GT(Gain(overdue, Somebody("b", 400), kNow), gain);
}

TEST(GainTest, ASuggestedHandicapMakesUpForTheDifference) {
  Seeker strong = Somebody("strong", 1700);
  Seeker weak = Somebody("weak", 1400);
  EXPECT_LT(Gain(strong, weak, kNow), 0);
  strong.handicap = weak.handicap = HandicapWish::kSuggested;
  EXPECT_EQ(SuggestedHandicap(strong, weak), "rook_lance");
  EXPECT_GT(Gain(strong, weak, kNow), 0);
}

TEST(SharedPoolTest, TheOneThatBothPrefer) {
  Seeker a = Somebody("a");
  Seeker b = Somebody("b");
  a.pools = {1, 2};
  b.pools = {2, 3, 1};
  EXPECT_EQ(SharedPool(a, b), 2u);
  b.pools = {3, 1, 2};
  EXPECT_EQ(SharedPool(a, b), 1u);
  b.pools = {5};
  EXPECT_EQ(SharedPool(a, b), std::nullopt);
}

TEST(SideTest, AWishIsGranted) {
  SeededRandom random(1);
  Seeker a = Somebody("a");
  Seeker b = Somebody("b");
  b.wish = Side::kFirst;
  a.first_balance = -9;
  EXPECT_EQ(SideOfFirstNamed(a, b, random), Side::kSecond);
  EXPECT_EQ(SideOfFirstNamed(b, a, random), Side::kFirst);
}

TEST(SideTest, ThePlayerWhoWasFirstLessOftenIsFirst) {
  SeededRandom random(1);
  Seeker a = Somebody("a");
  const Seeker b = Somebody("b");
  a.first_balance = -1;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(SideOfFirstNamed(a, b, random), Side::kFirst);
}

TEST(SideTest, OtherwiseTheLotFallsBothWays) {
  SeededRandom random(1);
  int first = 0;
  for (int i = 0; i < 1000; ++i) {
    if (SideOfFirstNamed(Somebody("a"), Somebody("b"), random) == Side::kFirst) ++first;
  }
  EXPECT_GT(first, 400);
  EXPECT_LT(first, 600);
}

TEST(SideTest, TheStrongerGivesTheHandicap) {
  SeededRandom random(1);
  Seeker strong = Somebody("strong", 1800);
  Seeker weak = Somebody("weak", 1200);
  strong.handicap = weak.handicap = HandicapWish::kFixed;
  weak.first_balance = 9;  // handicap games are not for balance
  EXPECT_EQ(SideOfFirstNamed(strong, weak, random), Side::kSecond);
  EXPECT_EQ(SideOfFirstNamed(weak, strong, random), Side::kFirst);
  strong.wish = Side::kFirst;
  weak.wish = Side::kSecond;
  EXPECT_EQ(SideOfFirstNamed(strong, weak, random), Side::kFirst) << "as both wish";
}

}  // namespace
}  // namespace komadai::matchmaking
