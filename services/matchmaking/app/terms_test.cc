#include "services/matchmaking/app/terms.h"

#include <gtest/gtest.h>

#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

TEST(TermsTest, OptionsOutOfRangeAreNoTerms) {
  pb::GameTerms terms = Terms();
  terms.mutable_options()->set_claim_after_ms(1);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
  terms.mutable_options()->set_claim_after_ms(0);
  terms.mutable_options()->set_first_move_ms(-5);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
  terms.clear_options();
  terms.mutable_options();  // says nothing: the same as none
  EXPECT_FALSE(NormaliseTerms(terms, true)->has_options());
  terms.set_rated(true);
  terms.set_allow_takeback(true);
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms));
}

TEST(TermsTest, AHandicapIsSuggestedForSeeksForShogiAlone) {
  pb::GameTerms terms = Terms();
  terms.set_suggest_handicap(true);
  EXPECT_TRUE(NormaliseTerms(terms, false)->suggest_handicap());
  EXPECT_TRUE(NormaliseTerms(terms, true).error().Is(kInvalidTerms)) << "in a challenge";
  terms.mutable_setup()->set_handicap("2_piece");
  EXPECT_TRUE(NormaliseTerms(terms, false).error().Is(kInvalidTerms)) << "beside a fixed one";
  pb::GameTerms minishogi = Terms(300000, common_pb::VARIANT_MINISHOGI);
  minishogi.set_suggest_handicap(true);
  EXPECT_TRUE(NormaliseTerms(minishogi, false).error().Is(kInvalidTerms));
}

TEST(TermsTest, AKindIsTheSameAtAnyTimeControl) {
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
