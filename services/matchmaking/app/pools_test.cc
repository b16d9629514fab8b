#include "services/matchmaking/app/pools.h"

#include <gtest/gtest.h>

#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

TEST(PoolsTest, AKindIsTheSameAtAnyTimeControl) {
  EXPECT_EQ(KindOf(Terms(60000)), KindOf(Terms(600000)));
  EXPECT_NE(PoolOf(Terms(60000), Terms(60000).time_control()),
            PoolOf(Terms(600000), Terms(600000).time_control()));
  EXPECT_NE(KindOf(Terms()), KindOf(RatedTerms()));
  pb::GameTerms suggested = Terms();
  suggested.set_suggest_handicap(true);
  EXPECT_NE(KindOf(Terms()), KindOf(suggested));
}

}  // namespace
}  // namespace komadai::matchmaking
