#include "libs/livestore/redis_safety.h"

#include <gtest/gtest.h>

namespace komadai::livestore {
namespace {

redis::Reply Text(const std::string& text) {
  redis::Reply reply;
  reply.kind = redis::Reply::Kind::kString;
  reply.text = text;
  return reply;
}

Result<redis::Reply> Appendonly(const std::string& value) {
  redis::Reply reply;
  reply.kind = redis::Reply::Kind::kArray;
  reply.elements = {Text("appendonly"), Text(value)};
  return reply;
}

TEST(RedisSafetyTest, WithoutAppendonlyItIsNotDurableUnlessThatIsAccepted) {
  EXPECT_TRUE(RedisSafety(false).CheckPersistence(Appendonly("yes")));
  EXPECT_TRUE(RedisSafety(false).CheckPersistence(Appendonly("no")).error().Is(kNotDurable));
  EXPECT_TRUE(RedisSafety(true).CheckPersistence(Appendonly("no")));
}

TEST(RedisSafetyTest, AServerThatDoesNotSayIsTrusted) {
  EXPECT_TRUE(RedisSafety(false).CheckPersistence(Error(kInternal, "NOPERM")));
  EXPECT_TRUE(RedisSafety(false).CheckPersistence(Text("odd")));
}

TEST(RedisSafetyTest, AnotherMarkIsALossThatIsNotedForAWhile) {
  RedisSafety safety(false);
  EXPECT_TRUE(safety.CheckMark("a"));
  EXPECT_TRUE(safety.CheckMark("a"));
  EXPECT_TRUE(safety.CheckMark("b").error().Is(kLostData));
  for (int i = 1; i < RedisSafety::kAlarmedChecks; ++i) EXPECT_FALSE(safety.CheckMark("b"));
  EXPECT_TRUE(safety.CheckMark("b"));
  EXPECT_TRUE(safety.CheckMark("c").error().Is(kLostData));
}

}  // namespace
}  // namespace komadai::livestore
