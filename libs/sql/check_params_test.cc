#include "libs/sql/check_params.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "libs/sql/errors.h"

namespace komadai::sql {
namespace {

TEST(CheckParamsTest, OrdinaryValuesAreStorable) {
  const Params params = {nullptr, -1, 2.5, "", "駒台 🦊", Bytes{std::string("\0\xFF", 2)}};
  EXPECT_TRUE(CheckParams(params));
}

TEST(CheckParamsTest, TextThatOneDatabaseWouldRefuseIsRefusedForAll) {
  const std::string bad[] = {std::string("a\0b", 3), "\x80",         "\xC0\xAF",
                             "\xE0\x80\x80",         "\xED\xA0\x80", "\xF0\x80\x80\x80",
                             "\xF4\x90\x80\x80",     "\xE9\xA7",     "\xF5\x80\x80\x80"};
  for (const std::string& text : bad) {
    const Status status = CheckParams({1, text});
    ASSERT_FALSE(status);
    EXPECT_TRUE(status.error().Is(kInvalidValue));
    EXPECT_EQ(status.error().metadata().at("parameter"), "2");
  }
}

TEST(CheckParamsTest, NumbersThatAreNoneAreRefused) {
  EXPECT_FALSE(CheckParams({std::nan("")}));
  EXPECT_FALSE(CheckParams({std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace komadai::sql
