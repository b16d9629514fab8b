#include "libs/livestore/subscription_hub.h"

#include <gtest/gtest.h>

namespace komadai::livestore {
namespace {

using Kind = Notification::Kind;
using Liveness = SubscriptionHub::Liveness;

Notification Event(Sequence sequence) { return {Kind::kEvent, sequence, "x"}; }

TEST(SubscriptionHubTest, ATopicThatIsNotLiveYetIsSilentUntilItsResync) {
  auto hub = std::make_shared<SubscriptionHub>(Liveness::kWhenTold);
  std::vector<Notification> seen;
  const auto subscription = hub->Add("t", [&](const Notification& n) { seen.push_back(n); });
  hub->Publish("t", Event(1));
  hub->Deliver();
  EXPECT_TRUE(seen.empty());
  hub->Resync("t");
  hub->Publish("t", Event(2));
  hub->Deliver();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].kind, Kind::kResync);
  EXPECT_EQ(seen[1].sequence, 2);
}

TEST(SubscriptionHubTest, AfterASuspensionOnlyNewSubscribersWait) {
  auto hub = std::make_shared<SubscriptionHub>(Liveness::kWhenTold);
  int old_calls = 0;
  int new_calls = 0;
  const auto first = hub->Add("t", [&](const Notification&) { ++old_calls; });
  hub->Resync("t");
  hub->SuspendAll();
  const auto second = hub->Add("t", [&](const Notification&) { ++new_calls; });
  hub->Deliver();
  EXPECT_EQ(old_calls, 1);
  EXPECT_EQ(new_calls, 1) << "the resync was still queued: it is this subscriber's too";
  hub->Resync("t");
  hub->Deliver();
  EXPECT_EQ(old_calls, 2);
  EXPECT_EQ(new_calls, 2);
}

TEST(SubscriptionHubTest, InterestIsToldForTheFirstAndAfterTheLastSubscriber) {
  auto hub = std::make_shared<SubscriptionHub>(Liveness::kAlways);
  std::vector<std::string> told;
  hub->OnInterestChanged([&](const std::string& topic) {
    told.push_back(topic + (hub->HasSubscribers(topic) ? "+" : "-"));
  });
  auto first = hub->Add("t", [](const Notification&) {});
  auto second = hub->Add("t", [](const Notification&) {});
  first.reset();
  second.reset();
  EXPECT_EQ(told, (std::vector<std::string>{"t+", "t-"}));
  hub->OnInterestChanged({});
}

// The queue of a stuck delivery is bounded: what does not fit becomes one resync.
TEST(SubscriptionHubTest, AnOverflowingQueueTurnsIntoAResync) {
  auto hub = std::make_shared<SubscriptionHub>(Liveness::kAlways);
  std::size_t events = 0;
  std::vector<Kind> last_kinds;
  const auto subscription = hub->Add("t", [&](const Notification& notification) {
    last_kinds.push_back(notification.kind);
    if (notification.kind == Kind::kEvent && ++events == 1) {
      for (std::size_t i = 0; i <= SubscriptionHub::kMaxPending; ++i) hub->Publish("t", Event(2));
    }
  });
  hub->Deliver();
  hub->Publish("t", Event(1));
  hub->Deliver();
  EXPECT_EQ(events, 1u);
  EXPECT_EQ(last_kinds, (std::vector<Kind>{Kind::kResync, Kind::kEvent, Kind::kResync}));
}

}  // namespace
}  // namespace komadai::livestore
