#include "libs/redis/options.h"

#include <gtest/gtest.h>

namespace komadai::redis {
namespace {

TEST(ParseUrlTest, HostAloneMeansTheUsualPortAndDatabaseZero) {
  const Options options = *ParseUrl("redis://cache.example");
  EXPECT_EQ(options.host, "cache.example");
  EXPECT_EQ(options.port, 6379);
  EXPECT_EQ(options.database, 0);
  EXPECT_EQ(options.password, "");
}

TEST(ParseUrlTest, EveryPartIsRead) {
  const Options options = *ParseUrl("redis://us%40er:p%2Fa%3Ass@10.0.0.1:7000/12");
  EXPECT_EQ(options.user, "us@er");
  EXPECT_EQ(options.password, "p/a:ss");
  EXPECT_EQ(options.host, "10.0.0.1");
  EXPECT_EQ(options.port, 7000);
  EXPECT_EQ(options.database, 12);
}

TEST(ParseUrlTest, APasswordNeedsNoUser) {
  const Options options = *ParseUrl("redis://:secret@h");
  EXPECT_EQ(options.user, "");
  EXPECT_EQ(options.password, "secret");
}

TEST(ParseUrlTest, Ipv6AddressesStandInBrackets) {
  const Options options = *ParseUrl("redis://[::1]:7001/0");
  EXPECT_EQ(options.host, "::1");
  EXPECT_EQ(options.port, 7001);
}

TEST(ParseUrlTest, UnixSocketsAreNamedByTheirPath) {
  const Options options = *ParseUrl("unix://:pw@/run/redis/redis.sock?db=3");
  EXPECT_EQ(options.unix_socket, "/run/redis/redis.sock");
  EXPECT_EQ(options.password, "pw");
  EXPECT_EQ(options.database, 3);
}

TEST(ParseUrlTest, NonsenseIsRefusedWithoutRepeatingIt) {
  for (const char* url :
       {"", "http://h", "redis://", "redis://h:0", "redis://h:70000", "redis://h:x", "redis://h/x",
        "redis://h/-1", "redis://h:1:2", "redis://[::1", "redis://:%zz@h", "redis://:hunter2@",
        "unix://relative", "unix:///s?x=1", "rediss://h"}) {
    const Result<Options> options = ParseUrl(url);
    ASSERT_FALSE(options) << url;
    EXPECT_TRUE(options.error().Is(kBadRedisUrl));
    EXPECT_EQ(options.error().message().find("hunter2"), std::string::npos);
  }
}

}  // namespace
}  // namespace komadai::redis
