#include "services/matchmaking/domain/seek.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace komadai::matchmaking {
namespace {

constexpr TimePoint kNow = TimePoint(Millis(1'700'000'000'000));
constexpr SeekState kAllStates[] = {
    SeekState::kUnspecified, SeekState::kWaiting,   SeekState::kOffered, SeekState::kPaired,
    SeekState::kMatched,     SeekState::kCancelled, SeekState::kExpired};

Seek Waiting(const std::string& id, bool confirm = false) {
  Seek seek;
  seek.seek_id = id;
  seek.confirm = confirm;
  return seek;
}

// Ann wants to confirm, Bob does not unless told.
SeekPair OfferedPair(bool bob_confirms = false) {
  return *MakePair(Waiting("ann", true), Waiting("bob", bob_confirms), "m", Side::kFirst, kNow);
}

SeekPair PlainPair() { return *MakePair(Waiting("ann"), Waiting("bob"), "m", Side::kFirst, kNow); }

// One seek in each state, as the transitions lead there; of the pair "m" where it has one.
Seek In(SeekState state) {
  switch (state) {
    case SeekState::kOffered:
      return OfferedPair().own;
    case SeekState::kPaired:
      return PlainPair().own;
    case SeekState::kMatched:
      return *BeginGame(PlainPair().own, "m", "game");
    case SeekState::kCancelled:
      return DeclineOffer(OfferedPair().own, OfferedPair().other)->own;
    case SeekState::kExpired:
      return *EndOffer(OfferedPair().own, kNow + kAnswerTime);
    default: {
      Seek seek = Waiting("ann");
      seek.state = state;
      return seek;
    }
  }
}

TEST(SeekTest, EachTransitionIsAllowedFromOneStateOnly) {
  const SeekPair offered = OfferedPair();
  struct Transition {
    const char* name;
    SeekState from;
    std::function<bool(const Seek&)> allowed;
  };
  const std::vector<Transition> transitions = {
      {"MakePair, own", SeekState::kWaiting,
       [](const Seek& seek) {
         return MakePair(seek, Waiting("bob"), "n", Side::kFirst, kNow).has_value();
       }},
      {"MakePair, other", SeekState::kWaiting,
       [](const Seek& seek) {
         return MakePair(Waiting("bob"), seek, "n", Side::kFirst, kNow).has_value();
       }},
      {"PairWithComputer", SeekState::kWaiting,
       [](const Seek& seek) {
         return PairWithComputer(seek, "n", Side::kFirst, kNow).has_value();
       }},
      {"CancelSeek", SeekState::kWaiting,
       [](const Seek& seek) { return CancelSeek(seek).has_value(); }},
      {"ExpireSeek", SeekState::kWaiting,
       [](const Seek& seek) { return ExpireSeek(seek).has_value(); }},
      {"AcceptOffer, own", SeekState::kOffered,
       [&](const Seek& seek) { return AcceptOffer(seek, offered.other, kNow).has_value(); }},
      {"AcceptOffer, other", SeekState::kOffered,
       [&](const Seek& seek) { return AcceptOffer(offered.other, seek, kNow).has_value(); }},
      {"DeclineOffer, own", SeekState::kOffered,
       [&](const Seek& seek) { return DeclineOffer(seek, offered.other).has_value(); }},
      {"DeclineOffer, other", SeekState::kOffered,
       [&](const Seek& seek) { return DeclineOffer(offered.other, seek).has_value(); }},
      {"EndOffer", SeekState::kOffered,
       [](const Seek& seek) { return EndOffer(seek, kNow + kAnswerTime).has_value(); }},
      {"BeginGame", SeekState::kPaired,
       [](const Seek& seek) { return BeginGame(seek, "m", "game").has_value(); }},
      {"ReturnToQueue", SeekState::kPaired,
       [](const Seek& seek) { return ReturnToQueue(seek, "m").has_value(); }},
      {"RefuseGame", SeekState::kPaired,
       [](const Seek& seek) { return RefuseGame(seek, "m", "REASON").has_value(); }},
  };
  for (const Transition& transition : transitions) {
    for (const SeekState state : kAllStates) {
      EXPECT_EQ(transition.allowed(In(state)), state == transition.from)
          << transition.name << " from state " << static_cast<int>(state);
    }
  }
}

TEST(SeekTest, OpenSeeksAndSeeksWithAnOpponent) {
  for (const SeekState state : kAllStates) {
    const bool open =
        state == SeekState::kWaiting || state == SeekState::kOffered || state == SeekState::kPaired;
    const bool opponent =
        state == SeekState::kOffered || state == SeekState::kPaired || state == SeekState::kMatched;
    EXPECT_EQ(IsOpen(state), open) << static_cast<int>(state);
    EXPECT_EQ(HasOpponent(state), opponent) << static_cast<int>(state);
  }
}

TEST(SeekTest, APairKnowsEachOtherAndTakesOppositeSides) {
  const SeekPair pair = PlainPair();
  EXPECT_EQ(pair.own.state, SeekState::kPaired);
  EXPECT_EQ(pair.other.state, SeekState::kPaired);
  EXPECT_EQ(pair.own.match_id, "m");
  EXPECT_EQ(pair.other.match_id, "m");
  EXPECT_EQ(pair.own.other_seek_id, "bob");
  EXPECT_EQ(pair.other.other_seek_id, "ann");
  EXPECT_EQ(pair.own.side, Side::kFirst);
  EXPECT_EQ(pair.other.side, Side::kSecond);
  EXPECT_EQ(pair.own.paired_at, kNow);
  EXPECT_EQ(pair.other.paired_at, kNow);
}

TEST(SeekTest, ASeekIsNotPairedWithItself) {
  EXPECT_FALSE(MakePair(Waiting("ann"), Waiting("ann"), "m", Side::kFirst, kNow));
  const SeekPair pair = OfferedPair();
  EXPECT_FALSE(AcceptOffer(pair.own, pair.own, kNow));
  EXPECT_FALSE(DeclineOffer(pair.own, pair.own));
}

TEST(SeekTest, APairIsOfferedIfOneOfThemConfirms) {
  const SeekPair pair = OfferedPair();
  EXPECT_EQ(pair.own.state, SeekState::kOffered);
  EXPECT_EQ(pair.other.state, SeekState::kOffered);
  EXPECT_EQ(pair.own.answer_by, kNow + kAnswerTime);
  EXPECT_EQ(pair.other.answer_by, kNow + kAnswerTime);
  EXPECT_FALSE(pair.own.accepted);
  EXPECT_TRUE(pair.other.accepted) << "Bob need not be asked";
  const auto other_way = MakePair(Waiting("bob"), Waiting("ann", true), "m", Side::kFirst, kNow);
  EXPECT_EQ(other_way->own.state, SeekState::kOffered);
  EXPECT_TRUE(other_way->own.accepted);
  EXPECT_FALSE(other_way->other.accepted);
}

TEST(SeekTest, TheComputerIsNeverOffered) {
  const auto paired = PairWithComputer(Waiting("ann", true), "m", Side::kSecond, kNow);
  EXPECT_EQ(paired->state, SeekState::kPaired);
  EXPECT_EQ(paired->other_seek_id, "");
  EXPECT_EQ(paired->side, Side::kSecond);
  EXPECT_EQ(paired->match_id, "m");
  EXPECT_EQ(paired->paired_at, kNow);
}

TEST(SeekTest, AWaitingSeekIsCancelledOrExpires) {
  EXPECT_EQ(CancelSeek(Waiting("ann"))->state, SeekState::kCancelled);
  EXPECT_EQ(ExpireSeek(Waiting("ann"))->state, SeekState::kExpired);
}

TEST(SeekTest, TheSecondToAcceptMakesThePair) {
  const SeekPair offered = OfferedPair(true);
  const TimePoint later = kNow + Millis(5000);
  const auto half = AcceptOffer(offered.own, offered.other, later);
  EXPECT_EQ(half->own.state, SeekState::kOffered);
  EXPECT_TRUE(half->own.accepted);
  EXPECT_EQ(half->own.paired_at, kNow);
  EXPECT_EQ(half->other, offered.other);
  const auto both = AcceptOffer(half->other, half->own, later);
  for (const Seek& seek : {both->own, both->other}) {
    EXPECT_EQ(seek.state, SeekState::kPaired);
    EXPECT_TRUE(seek.accepted);
    EXPECT_EQ(seek.paired_at, later);
    EXPECT_EQ(seek.match_id, "m");
  }
}

TEST(SeekTest, AnOfferIsAnsweredTogetherWithTheSameMatchOnly) {
  const SeekPair offered = OfferedPair();
  Seek elsewhere = offered.other;
  elsewhere.match_id = "another";
  EXPECT_FALSE(AcceptOffer(offered.own, elsewhere, kNow));
  EXPECT_FALSE(DeclineOffer(offered.own, elsewhere));
}

TEST(SeekTest, WhoDeclinesIsCancelledAndTheOtherWaitsAgain) {
  const SeekPair offered = OfferedPair();
  const auto left = DeclineOffer(offered.own, offered.other);
  EXPECT_EQ(left->own.state, SeekState::kCancelled);
  EXPECT_EQ(left->own.match_id, "m") << "a repeated answer is recognised by it";
  EXPECT_EQ(left->own.other_seek_id, "");
  EXPECT_EQ(left->other, Waiting("bob"));
}

TEST(SeekTest, AnUnansweredOfferEndsAtItsInstant) {
  const SeekPair offered = OfferedPair();
  EXPECT_FALSE(EndOffer(offered.own, kNow + kAnswerTime - Millis(1)));
  EXPECT_EQ(EndOffer(offered.own, kNow + kAnswerTime)->state, SeekState::kExpired);
  EXPECT_EQ(EndOffer(offered.other, kNow + kAnswerTime), Waiting("bob"));
}

TEST(SeekTest, WhatTheGameServiceAnswersEndsThePair) {
  const Seek paired = PlainPair().own;
  const auto matched = BeginGame(paired, "m", "game");
  EXPECT_EQ(matched->state, SeekState::kMatched);
  EXPECT_EQ(matched->game_id, "game");
  EXPECT_EQ(matched->side, Side::kFirst);
  EXPECT_EQ(ReturnToQueue(paired, "m"), Waiting("ann"));
  const auto refused = RefuseGame(paired, "m", "TOO_MANY_GAMES");
  EXPECT_EQ(refused->state, SeekState::kCancelled);
  EXPECT_EQ(refused->refused, "TOO_MANY_GAMES");
}

TEST(SeekTest, AnAnswerForAnotherPairChangesNothing) {
  const Seek paired = PlainPair().own;
  EXPECT_FALSE(BeginGame(paired, "another", "game"));
  EXPECT_FALSE(ReturnToQueue(paired, "another"));
  EXPECT_FALSE(RefuseGame(paired, "another", "REASON"));
}

TEST(SeekTest, AnswersAreNewRepeatedOrTooLate) {
  const TimePoint last = kNow + kAnswerTime - Millis(1);
  const auto is = [&](SeekState state, bool accept) {
    return ClassifyAnswer(In(state), "m", accept, last);
  };
  EXPECT_EQ(is(SeekState::kOffered, true), AnswerIs::kNew);
  EXPECT_EQ(is(SeekState::kOffered, false), AnswerIs::kNew);
  EXPECT_EQ(is(SeekState::kPaired, true), AnswerIs::kRepeat);
  EXPECT_EQ(is(SeekState::kPaired, false), AnswerIs::kTooLate);
  EXPECT_EQ(is(SeekState::kMatched, true), AnswerIs::kRepeat);
  EXPECT_EQ(is(SeekState::kMatched, false), AnswerIs::kTooLate);
  EXPECT_EQ(is(SeekState::kCancelled, true), AnswerIs::kTooLate);
  EXPECT_EQ(is(SeekState::kCancelled, false), AnswerIs::kRepeat);
  EXPECT_EQ(is(SeekState::kExpired, true), AnswerIs::kTooLate);
  EXPECT_EQ(is(SeekState::kExpired, false), AnswerIs::kTooLate);
}

TEST(SeekTest, AnAnswerIsForOneOfferAndInTime) {
  const Seek offered = OfferedPair().own;
  EXPECT_EQ(ClassifyAnswer(offered, "another", true, kNow), AnswerIs::kTooLate);
  EXPECT_EQ(ClassifyAnswer(Waiting("ann"), "", true, kNow), AnswerIs::kTooLate);
  EXPECT_EQ(ClassifyAnswer(offered, "m", true, kNow + kAnswerTime), AnswerIs::kTooLate);
  EXPECT_EQ(ClassifyAnswer(OfferedPair().other, "m", true, kNow), AnswerIs::kRepeat);
  EXPECT_EQ(ClassifyAnswer(OfferedPair().other, "m", false, kNow), AnswerIs::kNew);
}

}  // namespace
}  // namespace komadai::matchmaking
