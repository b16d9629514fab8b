#include "libs/postgres/session_pool.h"

#include <algorithm>
#include <utility>

namespace komadai::postgres {
namespace {

constexpr std::chrono::milliseconds kPauseAfterFailedConnect{100};
constexpr std::chrono::milliseconds kWatchInterval{100};

}  // namespace

SessionPool::SessionPool(ConnInfo info, Millis patience, const TimeSource& time)
    : info_(std::move(info)),
      patience_(patience),
      time_(time),
      watch_thread_([this] { WatchLoop(); }) {}

SessionPool::~SessionPool() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  stopped_.NotifyAll();
  watch_thread_.join();
}

SessionPool::Lease::Lease(SessionPool& pool, std::shared_ptr<Session> session, TimePoint deadline)
    : pool_(pool), session_(std::move(session)) {
  const MutexLock lock(pool_.mutex_);
  pool_.leased_.push_back({session_, deadline});
}

SessionPool::Lease::~Lease() {
  const MutexLock lock(pool_.mutex_);
  auto& leased = pool_.leased_;
  leased.erase(std::find_if(leased.begin(), leased.end(),
                            [&](const Watched& watched) { return watched.session == session_; }));
  if (session_->broken()) {
    // When one session is lost, the idle ones usually are too (a restart, a failover). New
    // connections save a failed attempt for each.
    pool_.idle_.clear();
  } else {
    pool_.idle_.push_back(session_);
  }
}

Result<std::unique_ptr<SessionPool::Lease>> SessionPool::Take(TimePoint deadline) {
  std::shared_ptr<Session> session;
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      session = std::move(idle_.back());
      idle_.pop_back();
    } else if (last_failure_ &&
               std::chrono::steady_clock::now() - last_failure_->at < kPauseAfterFailedConnect) {
      return last_failure_->error;
    }
  }
  if (session == nullptr) {
    Result<std::unique_ptr<Session>> connected = Session::Connect(info_);
    const MutexLock lock(mutex_);
    if (!connected) {
      last_failure_ = Failure{std::chrono::steady_clock::now(), connected.error()};
      return std::move(connected).error();
    }
    last_failure_.reset();
    session = *std::move(connected);
  }
  return std::make_unique<Lease>(*this, std::move(session), deadline);
}

void SessionPool::WatchLoop() {
  MutexLock lock(mutex_);
  for (;;) {
    const auto next = std::chrono::steady_clock::now() + kWatchInterval;
    while (!stopping_ && stopped_.WaitUntil(lock, next)) {
    }
    if (stopping_) return;
    const TimePoint now = time_.Now();
    for (const Watched& watched : leased_) {
      if (now > watched.deadline + patience_) watched.session->CutOff();
    }
  }
}

}  // namespace komadai::postgres
