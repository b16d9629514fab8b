#include "tests/simulation/database.h"

#include <algorithm>

namespace komadai::simulation {

using livestore::CommitOutcome;
using livestore::Notification;
using livestore::NotificationHandler;
using livestore::Subscription;
using livestore::Transaction;

namespace {

Error StoreAway() { return Error(kUnavailable, "simulated: the store is away"); }
Error InDoubt() { return Error(livestore::kInDoubt, "simulated: the connection broke"); }

// "game:17 g1 v5 +2 events"
std::string DescribeCommit(const Transaction& transaction) {
  std::string words = "commit " + transaction.partition;
  for (const livestore::Change& change : transaction.changes) {
    words += " " + change.name + " v" + std::to_string(change.expected_version);
    if (!change.events.empty()) words += " +" + std::to_string(change.events.size()) + " events";
    if (!change.put_body && change.events.empty() && change.indexes.empty()) words += " (guard)";
  }
  return words;
}

}  // namespace

// In order and each at most once; what a cut loses is covered by the kResync after it.
class Notifications : public std::enable_shared_from_this<Notifications> {
 public:
  Notifications(Process& process, NotificationHandler handler)
      : environment_(process.environment()),
        pulse_(process.pulse()),
        handler_(std::move(handler)) {}

  void Receive(const Notification& notification) {
    if (ended_ || cut_) return;
    if (environment_.dice.Chance(environment_.weather.stream_cut)) {
      Cut(environment_.dice.MillisBetween(0, 300));
      return;
    }
    queue_.push_back(notification);
    DeliverLater(environment_.Delay());
  }
  // Nothing more until it is live again.
  void Cut(Millis duration) {
    if (ended_ || cut_) return;
    cut_ = true;
    queue_.clear();
    environment_.scheduler.After(duration, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->cut_ = false;
      self->queue_.push_back({});  // kResync
      self->DeliverLater(self->environment_.Delay());
    });
  }
  void End() { ended_ = true; }

 private:
  void DeliverLater(Millis delay) {
    environment_.scheduler.After(delay, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self || self->queue_.empty()) return;
      const Notification next = std::move(self->queue_.front());
      self->queue_.pop_front();
      if (*self->pulse_ && !self->ended_) self->handler_(next);
    });
  }

  Environment& environment_;
  const std::shared_ptr<const bool> pulse_;
  const NotificationHandler handler_;
  bool cut_ = false;
  bool ended_ = false;
  std::deque<Notification> queue_;
};

namespace {

class Handle final : public Subscription {
 public:
  explicit Handle(std::shared_ptr<Notifications> notifications)
      : notifications_(std::move(notifications)) {}
  ~Handle() override { notifications_->End(); }
  void Keep(std::unique_ptr<Subscription> inner) { inner_ = std::move(inner); }

 private:
  std::shared_ptr<Notifications> notifications_;
  std::unique_ptr<Subscription> inner_;
};

}  // namespace

Result<CommitOutcome> Database::Commit(Transaction transaction) {
  if (environment_.dice.Chance(environment_.weather.store_outage)) {
    GoAway(environment_.dice.MillisBetween(20, 800));
  }
  if (away()) return StoreAway();
  if (environment_.sabotage == Sabotage::kForgetfulStore && Forgets(transaction)) {
    return CommitOutcome{{}, {{transaction.changes.front().expected_version + 1, 0}}};
  }
  Result<CommitOutcome> outcome = Immediately(memory_.Commit(transaction));
  if (outcome && outcome->committed()) {
    in_use_.insert(transaction.partition);
    observer_(transaction);
  }
  return outcome;
}

bool Database::Forgets(const Transaction& transaction) {
  return transaction.partition.starts_with("game:") &&
         !transaction.changes.front().events.empty() && environment_.dice.Chance(kAlways / 20);
}

void Database::GoAway(Millis duration) {
  environment_.Say("store", [&] { return "AWAY for " + std::to_string(duration.count()) + " ms"; });
  back_at_ = environment_.scheduler.Now() + duration;
  std::erase_if(watching_, [](const auto& weak) { return weak.expired(); });
  for (const auto& weak : watching_) {
    if (const auto notifications = weak.lock()) notifications->Cut(duration);
  }
}

void Database::Watch(std::weak_ptr<Notifications> notifications) {
  watching_.push_back(std::move(notifications));
}

Task<Result<CommitOutcome>> Connection::Commit(Transaction transaction) {
  const auto wait = Wait<Result<CommitOutcome>>::In(process_, InDoubt());
  Dice& dice = environment_.dice;
  const Weather& weather = environment_.weather;
  const bool dies = process_.MayCrash();
  const bool refused = dice.Chance(weather.store_refuses);
  const bool doubtful = dice.Chance(weather.store_in_doubt);
  Millis arrives = environment_.Delay();
  if (!process_.alive() || (dies && dice.Chance(kAlways / 2))) {
    // It never leaves.
  } else if (refused) {
    environment_.scheduler.After(arrives, [wait] { wait->Answer(StoreAway()); });
  } else {
    environment_.Say(process_.name(), [&] { return DescribeCommit(transaction); });
    if (doubtful) {
      // The connection breaks: the commit is lost, done, or done a moment later.
      environment_.scheduler.After(environment_.Delay(), [wait] { wait->Answer(InDoubt()); });
      environment_.Say(process_.name(), [] { return std::string("  ... in doubt"); });
      if (dice.Chance(kAlways / 3)) arrives += dice.MillisBetween(1, 300);
    }
    if (!doubtful || !dice.Chance(kAlways / 3)) {
      environment_.scheduler.After(arrives, [&database = database_, &environment = environment_,
                                             wait, pulse = process_.pulse(), process = &process_,
                                             transaction = std::move(transaction)]() mutable {
        Result<CommitOutcome> outcome = database.Commit(std::move(transaction));
        if (*pulse) process->MayCrash();
        environment.scheduler.After(environment.Delay(),
                                    [wait, outcome] { wait->Answer(outcome); });
      });
    }
  }
  Result<CommitOutcome> outcome = co_await wait->Over();
  co_return outcome;
}

template <typename T>
Task<Result<T>> Connection::Read(std::function<Task<Result<T>>(livestore::LiveStore&)> read) {
  const auto wait = Wait<Result<T>>::In(process_, StoreAway());
  if (process_.alive()) {
    const bool refused = environment_.dice.Chance(environment_.weather.store_refuses);
    environment_.scheduler.After(environment_.Delay(), [&database = database_,
                                                        &environment = environment_, wait, refused,
                                                        read = std::move(read)] {
      Result<T> result = refused || database.away() ? Result<T>(StoreAway())
                                                    : Immediately(read(database.memory()));
      environment.scheduler.After(environment.Delay(), [wait, result] { wait->Answer(result); });
    });
  }
  Result<T> result = co_await wait->Over();
  co_return result;
}

Task<Result<std::optional<livestore::Document>>> Connection::Load(std::string partition,
                                                                  std::string name) {
  return Read<std::optional<livestore::Document>>(
      [partition, name](LiveStore& store) { return store.Load(partition, name); });
}

Task<Result<std::vector<std::optional<livestore::Document>>>> Connection::LoadMany(
    std::string partition, std::vector<std::string> names) {
  return Read<std::vector<std::optional<livestore::Document>>>(
      [partition, names](LiveStore& store) { return store.LoadMany(partition, names); });
}

Task<Result<std::optional<livestore::DocumentWithJournal>>> Connection::LoadWithJournal(
    std::string partition, std::string name, livestore::Sequence after_sequence,
    std::int64_t limit) {
  return Read<std::optional<livestore::DocumentWithJournal>>(
      [partition, name, after_sequence, limit](LiveStore& store) {
        return store.LoadWithJournal(partition, name, after_sequence, limit);
      });
}

Task<Result<livestore::JournalPage>> Connection::ReadJournal(std::string partition,
                                                             std::string name,
                                                             livestore::Sequence after_sequence,
                                                             std::int64_t limit) {
  return Read<livestore::JournalPage>([partition, name, after_sequence, limit](LiveStore& store) {
    return store.ReadJournal(partition, name, after_sequence, limit);
  });
}

Task<Result<std::vector<livestore::IndexEntry>>> Connection::ReadIndex(
    livestore::IndexQuery query) {
  using Entries = std::vector<livestore::IndexEntry>;
  if (database_.InUse(query.partition)) {
    return Read<Entries>([query](LiveStore& store) { return store.ReadIndex(query); });
  }
  const bool away = !process_.alive() || database_.away();
  return [](bool failed) -> Task<Result<Entries>> {
    if (failed) co_return StoreAway();
    co_return Entries();
  }(away);
}

Task<Result<std::int64_t>> Connection::CountIndex(std::string partition, std::string index,
                                                  std::int64_t min_score, std::int64_t max_score) {
  // Only metrics count.
  return database_.memory().CountIndex(std::move(partition), std::move(index), min_score,
                                       max_score);
}

template <typename Start>
std::unique_ptr<Subscription> Connection::Listen(NotificationHandler handler, const Start& start) {
  auto notifications = std::make_shared<Notifications>(process_, std::move(handler));
  auto handle = std::make_unique<Handle>(notifications);
  database_.Watch(notifications);
  handle->Keep(start(database_.memory(), [notifications](const Notification& notification) {
    notifications->Receive(notification);
  }));
  return handle;
}

std::unique_ptr<Subscription> Connection::Subscribe(std::string partition, std::string name,
                                                    NotificationHandler handler) {
  return Listen(std::move(handler), [&](LiveStore& store, NotificationHandler receive) {
    return store.Subscribe(partition, name, std::move(receive));
  });
}

std::unique_ptr<Subscription> Connection::SubscribeChannel(std::string channel,
                                                           NotificationHandler handler) {
  return Listen(std::move(handler), [&](LiveStore& store, NotificationHandler receive) {
    return store.SubscribeChannel(channel, std::move(receive));
  });
}

Task<Status> Connection::Ping() {
  if (!process_.alive() || database_.away()) co_return StoreAway();
  co_return Status();
}

}  // namespace komadai::simulation
