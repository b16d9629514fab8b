#include "libs/postgres/conninfo.h"

#include <gtest/gtest.h>

namespace komadai::postgres {
namespace {

TEST(ConnInfoTest, DescriptionNamesTheDatabaseWithoutThePassword) {
  const Result<ConnInfo> info =
      ParseConnInfo("postgresql://taro:s3cret@db.example:5433/games?sslmode=require", Millis(2500));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->description, "games on db.example:5433");
  EXPECT_EQ(info->password, "s3cret");
  EXPECT_NE(info->keywords.find("sslmode='require'"), std::string::npos);
  EXPECT_NE(info->keywords.find("connect_timeout='3'"), std::string::npos);
  EXPECT_EQ(WithoutPassword("tried s3cret twice: s3cret", *info), "tried *** twice: ***");
}

TEST(ConnInfoTest, SettingsOfTheUrlWin) {
  const Result<ConnInfo> info =
      ParseConnInfo("postgresql:///games?connect_timeout=9&options=-c%20work_mem%3D8MB", Millis(1));
  ASSERT_TRUE(info);
  EXPECT_NE(info->keywords.find("connect_timeout='9'"), std::string::npos);
  EXPECT_NE(info->keywords.find("work_mem=8MB -c bytea_output=hex"), std::string::npos);
}

TEST(ConnInfoTest, QuotesInValuesStayValues) {
  const Result<ConnInfo> info = ParseConnInfo("password='it\\'s' dbname=x", Millis(1000));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->password, "it's");
  EXPECT_NE(info->keywords.find("password='it\\'s'"), std::string::npos);
}

TEST(ConnInfoTest, AMalformedUrlIsNotRepeatedInTheError) {
  const Result<ConnInfo> info = ParseConnInfo("postgresql//taro:s3cret@db", Millis(1000));
  ASSERT_FALSE(info);
  EXPECT_TRUE(info.error().Is(kInvalidUrl));
  EXPECT_EQ(info.error().ToString().find("s3cret"), std::string::npos);
}

}  // namespace
}  // namespace komadai::postgres
