#include "services/clock/app/expiries.h"

#include <algorithm>
#include <utility>

namespace komadai::clock {

Expiries::Expiries(ClockStore& store, const TimeSource& time, std::string origin,
                   ExpirySettings settings, ClockMetrics& metrics, telemetry::Logger log)
    : store_(store),
      time_(time),
      origin_(std::move(origin)),
      settings_(settings),
      metrics_(metrics),
      log_(std::move(log)) {}

Expiries::~Expiries() { Close(); }

void Expiries::Open() {
  subscription_ =
      store_.SubscribeExpiries([this](const AnnouncedExpiry& announced) { Heard(announced); });
}

void Expiries::Close() {
  subscription_.reset();
  tasks_.Stop();
}

void Expiries::ClockChanged(const std::string& game_id, const StoredClock& stored) {
  if (schedule_.Own(game_id, stored.version, ExpiryOf(game_id, stored.clock))) wake_();
}

int Expiries::Watch(Watcher watcher) {
  const MutexLock lock(watchers_mutex_);
  watchers_.emplace(++last_watcher_, std::make_shared<const Watcher>(std::move(watcher)));
  metrics_.watchers.Set(static_cast<double>(watchers_.size()));
  return last_watcher_;
}

void Expiries::Unwatch(int id) {
  const MutexLock lock(watchers_mutex_);
  watchers_.erase(id);
  metrics_.watchers.Set(static_cast<double>(watchers_.size()));
}

void Expiries::Publish(const Expiry* expiry) {
  std::vector<std::shared_ptr<const Watcher>> watchers;
  {
    const MutexLock lock(watchers_mutex_);
    watchers.reserve(watchers_.size());
    for (const auto& [id, watcher] : watchers_) watchers.push_back(watcher);
  }
  // Outside the lock: a watcher that is too slow ends its stream, which calls Unwatch().
  for (const auto& watcher : watchers) (*watcher)(expiry);
}

TimePoint Expiries::Tick() {
  const MutexLock lock(tick_mutex_);
  const TimePoint now = time_.Now();
  AnnounceDue(now);
  if (now >= next_slice_) {
    next_slice_ = std::max(next_slice_ + settings_.sweep_interval / kSlices, now);
    SweepSlice(now);
  }
  if (now >= next_heartbeat_) {
    next_heartbeat_ = now + settings_.heartbeat_interval;
    Publish(nullptr);
  }
  if (now >= next_count_) {
    next_count_ = now + kCountInterval;
    tasks_.Spawn(CountRunning());
  }
  metrics_.timers.Set(static_cast<double>(schedule_.timers()));
  const TimePoint next = std::min({next_slice_, next_heartbeat_, next_count_});
  const bool all_busy = announcing_.load() >= kMaxAnnouncing;  // woken when one has finished
  return all_busy ? next : std::min(next, schedule_.NextDue().value_or(next));
}

void Expiries::AnnounceDue(TimePoint now) {
  const int room = kMaxAnnouncing - announcing_.load();
  if (room <= 0) return;
  for (DueExpiry& due : schedule_.TakeDue(now, static_cast<std::size_t>(room))) {
    announcing_.fetch_add(1);
    if (!tasks_.Spawn(Announce(std::move(due)))) return;
  }
}

Task<void> Expiries::Announce(DueExpiry due) {
  const Result<bool> current = co_await LetFlagFall(due);
  if (current && *current) {
    const TimePoint now = time_.Now();
    if (schedule_.Announced(due.expiry, now)) {
      const auto late = std::chrono::duration<double>(now - due.expiry.deadline);
      metrics_.lateness.Observe(late.count());
      log_.Debug("a deadline has passed", {{"game_id", due.expiry.game_id},
                                           {"ply", due.expiry.ply},
                                           {"late_ms", (now - due.expiry.deadline).count()}});
    }
    (due.owned ? metrics_.expiries_own : metrics_.expiries_adopted).Increment();
    Publish(&due.expiry);
  } else if (current) {
    metrics_.expiries_withdrawn.Increment();
  }
  // A failure of the store is left to the next sweep, which finds the clock again.
  if (announcing_.fetch_sub(1) == kMaxAnnouncing) wake_();
}

Task<Result<bool>> Expiries::LetFlagFall(DueExpiry due) {
  auto stored = co_await store_.Load(due.expiry.game_id);
  if (!stored) co_return std::move(stored).error();
  if (!stored->has_value() || (*stored)->version != due.version) co_return false;
  AnnouncedExpiry announced{.origin = origin_, .expiry = due.expiry};
  Result<bool> current = co_await store_.Announce(std::move(announced), **std::move(stored));
  co_return current;
}

void Expiries::SweepSlice(TimePoint now) {
  for (int shard = slice_; shard < ClockStore::kShards; shard += kSlices) {
    if (sweeping_[static_cast<std::size_t>(shard)].exchange(true)) continue;  // a slow store
    if (!tasks_.Spawn(SweepShard(shard))) return;
  }
  slice_ = (slice_ + 1) % kSlices;
  if (slice_ == 0) schedule_.ForgetOldAnnouncements(now);
}

Task<void> Expiries::SweepShard(int shard) {
  const Status status = co_await AdoptOverdue(shard);
  SweepEnded(status);
  sweeping_[static_cast<std::size_t>(shard)].store(false);
}

Task<Status> Expiries::AdoptOverdue(int shard) {
  std::optional<livestore::IndexEntry> after;
  for (;;) {
    const TimePoint now = time_.Now();
    auto entries = co_await store_.Deadlines(shard, now + kLookAhead, after);
    if (!entries) co_return std::move(entries).error();
    std::vector<std::string> wanted;
    for (const livestore::IndexEntry& entry : *entries) {
      const bool wants = schedule_.Wants(entry.name, FromUnixMillis(entry.score), now);
      if (wants) wanted.push_back(entry.name);
    }
    const Status adopted = co_await Adopt(shard, std::move(wanted));
    if (!adopted) co_return adopted;
    if (entries->size() < static_cast<std::size_t>(livestore::kMaxPage)) co_return Status();
    after = entries->back();
  }
}

Task<Status> Expiries::Adopt(int shard, std::vector<std::string> game_ids) {
  if (game_ids.empty()) co_return Status();
  auto clocks = co_await store_.LoadMany(shard, game_ids);
  if (!clocks) co_return std::move(clocks).error();
  const TimePoint now = time_.Now();
  bool nearer = false;
  for (std::size_t i = 0; i < clocks->size(); ++i) {
    const std::optional<StoredClock>& stored = (*clocks)[i];
    if (!stored) continue;
    const std::optional<Expiry> expiry = ExpiryOf(game_ids[i], stored->clock);
    if (expiry && schedule_.Adopt(stored->version, *expiry, now)) nearer = true;
  }
  if (nearer) wake_();
  co_return Status();
}

void Expiries::SweepEnded(const Status& status) {
  if (!status) {
    metrics_.sweep_failures.Increment();
    if (!sweep_failing_.exchange(true)) {
      log_.Warning("deadlines cannot be swept", {{"error", status.error().ToString()}});
    }
  } else if (sweep_failing_.exchange(false)) {
    log_.Info("deadlines are swept again");
  }
}

Task<void> Expiries::CountRunning() {
  std::int64_t running = 0;
  bool complete = true;
  for (int shard = 0; shard < ClockStore::kShards && complete; ++shard) {
    const Result<std::int64_t> count = co_await store_.CountRunning(shard);
    complete = count.has_value();
    if (complete) running += *count;
  }
  if (complete) metrics_.running.Set(static_cast<double>(running));
}

void Expiries::Heard(const AnnouncedExpiry& announced) {
  if (announced.origin == origin_) return;
  schedule_.Announced(announced.expiry, time_.Now());
  metrics_.expiries_remote.Increment();
  Publish(&announced.expiry);
}

}  // namespace komadai::clock
