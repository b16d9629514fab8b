#include "libs/rpc/client/batcher.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace komadai::rpc {
namespace {

using Numbers = Batcher<int, std::string>;

// Keeps every batch until the test answers it.
struct Peer {
  struct Batch {
    std::vector<int> items;
    std::function<void(Numbers::Outcomes)> answer;
    bool answered = false;
  };

  Task<Numbers::Outcomes> Send(std::vector<int> items) {
    co_return co_await FromCallback<Numbers::Outcomes>([&](auto done) {
      batches.push_back({items, done});
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
};

class BatcherTest : public testing::Test {
 protected:
  // What waits for an answer lives until it gets one.
  void TearDown() override {
    for (std::size_t i = 0; i < peer_.batches.size(); ++i) {
      if (!peer_.batches[i].answered) peer_.Answer(i);
    }
  }

  void Call(int item) {
    Start(numbers_.Do(item), [this, item](Result<std::string> outcome) {
      answered_.push_back(std::to_string(item) + "=" + (outcome ? *outcome : "refused"));
    });
  }

  Peer peer_;
  Numbers numbers_{3, 2, [this](std::vector<int> items) { return peer_.Send(std::move(items)); }};
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

}  // namespace
}  // namespace komadai::rpc
