#include "libs/sql/value.h"

#include <gtest/gtest.h>

namespace komadai::sql {
namespace {

TEST(ValueTest, LiteralsKeepTheirKind) {
  EXPECT_TRUE(Value(nullptr).is_null());
  EXPECT_TRUE(Value(std::optional<int>()).is_null());
  EXPECT_EQ(*Value(std::optional<int>(3)).as_int(), 3);
  EXPECT_EQ(*Value(true).as_int(), 1);
  EXPECT_EQ(*Value(1.5).as_double(), 1.5);
  EXPECT_EQ(*Value("text").as_text(), "text");
  EXPECT_EQ(Value(Bytes{"text"}).as_text(), nullptr);
}

TEST(RowTest, AnIntegerIsAlsoADouble) {
  const Row row({Value(2), Value("x"), Value(), Value(Bytes{"b"})});
  EXPECT_EQ(row.Double(0), 2.0);
  EXPECT_EQ(row.Text(1), "x");
  EXPECT_TRUE(row.IsNull(2));
  EXPECT_EQ(row.Blob(3), "b");
}

}  // namespace
}  // namespace komadai::sql
