// Notifications: order, resync, ends.
#include <algorithm>
#include <atomic>
#include <thread>

#include "libs/livestore/contract/store_contract.h"

namespace komadai::livestore {
namespace {

using Kind = Notification::Kind;

std::vector<std::string> Payloads(const std::vector<Notification>& seen) {
  std::vector<std::string> payloads;
  for (const Notification& notification : seen) {
    if (notification.kind != Kind::kResync) payloads.push_back(notification.payload);
  }
  return payloads;
}

TEST_P(StoreContract, ASubscriberHearsResyncFirstAndThenEveryEventInOrder) {
  Recorder recorder;
  Apply({.name = "d", .events = std::vector<std::string>{"before"}});
  const auto subscription = other().Subscribe("p", "d", recorder.Handler());
  ASSERT_TRUE(recorder.WaitForResync());
  for (int i = 0; i < 100; ++i) {
    Apply({.name = "d",
           .expected_version = kAnyVersion,
           .events = std::vector<std::string>{"a" + std::to_string(i), std::string("\0\r\n", 3)}});
    Apply({.name = "noise",
           .expected_version = kAnyVersion,
           .events = std::vector<std::string>{"noise"}});
  }
  ASSERT_TRUE(recorder.WaitForCount(201));
  const std::vector<Notification> seen = recorder.Seen();
  EXPECT_EQ(seen[0].kind, Kind::kResync);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i].kind, Kind::kEvent);
    EXPECT_EQ(seen[i].sequence, static_cast<Sequence>(i) + 1);
  }
  EXPECT_EQ(seen[1].payload, "a0");
  EXPECT_EQ(seen[2].payload, std::string("\0\r\n", 3));
}

TEST_P(StoreContract, AConflictNotifiesNobody) {
  Recorder recorder;
  Recorder channel;
  const auto subscription = store().Subscribe("p", "d", recorder.Handler());
  const auto channel_subscription = store().SubscribeChannel("c", channel.Handler());
  ASSERT_TRUE(recorder.WaitForResync());
  ASSERT_TRUE(channel.WaitForResync());
  Transaction failing = One({.name = "d", .events = std::vector<std::string>{"no"}});
  failing.changes.push_back({.name = "x", .expected_version = 1});
  failing.announcements.push_back({"c", "no"});
  ASSERT_FALSE(SyncWait(store().Commit(failing))->committed());
  failing.changes.pop_back();
  failing.changes[0].events = {"yes"};
  failing.announcements[0].payload = "yes";
  ASSERT_TRUE(SyncWait(store().Commit(failing))->committed());
  ASSERT_TRUE(recorder.WaitForCount(2));
  ASSERT_TRUE(channel.WaitForCount(2));
  EXPECT_EQ(Payloads(recorder.Seen()), std::vector<std::string>{"yes"});
  EXPECT_EQ(Payloads(channel.Seen()), std::vector<std::string>{"yes"});
}

TEST_P(StoreContract, AnnouncementsReachEverySubscriberOfTheirChannel) {
  Recorder first;
  Recorder second;
  Recorder elsewhere;
  const std::string odd_channel("a b\0{c}", 7);
  const auto one = store().SubscribeChannel(odd_channel, first.Handler());
  const auto two = other().SubscribeChannel(odd_channel, second.Handler());
  const auto three = other().SubscribeChannel("elsewhere", elsewhere.Handler());
  ASSERT_TRUE(first.WaitForResync() && second.WaitForResync() && elsewhere.WaitForResync());
  Transaction transaction = One({.name = "d", .put_body = ""});
  transaction.announcements = {{odd_channel, "x"}, {odd_channel, std::string("\0", 1)}};
  ASSERT_TRUE(SyncWait(store().Commit(transaction))->committed());
  const std::vector<std::string> expected{"x", std::string("\0", 1)};
  ASSERT_TRUE(first.WaitForCount(3) && second.WaitForCount(3));
  EXPECT_EQ(Payloads(first.Seen()), expected);
  EXPECT_EQ(Payloads(second.Seen()), expected);
  EXPECT_EQ(first.Seen()[1].kind, Kind::kMessage);
  EXPECT_EQ(elsewhere.Seen().size(), 1u);
}

TEST_P(StoreContract, ALateSubscriberOfABusyDocumentDisturbsNobody) {
  Recorder early;
  Recorder late;
  const auto one = store().Subscribe("p", "d", early.Handler());
  ASSERT_TRUE(early.WaitForResync());
  const auto two = store().Subscribe("p", "d", late.Handler());
  ASSERT_TRUE(late.WaitForResync());
  Apply({.name = "d", .events = std::vector<std::string>{"x"}});
  ASSERT_TRUE(early.WaitForCount(2) && late.WaitForCount(2));
  EXPECT_EQ(early.Seen().size(), 2u) << "one resync and one event";
  EXPECT_EQ(late.Seen().size(), 2u);
}

TEST_P(StoreContract, DeletionTellsSubscribersToResync) {
  Recorder recorder;
  const auto subscription = store().Subscribe("p", "d", recorder.Handler());
  ASSERT_TRUE(recorder.WaitForResync());
  Apply({.name = "d", .events = std::vector<std::string>{"x"}});
  Apply({.name = "d", .expected_version = kAnyVersion, .delete_document = true});
  ASSERT_TRUE(recorder.WaitForCount(3));
  EXPECT_EQ(recorder.Seen()[2].kind, Kind::kResync);
}

TEST_P(StoreContract, AnEndedSubscriptionIsSilent) {
  Recorder ended;
  Recorder watching;
  auto subscription = store().Subscribe("p", "d", ended.Handler());
  const auto other_subscription = store().Subscribe("p", "d", watching.Handler());
  ASSERT_TRUE(ended.WaitForResync() && watching.WaitForResync());
  subscription.reset();
  Apply({.name = "d", .events = std::vector<std::string>{"x"}});
  ASSERT_TRUE(watching.WaitForCount(2));
  EXPECT_EQ(ended.Seen().size(), 1u);
}

TEST_P(StoreContract, ASubscriptionEndedAndMadeAgainWorks) {
  for (int i = 0; i < 20; ++i) {
    Recorder recorder;
    const auto subscription = store().Subscribe("p", "d", recorder.Handler());
    ASSERT_TRUE(recorder.WaitForResync()) << i;
    Apply({.name = "d",
           .expected_version = kAnyVersion,
           .events = std::vector<std::string>{std::to_string(i)}});
    ASSERT_TRUE(recorder.WaitUntil([&](const auto& seen) {
      return std::any_of(seen.begin(), seen.end(), [&](const Notification& notification) {
        return notification.payload == std::to_string(i);
      });
    })) << i;
  }
}

TEST_P(StoreContract, AHandlerMayEndItsOwnSubscriptionAndCommit) {
  Recorder recorder;
  std::unique_ptr<Subscription> subscription;
  Mutex mutex;
  MutexLock lock(mutex);
  subscription = store().Subscribe("p", "d", [&](const Notification& notification) {
    if (notification.kind != Kind::kEvent) return recorder.Add(notification);
    {
      const MutexLock inner(mutex);
      subscription.reset();
    }
    recorder.Add(notification);
  });
  lock.Unlock();
  ASSERT_TRUE(recorder.WaitForResync());
  Apply({.name = "d", .events = std::vector<std::string>{"x"}});
  ASSERT_TRUE(recorder.WaitForCount(2));
  Apply({.name = "d", .expected_version = kAnyVersion, .events = std::vector<std::string>{"y"}});
  EXPECT_EQ(recorder.Seen().size(), 2u);
}

// The rule of live_store.h, as a watcher follows it, against writers in full swing.
TEST_P(StoreContract, AWatcherThatRereadsOnResyncMissesNothing) {
  constexpr int kEvents = 300;
  std::thread writer([&] {
    for (int i = 0; i < kEvents; ++i) {
      Apply({.name = "d",
             .expected_version = kAnyVersion,
             .events = std::vector<std::string>{std::to_string(i)}});
    }
  });
  for (int round = 0; round < 5; ++round) {
    Recorder recorder;
    const auto subscription = other().Subscribe("p", "d", recorder.Handler());
    ASSERT_TRUE(recorder.WaitForResync());
    std::vector<std::string> known = Journal("d");
    const auto at_resync = static_cast<Sequence>(known.size());
    recorder.WaitUntil([&](const auto& seen) {
      return at_resync == kEvents || (seen.size() > 1 && seen.back().sequence > at_resync);
    });
    for (const Notification& notification : recorder.Seen()) {
      if (notification.kind != Kind::kEvent) continue;
      if (notification.sequence <= static_cast<Sequence>(known.size())) continue;
      ASSERT_EQ(notification.sequence, static_cast<Sequence>(known.size()) + 1);
      known.push_back(notification.payload);
    }
    for (std::size_t i = 0; i < known.size(); ++i) ASSERT_EQ(known[i], std::to_string(i));
  }
  writer.join();
}

}  // namespace
}  // namespace komadai::livestore
