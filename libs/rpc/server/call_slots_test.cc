#include "libs/rpc/server/call_slots.h"

#include <gtest/gtest.h>

#include <vector>

namespace komadai::rpc {
namespace {

class FakeReader final : public CallSlots::Reader {
 public:
  FakeReader(int number, std::vector<int>& begun) : number_(number), begun_(begun) {}
  void BeginReading() override { begun_.push_back(number_); }

 private:
  const int number_;
  std::vector<int>& begun_;
};

constexpr char kHere[] = "192.0.2.1";
constexpr char kThere[] = "192.0.2.2";

class CallSlotsTest : public ::testing::Test {
 protected:
  CallSlots slots_{{.calls_per_address = 3, .reads_per_address = 1}};
  std::vector<int> begun_;
  FakeReader one_{1, begun_}, two_{2, begun_}, three_{3, begun_};
};

TEST_F(CallSlotsTest, AnAddressHasSoManyPlacesAndOthersHaveTheirs) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(slots_.Enter(kHere));
  EXPECT_FALSE(slots_.Enter(kHere));
  EXPECT_TRUE(slots_.Enter(kThere));
  slots_.Leave(kHere);
  EXPECT_TRUE(slots_.Enter(kHere));
}

TEST_F(CallSlotsTest, ReadersOfOneAddressFollowOneAnotherInOrder) {
  slots_.Read(kHere, one_);
  slots_.Read(kHere, two_);
  slots_.Read(kHere, three_);
  EXPECT_EQ(begun_, (std::vector<int>{1}));
  slots_.EndReading(kHere);
  EXPECT_EQ(begun_, (std::vector<int>{1, 2}));
  slots_.EndReading(kHere);
  EXPECT_EQ(begun_, (std::vector<int>{1, 2, 3}));
  slots_.EndReading(kHere);
}

TEST_F(CallSlotsTest, AnotherAddressDoesNotWait) {
  slots_.Read(kHere, one_);
  slots_.Read(kThere, two_);
  EXPECT_EQ(begun_, (std::vector<int>{1, 2}));
}

TEST_F(CallSlotsTest, WhoGivesUpIsPassedOver) {
  slots_.Read(kHere, one_);
  slots_.Read(kHere, two_);
  slots_.Read(kHere, three_);
  EXPECT_TRUE(slots_.Abandon(kHere, two_));
  EXPECT_FALSE(slots_.Abandon(kHere, two_));
  EXPECT_FALSE(slots_.Abandon(kHere, one_));  // it has its slot
  slots_.EndReading(kHere);
  EXPECT_EQ(begun_, (std::vector<int>{1, 3}));
  slots_.EndReading(kHere);
  FakeReader four(4, begun_);
  slots_.Read(kHere, four);
  EXPECT_EQ(begun_.back(), 4);
}

TEST_F(CallSlotsTest, WithoutAnAddressThereIsNoLimit) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(slots_.Enter(""));
  slots_.Read("", one_);
  slots_.Read("", two_);
  EXPECT_EQ(begun_.size(), 2u);
  EXPECT_FALSE(slots_.Abandon("", one_));
}

TEST(CallSlotsWithoutLimitsTest, ZeroIsAnyNumber) {
  CallSlots slots({.calls_per_address = 0, .reads_per_address = 0});
  std::vector<int> begun;
  FakeReader one(1, begun), two(2, begun);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(slots.Enter(kHere));
  slots.Read(kHere, one);
  slots.Read(kHere, two);
  EXPECT_EQ(begun.size(), 2u);
}

}  // namespace
}  // namespace komadai::rpc
