// The connections of a postgres::Database: who may use which, and a watch on those in use.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/postgres/conninfo.h"
#include "libs/postgres/session.h"

namespace komadai::postgres {

// Thread-safe. Does not limit the number of sessions: its user has a fixed number of threads.
class SessionPool {
 public:
  // Sessions still leased `patience` after their deadline are cut off.
  SessionPool(ConnInfo info, Millis patience, const TimeSource& time);
  ~SessionPool();

  // One transaction's use of a session. Returns the session to the pool, or drops it if broken.
  class Lease {
   public:
    Lease(SessionPool& pool, std::shared_ptr<Session> session, TimePoint deadline);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    Session& session() { return *session_; }

   private:
    SessionPool& pool_;
    std::shared_ptr<Session> session_;
  };

  // An idle session or a new one. After a failed attempt to connect, further ones fail at once for
  // a short while, so that a queue of waiting transactions does not wait for each in turn.
  Result<std::unique_ptr<Lease>> Take(TimePoint deadline);

  const ConnInfo& info() const { return info_; }

 private:
  struct Watched {
    std::shared_ptr<Session> session;
    TimePoint deadline;
  };
  struct Failure {
    std::chrono::steady_clock::time_point at;
    Error error;
  };

  void WatchLoop();

  const ConnInfo info_;
  const Millis patience_;
  const TimeSource& time_;
  Mutex mutex_;
  CondVar stopped_;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::vector<std::shared_ptr<Session>> idle_ KOMADAI_GUARDED_BY(mutex_);
  std::vector<Watched> leased_ KOMADAI_GUARDED_BY(mutex_);
  std::optional<Failure> last_failure_ KOMADAI_GUARDED_BY(mutex_);
  std::thread watch_thread_;  // last: uses everything above
};

}  // namespace komadai::postgres
