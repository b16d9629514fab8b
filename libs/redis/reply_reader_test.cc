#include "libs/redis/reply_reader.h"

#include <gtest/gtest.h>

#include <string_view>

#include "libs/redis/session.h"

namespace komadai::redis {
namespace {

// Feeds the bytes one by one, so that every split of a value is met.
std::unique_ptr<Reply> Parse(std::string_view bytes) {
  redisReader* reader = redisReaderCreateWithFunctions(ReplyFunctions());
  void* reply = nullptr;
  for (const char byte : bytes) {
    EXPECT_EQ(reply, nullptr);
    EXPECT_EQ(redisReaderFeed(reader, &byte, 1), REDIS_OK);
    EXPECT_EQ(redisReaderGetReply(reader, &reply), REDIS_OK);
  }
  redisReaderFree(reader);
  return std::unique_ptr<Reply>(static_cast<Reply*>(reply));
}

TEST(ReplyReaderTest, ScalarsKeepTheirKinds) {
  EXPECT_EQ(Parse(":-42\r\n")->integer, -42);
  EXPECT_TRUE(Parse("$-1\r\n")->IsNil());
  EXPECT_EQ(Parse("+OK\r\n")->text, "OK");
  EXPECT_TRUE(Parse("-ERR no\r\n")->IsError());
  EXPECT_EQ(Parse("-ERR no\r\n")->text, "ERR no");
}

TEST(ReplyReaderTest, BulkStringsAreAnyBytes) {
  const std::string_view bytes("$4\r\n\0\r\n\xff\r\n", 10);
  EXPECT_EQ(Parse(bytes)->text, std::string("\0\r\n\xff", 4));
  EXPECT_EQ(Parse("$0\r\n\r\n")->text, "");
}

TEST(ReplyReaderTest, ArraysNest) {
  const auto reply = Parse("*3\r\n:1\r\n*2\r\n$1\r\na\r\n*1\r\n$-1\r\n*0\r\n");
  ASSERT_EQ(reply->elements.size(), 3u);
  EXPECT_EQ(reply->elements[0].integer, 1);
  ASSERT_EQ(reply->elements[1].elements.size(), 2u);
  EXPECT_EQ(reply->elements[1].elements[0].text, "a");
  EXPECT_TRUE(reply->elements[1].elements[1].elements[0].IsNil());
  EXPECT_TRUE(reply->elements[2].IsArray());
  EXPECT_TRUE(reply->elements[2].elements.empty());
}

TEST(ReplyReaderTest, AnUnfinishedReplyIsFreedWithItsReader) {
  EXPECT_EQ(Parse("*2\r\n*1\r\n$3\r\nabc\r\n"), nullptr);
}

TEST(FormatTest, ArgumentsMayBeAnyBytes) {
  EXPECT_EQ(Format({"SET", std::string("\0\r", 2), ""}),
            std::string("*3\r\n$3\r\nSET\r\n$2\r\n\0\r\r\n$0\r\n\r\n", 27));
}

}  // namespace
}  // namespace komadai::redis
