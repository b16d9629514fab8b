#include "libs/rpc/client/batcher.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace komadai::rpc {
namespace {

using Numbers = Batcher<int, std::string>;

// Keeps every batch until the test answers it.
struct Peer {
  struct Batch {
    std::vector<int> items;
    Deadline latest;
    std::function<void(Numbers::Outcomes)> answer;
    bool answered = false;
  };

  Task<Numbers::Outcomes> Send(std::vector<int> items, Deadline latest) {
    if (throws) throw std::out_of_range("a bug");
    co_return co_await FromCallback<Numbers::Outcomes>([&](auto done) {
      batches.push_back({items, latest, done});
    });
  }
  // Odd numbers are refused.
  void Answer(std::size_t index) {
    std::vector<Result<std::string>> outcomes;
    for (const int item : batches[index].items) {
      if (item % 2 == 0) {
        outcomes.emplace_back(std::to_string(item));
      } else {
        outcomes.emplace_back(Error(kUnavailable, "odd"));
      }
    }
    Answer(index, std::move(outcomes));
  }
  void Answer(std::size_t index, Numbers::Outcomes outcomes) {
    batches[index].answered = true;
    const auto answer = batches[index].answer;  // which may add a batch
    answer(std::move(outcomes));
  }

  std::vector<Batch> batches;
  bool throws = false;
};

class BatcherTest : public testing::Test {
 protected:
  // What waits for an answer lives until it gets one.
  void TearDown() override {
    for (std::size_t i = 0; i < peer_.batches.size(); ++i) {
      if (!peer_.batches[i].answered) peer_.Answer(i);
    }
  }

  void Call(int item, Deadline deadline = Deadline::max()) {
    Start(numbers_.Do(item, deadline), [this, item](Result<std::string> outcome) {
      const std::string text =
          outcome ? *outcome
                  : (outcome.error().Is(kUnavailable) ? "refused" : outcome.error().reason());
      answered_.push_back(std::to_string(item) + "=" + text);
    });
  }

  Peer peer_;
  Numbers numbers_{{.max_batch = 3, .max_in_flight = 2, .max_waiting = 7},
                   [this](std::vector<int> items, Deadline latest) {
                     return peer_.Send(std::move(items), latest);
                   }};
  std::vector<std::string> answered_;
};

TEST_F(BatcherTest, AQuietServerSendsEveryCallAtOnce) {
  Call(2);
  ASSERT_EQ(peer_.batches.size(), 1u);
  peer_.Answer(0);
  EXPECT_EQ(answered_, std::vector<std::string>{"2=2"});
  Call(4);
  ASSERT_EQ(peer_.batches.size(), 2u);
  peer_.Answer(1);
  EXPECT_EQ(answered_, (std::vector<std::string>{"2=2", "4=4"}));
}

TEST_F(BatcherTest, WhatComesMeanwhileGoesTogetherUpToTheLimit) {
  for (int item = 0; item < 8; ++item) Call(item);
  ASSERT_EQ(peer_.batches.size(), 2u) << "two in flight";
  peer_.Answer(0);
  ASSERT_EQ(peer_.batches.size(), 3u);
  EXPECT_EQ(peer_.batches[2].items, (std::vector<int>{2, 3, 4})) << "at most three, in order";
  peer_.Answer(2);
  ASSERT_EQ(peer_.batches.size(), 4u);
  EXPECT_EQ(peer_.batches[3].items, (std::vector<int>{5, 6, 7}));
}

TEST_F(BatcherTest, EachIsAnsweredByItself) {
  Call(0);
  Call(0);
  Call(1);
  Call(2);
  peer_.Answer(0);
  peer_.Answer(2);
  EXPECT_EQ(answered_, (std::vector<std::string>{"0=0", "1=refused", "2=2"}));
}

TEST_F(BatcherTest, AFailedBatchFailsItsCallsOnly) {
  Call(0);
  Call(2);
  Call(4);
  peer_.Answer(0, Error(kUnavailable, "gone"));
  EXPECT_EQ(answered_, std::vector<std::string>{"0=refused"});
  peer_.Answer(1);
  peer_.Answer(2);
  EXPECT_EQ(answered_, (std::vector<std::string>{"0=refused", "2=2", "4=4"}));
}

TEST_F(BatcherTest, AFullQueueRefusesAtOnce) {
  for (int item = 0; item < 9; ++item) Call(item);  // two on their way, seven wait
  EXPECT_TRUE(answered_.empty());
  Call(9);
  EXPECT_EQ(answered_, std::vector<std::string>{"9=OVERLOADED"});
  peer_.Answer(0);  // takes three from the queue
  Call(10);
  EXPECT_EQ(answered_.size(), 2u) << "there is room again";
}

TEST_F(BatcherTest, ACallThatIsTooLateIsNotSent) {
  const Deadline past = std::chrono::system_clock::now() - std::chrono::hours(1);
  const Deadline future = past + std::chrono::hours(2);
  Call(0);
  Call(2, future);
  EXPECT_EQ(peer_.batches[1].latest, future);
  Call(4, past);
  Call(6, future);
  Call(8, future + std::chrono::hours(1));
  peer_.Answer(0);
  ASSERT_EQ(peer_.batches.size(), 3u);
  EXPECT_EQ(peer_.batches[2].items, (std::vector<int>{6, 8}));
  EXPECT_EQ(peer_.batches[2].latest, future + std::chrono::hours(1));
  EXPECT_EQ(answered_, (std::vector<std::string>{"4=DEADLINE_PASSED", "0=0"}));
}

TEST_F(BatcherTest, NothingButLateCallsGivesThePlaceInFlightBack) {
  const Deadline past = std::chrono::system_clock::now() - std::chrono::hours(1);
  Call(0);
  Call(2);
  Call(4, past);
  peer_.Answer(0);
  ASSERT_EQ(peer_.batches.size(), 2u);
  Call(6);
  EXPECT_EQ(peer_.batches.size(), 3u) << "sent at once";
}

TEST_F(BatcherTest, AnExceptionWhileSendingFailsThatBatchOnly) {
  std::vector<std::string> reported;
  SetEscapedHandler([&](const char* what) { reported.push_back(what); });
  peer_.throws = true;
  Call(0);
  peer_.throws = false;
  SetEscapedHandler(nullptr);
  Call(2);
  ASSERT_EQ(peer_.batches.size(), 1u);
  peer_.Answer(0);
  EXPECT_EQ(answered_, (std::vector<std::string>{"0=INTERNAL", "2=2"}));
  EXPECT_EQ(reported, std::vector<std::string>{"a bug"});
}

}  // namespace
}  // namespace komadai::rpc
