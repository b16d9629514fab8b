#include "services/engine/domain/fair_queue.h"

#include <gtest/gtest.h>

namespace komadai::engine {
namespace {

using Queue = FairQueue<std::string>;

std::string Pop(Queue& queue) {
  return queue.PopIf([](const std::string&) { return true; }).value_or("");
}

TEST(FairQueueTest, CallersTakeTurns) {
  Queue queue(10);
  for (const char* item : {"a1", "a2", "a3"}) queue.Push("a", Urgency::kUrgent, item);
  queue.Push("b", Urgency::kUrgent, "b1");
  EXPECT_EQ(Pop(queue), "a1");
  EXPECT_EQ(Pop(queue), "b1");
  EXPECT_EQ(Pop(queue), "a2");
  queue.Push("c", Urgency::kUrgent, "c1");
  EXPECT_EQ(Pop(queue), "a3");
  EXPECT_EQ(Pop(queue), "c1");
  EXPECT_EQ(Pop(queue), "");
}

TEST(FairQueueTest, MovesGoBeforeAnalyses) {
  Queue queue(10);
  queue.Push("a", Urgency::kPatient, "analysis");
  queue.Push("a", Urgency::kUrgent, "move");
  EXPECT_EQ(Pop(queue), "move");
  EXPECT_EQ(Pop(queue), "analysis");
}

TEST(FairQueueTest, AFullQueueGivesTheItemBack) {
  Queue queue(2);
  EXPECT_FALSE(queue.Push("a", Urgency::kUrgent, "1"));
  EXPECT_FALSE(queue.Push("b", Urgency::kPatient, "2"));
  EXPECT_EQ(queue.Push("c", Urgency::kUrgent, "3"), "3");
  Pop(queue);
  EXPECT_FALSE(queue.Push("c", Urgency::kUrgent, "3"));
}

TEST(FairQueueTest, SkippedItemsKeepTheirPlace) {
  Queue queue(10);
  queue.Push("a", Urgency::kUrgent, "x1");
  queue.Push("b", Urgency::kUrgent, "y1");
  EXPECT_EQ(queue.PopIf([](const std::string& item) { return item[0] == 'y'; }), "y1");
  EXPECT_FALSE(queue.PopIf([](const std::string& item) { return item[0] == 'y'; }));
  EXPECT_EQ(Pop(queue), "x1");
}

TEST(FairQueueTest, RemovesFromTheMiddle) {
  Queue queue(10);
  for (const char* item : {"a1", "a2", "a3"}) queue.Push("a", Urgency::kUrgent, item);
  EXPECT_EQ(queue.Remove([](const std::string& item) { return item == "a2"; }), "a2");
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(Pop(queue), "a1");
  EXPECT_EQ(Pop(queue), "a3");
}

TEST(FairQueueTest, ACallerWhoseLastItemIsRemovedWaitsNoMore) {
  Queue queue(10);
  queue.Push("a", Urgency::kUrgent, "a1");
  queue.Push("b", Urgency::kUrgent, "b1");
  EXPECT_EQ(queue.Remove([](const std::string& item) { return item == "a1"; }), "a1");
  int asked = 0;
  EXPECT_EQ(queue.PopIf([&](const std::string& item) {
    ++asked;
    return item == "b1";
  }),
            "b1");
  EXPECT_EQ(asked, 1) << "nothing is asked about a caller who left";
}

}  // namespace
}  // namespace komadai::engine
