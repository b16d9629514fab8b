#include "libs/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace komadai {
namespace {

constexpr Reason kTooBig{Code::kInvalidArgument, "TOO_BIG"};

Result<int> Half(int value) {
  if (value > 100) return Error{kTooBig, "too big", {{"value", std::to_string(value)}}};
  return value / 2;
}

TEST(ResultTest, CarriesAValue) {
  const Result<int> half = Half(10);
  ASSERT_TRUE(half);
  EXPECT_EQ(*half, 5);
}

TEST(ResultTest, CarriesAnErrorWithItsReason) {
  const Result<int> half = Half(101);
  ASSERT_FALSE(half);
  EXPECT_TRUE(half.error().Is(kTooBig));
  EXPECT_EQ(half.error().metadata().at("value"), "101");
  EXPECT_EQ(half.value_or(7), 7);
}

TEST(ResultTest, HoldsMoveOnlyValues) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(3));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 3);
}

TEST(ResultDeathTest, ReadingTheValueOfAnErrorAborts) {
  const Result<int> half = Half(101);
  EXPECT_DEATH((void)half.value(), "check failed");
}

TEST(ResultTest, AnErrorRebuiltFromTheWireEqualsItsReason) {
  const Error error = Error::FromWire(Code::kInvalidArgument, "TOO_BIG", "text", {});
  EXPECT_TRUE(error.Is(kTooBig));
}

}  // namespace
}  // namespace komadai
