#include "tests/play/attempts.h"

#include <gtest/gtest.h>

#include <set>

namespace komadai::play {
namespace {

Error Of(Code code, std::string_view reason) { return Error({code, reason}, "made up"); }

TEST(AttemptsTest, OnlyWhatMayBeRepeatedIsRepeated) {
  EXPECT_TRUE(IsTransient(Of(Code::kUnavailable, "STORE_UNAVAILABLE")));
  EXPECT_TRUE(IsTransient(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
  EXPECT_TRUE(IsTransient(Of(Code::kInternal, "RPC_INTERNAL")));  // a stream that was cut
  EXPECT_TRUE(IsTransient(Of(Code::kDeadlineExceeded, "DEADLINE_PASSED")));
  EXPECT_TRUE(IsTransient(Of(Code::kAborted, "CONTENTION")));
  EXPECT_FALSE(IsTransient(Of(Code::kAborted, "STALE_PLY")));
  EXPECT_FALSE(IsTransient(Of(Code::kInternal, "INTERNAL")));
  EXPECT_FALSE(IsTransient(Of(Code::kFailedPrecondition, "GAME_OVER")));
  EXPECT_FALSE(IsTransient(Of(Code::kNotFound, "GAME_NOT_FOUND")));
}

TEST(AttemptsTest, EachAttemptGoesToAnotherReplica) {
  const std::atomic<bool> never{false};
  ErrorCounts errors;
  SeededRandom random(1);
  Attempts attempts(Patience(), never, errors, random);
  std::set<std::size_t> tried;
  for (int i = 0; i < 2; ++i) {
    (void)attempts.Timeout();
    tried.insert(attempts.replica() % 2);
    EXPECT_TRUE(attempts.Again(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
  }
  EXPECT_EQ(tried.size(), 2U);
  EXPECT_EQ(attempts.count(), 2);
  EXPECT_EQ(errors.Get().at("RPC_UNAVAILABLE"), 2);
}

TEST(AttemptsTest, ARefusalAndTheEndOfPatienceAreFinal) {
  std::atomic<bool> abandoned{false};
  ErrorCounts errors;
  SeededRandom random(1);
  Attempts attempts(Patience(), abandoned, errors, random);
  EXPECT_FALSE(attempts.Again(Of(Code::kFailedPrecondition, "GAME_OVER")));
  abandoned = true;
  EXPECT_FALSE(attempts.Again(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
  Attempts impatient(Patience{.total = Millis(-1)}, abandoned, errors, random);
  abandoned = false;
  EXPECT_FALSE(impatient.Again(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
}

TEST(AttemptsTest, WhoRepeatsOnceSendsTwice) {
  const std::atomic<bool> never{false};
  ErrorCounts errors;
  SeededRandom random(1);
  Attempts attempts(Patience{.attempts = 2}, never, errors, random);
  (void)attempts.Timeout();
  EXPECT_TRUE(attempts.Again(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
  (void)attempts.Timeout();
  EXPECT_FALSE(attempts.Again(Of(Code::kUnavailable, "RPC_UNAVAILABLE")));
}

TEST(AttemptsTest, SomeClientsHaveNextToNoTime) {
  const std::atomic<bool> never{false};
  ErrorCounts errors;
  SeededRandom random(1);
  Attempts attempts(Patience{.hasty_one_in = 4}, never, errors, random);
  int hasty = 0;
  for (int i = 0; i < 400; ++i) hasty += attempts.Timeout() < Millis(100) ? 1 : 0;
  EXPECT_GT(hasty, 50);
  EXPECT_LT(hasty, 200);
}

}  // namespace
}  // namespace komadai::play
