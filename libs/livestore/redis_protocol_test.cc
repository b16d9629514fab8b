#include "libs/livestore/redis_protocol.h"

#include <gmock/gmock.h>

namespace komadai::livestore {
namespace {

using redis::Reply;

Reply Int(std::int64_t value) { return {.kind = Reply::Kind::kInteger, .integer = value}; }
Reply Text(std::string text) { return {.kind = Reply::Kind::kString, .text = std::move(text)}; }
Reply Array(std::vector<Reply> elements) {
  return {.kind = Reply::Kind::kArray, .elements = std::move(elements)};
}

TEST(RedisProtocolTest, ACommitIsFlattenedAsTheScriptReadsIt) {
  Transaction transaction;
  transaction.partition = "p";
  transaction.changes.push_back({.name = "d",
                                 .expected_version = 7,
                                 .put_body = "body",
                                 .events = std::vector<std::string>{"e1", "e2"},
                                 .indexes = {{"i", -5}, {"j", std::nullopt}},
                                 .time_to_live = Millis(9),
                                 .keep_last_events = 3});
  transaction.changes.push_back(
      {.name = "x", .expected_version = kAnyVersion, .delete_document = true});
  transaction.announcements.push_back({"c", "hello"});
  EXPECT_THAT(CommitArguments("0", transaction),
              ::testing::ElementsAre("0", "2", "d", "7", "b", "body", "", "9", "3", "2", "e1", "e2",
                                     "2", "i", "-5", "j", "", "x", "-1", "", "", "d", "", "", "0",
                                     "0", "0komadai:c:c", "hello"));
}

TEST(RedisProtocolTest, CommitRepliesAreSuccessConflictOrRefusal) {
  const std::vector<std::string> names{"a", "b"};
  const std::vector<Version> expected{1, 2};
  const auto success =
      ParseCommitReply(names, expected, Array({Int(1), Int(10), Int(2), Int(11), Int(0)}));
  ASSERT_TRUE(success && success->committed());
  EXPECT_EQ(success->documents[0].version, 10);
  EXPECT_EQ(success->documents[0].last_sequence, 2);
  EXPECT_EQ(success->documents[1].version, 11);
  const auto conflict = ParseCommitReply(names, expected, Array({Int(0), Int(2), Int(5)}));
  ASSERT_TRUE(conflict && !conflict->committed());
  EXPECT_EQ(conflict->conflict->name, "b");
  EXPECT_EQ(conflict->conflict->expected, 2);
  EXPECT_EQ(conflict->conflict->current, 5);
  const auto refusal = ParseCommitReply(names, expected, Array({Int(-1), Int(1)}));
  EXPECT_TRUE(refusal.error().Is(kInvalidTransaction));
}

TEST(RedisProtocolTest, OddCommitRepliesAreErrors) {
  for (const Reply& odd :
       {Reply(), Array({}), Int(1), Array({Int(1)}), Array({Int(1), Int(2)}), Array({Text("1")}),
        Array({Int(0), Int(0), Int(1)}), Array({Int(0), Int(9), Int(1)}), Array({Int(0), Int(1)}),
        Array({Int(7), Int(1), Int(1)}), Array({Int(-1)})}) {
    EXPECT_TRUE(ParseCommitReply({"a"}, {0}, odd).error().Is(kInternal));
  }
}

TEST(RedisProtocolTest, OddDocumentsEventsAndScoresAreErrors) {
  for (Reply odd :
       {Reply(), Array({Text("1")}), Array({Text("x"), Text("1"), Text("")}),
        Array({Text("1"), Text(""), Text("")}), Array({Text("1"), Text("1"), Int(2)})}) {
    EXPECT_TRUE(ParseDocument("d", odd).error().Is(kInternal));
  }
  for (Reply odd : {Reply(), Array({Int(1)}), Array({Array({Text("1-0"), Array({Text("e")})})}),
                    Array({Array({Text("x"), Array({Text("e"), Text("p")})})})}) {
    EXPECT_TRUE(ParseEvents(odd).error().Is(kInternal));
  }
  for (Reply odd : {Reply(), Array({Text("a")}), Array({Text("a"), Text("nan")}),
                    Array({Text("a"), Text("1e300")}), Array({Text("a"), Text("")})}) {
    EXPECT_TRUE(ParseIndex(odd, kMaxScore).error().Is(kInternal));
  }
}

TEST(RedisProtocolTest, ScoresAreReadInBothOfRedisSpellings) {
  Reply reply =
      Array({Text("a"), Text("9007199254740991"), Text("b"), Text("9.007199254740992e15")});
  const auto entries = ParseIndex(reply, kMaxScore);
  ASSERT_TRUE(entries);
  EXPECT_EQ((*entries)[0].score, kMaxScore - 1);
  EXPECT_EQ((*entries)[1].score, kMaxScore);
}

TEST(RedisProtocolTest, MessagesAreEventsDeletionsOrForeign) {
  const auto event = ParseDocumentMessage("e12:a:b");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Notification::Kind::kEvent);
  EXPECT_EQ(event->sequence, 12);
  EXPECT_EQ(event->payload, "a:b");
  EXPECT_EQ(ParseDocumentMessage("d")->kind, Notification::Kind::kResync);
  for (const char* foreign : {"", "x", "e", "e1", "ex:y", "e:y", "deleted"}) {
    EXPECT_FALSE(ParseDocumentMessage(foreign)) << foreign;
  }
}

TEST(RedisProtocolTest, ReadsAreNeverInDoubtAndRefusalsAreInternal) {
  EXPECT_TRUE(ReadError(Error{redis::kInDoubt, ""}).Is(kUnavailable));
  EXPECT_TRUE(CommitError(Error{redis::kInDoubt, ""}).Is(kInDoubt));
  EXPECT_TRUE(CommitError(Error{redis::kErrorReply, ""}).Is(kInternal));
  EXPECT_TRUE(CommitError(Error{kOverloaded, ""}).Is(kOverloaded));
}

}  // namespace
}  // namespace komadai::livestore
