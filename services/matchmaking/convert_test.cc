#include "services/matchmaking/convert.h"

#include <gtest/gtest.h>

#include <functional>

#include "libs/rpc/server/request_id.h"
#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

const rpc::Caller kAnn{rpc::CallerKind::kPlayer, "ann", "Ann"};
const rpc::Caller kGuest{rpc::CallerKind::kGuest, "guest", "Guest"};

pb::CreateSeekRequest SeekRequest() {
  pb::CreateSeekRequest request;
  request.set_request_id("0123456789");
  *request.mutable_terms() = Terms();
  return request;
}

pb::CreateChallengeRequest ChallengeRequest() {
  pb::CreateChallengeRequest request;
  request.set_request_id("01234567890123456789");
  *request.mutable_terms() = Terms();
  return request;
}

TEST(RequestsTest, WhatASeekSaysArrives) {
  pb::CreateSeekRequest request = SeekRequest();
  request.set_rating_range(300);
  request.set_first_rating_range(50);
  request.set_exclude_last_opponents(2);
  request.set_confirm(true);
  request.mutable_computer_fallback()->set_after_seconds(20);
  const Result<NewSeek> wish = NewSeekFromProto(kAnn, request);
  ASSERT_TRUE(wish) << wish.error().ToString();
  EXPECT_EQ(wish->player.kind(), common_pb::PLAYER_KIND_PERSON);
  EXPECT_EQ(wish->rating_range, 300);
  EXPECT_EQ(wish->first_rating_range, 50);
  EXPECT_EQ(wish->exclude_last_opponents, 2);
  EXPECT_TRUE(wish->confirm);
  EXPECT_EQ(wish->computer_fallback->after_seconds(), 20);
}

TEST(RequestsTest, ABadSeekIsRefusedWithItsField) {
  using Spoil = std::function<void(pb::CreateSeekRequest&)>;
  const std::vector<std::pair<std::string, Spoil>> cases{
      {"side", [](auto& r) { r.set_side(static_cast<pb::SideWish>(9)); }},
      {"rating_range", [](auto& r) { r.set_rating_range(-1); }},
      {"rating_range", [](auto& r) { r.set_rating_range(4001); }},
      {"first_rating_range", [](auto& r) { r.set_first_rating_range(4001); }},
      {"exclude_last_opponents", [](auto& r) { r.set_exclude_last_opponents(11); }},
      {"other_time_controls",
       [](auto& r) {
         for (int i = 0; i < 6; ++i) r.add_other_time_controls();
       }},
      {"computer_fallback.after_seconds",
       [](auto& r) { r.mutable_computer_fallback()->set_after_seconds(4); }},
      {"computer_fallback.level",
       [](auto& r) {
         r.mutable_computer_fallback()->set_after_seconds(10);
         r.mutable_computer_fallback()->set_level(static_cast<common_pb::ComputerLevel>(9));
       }},
      {"computer_fallback",
       [](auto& r) {
         r.mutable_terms()->set_rated(true);
         r.mutable_computer_fallback()->set_after_seconds(10);
       }},
  };
  for (const auto& [field, spoil] : cases) {
    pb::CreateSeekRequest request = SeekRequest();
    spoil(request);
    const Result<NewSeek> wish = NewSeekFromProto(kAnn, request);
    ASSERT_FALSE(wish) << field;
    EXPECT_TRUE(wish.error().Is(kInvalidRequest)) << field;
    EXPECT_EQ(wish.error().metadata().at("field"), field);
  }
}

TEST(RequestsTest, RatedPlayNeedsAVerifiedAccount) {
  pb::CreateSeekRequest seek = SeekRequest();
  seek.mutable_terms()->set_rated(true);
  EXPECT_TRUE(NewSeekFromProto(kAnn, seek));
  EXPECT_TRUE(NewSeekFromProto(kGuest, seek).error().Is(kVerifiedAccountNeeded));
  pb::CreateChallengeRequest challenge = ChallengeRequest();
  challenge.mutable_terms()->set_rated(true);
  EXPECT_TRUE(NewChallengeFromProto(kGuest, challenge, "key").error().Is(kVerifiedAccountNeeded));
}

TEST(RequestsTest, ALinkIsNotToBeGuessed) {
  pb::CreateChallengeRequest request = ChallengeRequest();
  request.set_request_id("0123456789");
  EXPECT_TRUE(NewChallengeFromProto(kAnn, request, "key").error().Is(kInvalidRequest));
  request.set_opponent_id("bob");
  EXPECT_TRUE(NewChallengeFromProto(kAnn, request, "key"));
  request.set_listed(true);
  EXPECT_TRUE(NewChallengeFromProto(kAnn, request, "key").error().Is(kInvalidRequest));
  request.set_listed(false);
  request.set_opponent_id("ann");
  EXPECT_TRUE(NewChallengeFromProto(kAnn, request, "key").error().Is(kOwnChallenge));
  request.set_opponent_id("bob");
  request.set_lifetime_seconds(59);
  EXPECT_TRUE(NewChallengeFromProto(kAnn, request, "key").error().Is(kInvalidRequest));
}

TEST(RequestsTest, WhatIsNoId) {
  EXPECT_TRUE(CheckId("x", "seek_id"));
  EXPECT_FALSE(CheckId("", "seek_id"));
  EXPECT_FALSE(CheckId(std::string(65, 'x'), "seek_id"));
}

TEST(TermsTest, OptionsOutOfRangeAreNoTerms) {
  pb::GameTerms terms = Terms();
  terms.mutable_options()->set_claim_after_ms(1);
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kChallenge).error().Is(kInvalidTerms));
  terms.mutable_options()->set_claim_after_ms(0);
  terms.mutable_options()->set_first_move_ms(-5);
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kChallenge).error().Is(kInvalidTerms));
  terms.clear_options();
  terms.mutable_options();  // says nothing: the same as none
  EXPECT_FALSE(NormaliseTerms(terms, TermsOf::kChallenge)->has_options());
  terms.set_rated(true);
  terms.set_allow_takeback(true);
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kChallenge).error().Is(kInvalidTerms));
}

TEST(TermsTest, AHandicapIsSuggestedForSeeksForShogiAlone) {
  pb::GameTerms terms = Terms();
  terms.set_suggest_handicap(true);
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kSeek)->suggest_handicap());
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kChallenge).error().Is(kInvalidTerms))
      << "in a challenge";
  terms.mutable_setup()->set_handicap("2_piece");
  EXPECT_TRUE(NormaliseTerms(terms, TermsOf::kSeek).error().Is(kInvalidTerms))
      << "beside a fixed one";
  pb::GameTerms minishogi = Terms(300000, common_pb::VARIANT_MINISHOGI);
  minishogi.set_suggest_handicap(true);
  EXPECT_TRUE(NormaliseTerms(minishogi, TermsOf::kSeek).error().Is(kInvalidTerms));
}

// Request ids may be anything, also guessed ones: the key makes the code of a link unguessable.
TEST(ConvertTest, ALinkHasTheSameCodeForARepeatAndAnotherOneWithAnotherKey) {
  pb::CreateChallengeRequest request;
  request.set_request_id("aaaaaaaaaaaaaaaaaaaaaaaa");
  *request.mutable_terms() = Terms();
  const auto code = [&](const rpc::Caller& caller, const std::string& key) {
    const Result<NewChallenge> wish = NewChallengeFromProto(caller, request, key);
    EXPECT_TRUE(wish) << wish.error().ToString();
    return wish->challenge_id;
  };
  EXPECT_EQ(code(kAnn, "key"), code(kAnn, "key"));
  EXPECT_NE(code(kAnn, "key"), code(kAnn, "another key"));
  EXPECT_NE(code(kAnn, "key"), rpc::IdFromRequest(kAnn.id, request.request_id()));
  EXPECT_EQ(code(kAnn, "key").size(), 16u);
}

}  // namespace
}  // namespace komadai::matchmaking
