#include "libs/livestore/until_committed.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/livestore/faulty_live_store.h"
#include "libs/livestore/memory_live_store.h"

namespace komadai::livestore {
namespace {

constexpr Reason kContended{Code::kAborted, "CONTENDED"};
constexpr Reason kFull{Code::kFailedPrecondition, "FULL"};
constexpr int kLimit = 4;
constexpr std::size_t kRoom = 3;

// A list of words in a document: adding one that is there already is a repeat.
class WordList {
 public:
  explicit WordList(LiveStore& store) : store_(store) {}

  // How many words there are afterwards.
  Task<Result<std::size_t>> Add(std::string word) {
    return UntilCommitted(
        kLimit,
        [this, word](int number) {
          attempts.push_back(number);
          return TryAdd(word);
        },
        [] {
          return Error{kContended, "too many concurrent changes; retry"};
        });
  }

  std::vector<int> attempts;

 private:
  Task<Attempt<std::size_t>> TryAdd(std::string word) {
    Result<std::optional<Document>> document = co_await store_.Load("p", "words");
    if (!document) co_return std::move(document).error();
    std::string body = *document ? (*document)->body : "";
    const std::size_t words = body.size();  // each is one letter
    if (body.find(word) != std::string::npos) co_return words;
    if (words == kRoom) co_return Error(kFull, "the list is full");
    Transaction transaction;
    transaction.partition = "p";
    transaction.changes.push_back({.name = "words",
                                   .expected_version = *document ? (*document)->version : kAbsent,
                                   .put_body = body + word});
    Result<CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
    if (!outcome) co_return std::move(outcome).error();
    if (!outcome->committed()) co_return LostRace{};
    co_return words + 1;
  }

  LiveStore& store_;
};

class UntilCommittedTest : public ::testing::Test {
 protected:
  std::string Words() {
    const auto document = SyncWait(inner_.Load("p", "words"));
    return *document ? (*document)->body : "";
  }

  SystemTimeSource time_;
  MemoryLiveStore inner_{time_};
  std::deque<Fault> commit_faults_;  // one a commit; then none
  FaultyLiveStore store_{inner_, [this](const Operation& operation) {
                           if (operation.kind != Operation::Kind::kCommit) return Fault::kNone;
                           if (commit_faults_.empty()) return Fault::kNone;
                           const Fault fault = commit_faults_.front();
                           commit_faults_.pop_front();
                           return fault;
                         }};
  WordList list_{store_};
};

TEST_F(UntilCommittedTest, OneAttemptIsEnoughWhenNothingComesBetween) {
  WordList direct(inner_);
  EXPECT_EQ(*SyncWait(direct.Add("a")), 1u);
  EXPECT_EQ(*SyncWait(direct.Add("b")), 2u);
  EXPECT_EQ(Words(), "ab");
  EXPECT_EQ(direct.attempts, (std::vector<int>{0, 0}));
}

TEST_F(UntilCommittedTest, ALostRaceIsDecidedAgainOnWhatTheWinnerLeft) {
  // The other process commits between our load and our commit.
  WordList other(inner_);
  bool raced = false;
  FaultyLiveStore store(inner_, [&](const Operation& operation) {
    if (operation.kind == Operation::Kind::kCommit && !std::exchange(raced, true)) {
      EXPECT_TRUE(SyncWait(other.Add("o")));
    }
    return Fault::kNone;
  });
  WordList ours(store);
  EXPECT_EQ(*SyncWait(ours.Add("a")), 2u);
  EXPECT_EQ(Words(), "oa");
  EXPECT_EQ(ours.attempts, (std::vector<int>{0, 1}));
}

TEST_F(UntilCommittedTest, ACommitInDoubtThatHappenedIsFoundAndNotRepeated) {
  commit_faults_ = {Fault::kInDoubtDone};
  EXPECT_EQ(*SyncWait(list_.Add("a")), 1u);
  EXPECT_EQ(Words(), "a");
  EXPECT_EQ(list_.attempts, (std::vector<int>{0, 1}));
}

TEST_F(UntilCommittedTest, ACommitInDoubtThatDidNotHappenIsMadeAgain) {
  commit_faults_ = {Fault::kInDoubtNotDone, Fault::kConflict};
  EXPECT_EQ(*SyncWait(list_.Add("a")), 1u);
  EXPECT_EQ(Words(), "a");
  EXPECT_EQ(list_.attempts, (std::vector<int>{0, 1, 2}));
}

TEST_F(UntilCommittedTest, AFailureIsFinalAndNotTriedAgain) {
  commit_faults_ = {Fault::kUnavailable};
  EXPECT_TRUE(SyncWait(list_.Add("a")).error().Is(kUnavailable));
  EXPECT_EQ(list_.attempts, (std::vector<int>{0}));
  EXPECT_EQ(Words(), "");
}

TEST_F(UntilCommittedTest, ARefusalIsFinalAlsoAfterALostRace) {
  for (const char* word : {"a", "b"}) ASSERT_TRUE(SyncWait(list_.Add(word)));
  list_.attempts.clear();
  commit_faults_ = {Fault::kInDoubtDone};
  EXPECT_EQ(*SyncWait(list_.Add("c")), kRoom) << "its own word fills the list: no refusal";
  EXPECT_TRUE(SyncWait(list_.Add("d")).error().Is(kFull));
  EXPECT_EQ(list_.attempts, (std::vector<int>{0, 1, 0}));
}

TEST_F(UntilCommittedTest, GivesUpAtTheLimit) {
  commit_faults_ = {Fault::kConflict, Fault::kInDoubtNotDone, Fault::kConflict, Fault::kConflict,
                    Fault::kConflict};
  EXPECT_TRUE(SyncWait(list_.Add("a")).error().Is(kContended));
  EXPECT_EQ(list_.attempts, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(commit_faults_.size(), 1u);
}

TEST(AttemptTest, SaysWhatItIs) {
  const Attempt<int> committed = 7;
  EXPECT_TRUE(committed.committed() && !committed.open() && !committed.has_error());
  EXPECT_EQ(*committed, 7);
  const Attempt<int> lost = LostRace{};
  EXPECT_TRUE(lost.lost_race() && lost.open() && !lost.committed() && !lost.has_error());
  const Attempt<int> doubtful = Error(kInDoubt, "the connection was lost");
  EXPECT_TRUE(doubtful.in_doubt() && doubtful.open() && doubtful.has_error() && !doubtful.failed());
  const Attempt<int> failed = Error(kUnavailable, "no connection");
  EXPECT_TRUE(failed.failed() && !failed.open() && !failed.in_doubt());
  EXPECT_TRUE(failed.error().Is(kUnavailable));
}

TEST(AttemptTest, WithAnotherValueItIsTheSameOutcome) {
  const Attempt<std::string> committed = Attempt<int>(7).With<std::string>("seven");
  EXPECT_EQ(*committed, "seven");
  EXPECT_TRUE(Attempt<int>(LostRace{}).With<std::string>("x").lost_race());
  EXPECT_TRUE(Attempt<int>(Error(kInDoubt, "")).With<std::string>("x").in_doubt());
  EXPECT_TRUE(Attempt<int>(Error(kUnavailable, "")).With<std::string>("x").failed());
}

}  // namespace
}  // namespace komadai::livestore
