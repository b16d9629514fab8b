#include "services/matchmaking/domain/pairing.h"

#include <gtest/gtest.h>

namespace komadai::matchmaking {
namespace {

Candidate Seeker(std::string id) {
  Candidate candidate;
  candidate.seek_id = "seek-" + id;
  candidate.player_id = std::move(id);
  candidate.pools = {"blitz"};
  return candidate;
}

TEST(PairingTest, TwoPeopleInOnePoolAreCompatible) {
  EXPECT_TRUE(Compatible(Seeker("a"), Seeker("b")));
}

TEST(PairingTest, NobodyIsPairedWithThemselves) {
  Candidate again = Seeker("a");
  again.seek_id = "another seek";
  EXPECT_FALSE(Compatible(Seeker("a"), again));
}

TEST(PairingTest, DifferentPoolsDoNotMeet) {
  Candidate other = Seeker("b");
  other.pools = {"rapid"};
  EXPECT_FALSE(Compatible(Seeker("a"), other));
  other.pools = {"rapid", "blitz"};
  EXPECT_TRUE(Compatible(Seeker("a"), other));
  EXPECT_EQ(SharedPool(Seeker("a"), other), "blitz");
}

TEST(PairingTest, TheSameWishedSideKeepsThemApart) {
  Candidate a = Seeker("a");
  Candidate b = Seeker("b");
  a.wish = b.wish = Side::kFirst;
  EXPECT_FALSE(Compatible(a, b));
  b.wish = Side::kSecond;
  EXPECT_TRUE(Compatible(a, b));
}

TEST(PairingTest, BothMustAcceptTheRatingGap) {
  Candidate a = Seeker("a");
  Candidate b = Seeker("b");
  a.rating = 1500;
  b.rating = 1300;
  EXPECT_TRUE(Compatible(a, b));
  a.rating_range = 200;
  EXPECT_TRUE(Compatible(a, b));
  b.rating_range = 199;
  EXPECT_FALSE(Compatible(a, b));
  EXPECT_FALSE(Compatible(b, a));
}

TEST(PairingTest, AWishedSideIsGranted) {
  SeededRandom random(1);
  Candidate a = Seeker("a");
  Candidate b = Seeker("b");
  b.wish = Side::kFirst;
  EXPECT_EQ(SideOfFirstNamed(a, b, random), Side::kSecond);
  EXPECT_EQ(SideOfFirstNamed(b, a, random), Side::kFirst);
}

TEST(PairingTest, WithoutWishesTheLotFallsBothWays) {
  SeededRandom random(1);
  int first = 0;
  for (int i = 0; i < 1000; ++i) {
    if (SideOfFirstNamed(Seeker("a"), Seeker("b"), random) == Side::kFirst) ++first;
  }
  EXPECT_GT(first, 400);
  EXPECT_LT(first, 600);
}

}  // namespace
}  // namespace komadai::matchmaking
