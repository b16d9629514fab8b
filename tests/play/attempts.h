// Attempts: how often and where a client repeats one call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "libs/base/mutex.h"
#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/base/time.h"

namespace komadai::play {

// Whether a failed call may have happened, or may succeed if it is repeated: everything but a
// refusal that names its reason.
bool IsTransient(const Error& error);

// How many attempts failed, by reason. Thread-safe.
class ErrorCounts {
 public:
  void Count(const std::string& reason);
  std::map<std::string, std::int64_t> Get() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::int64_t> counts_ KOMADAI_GUARDED_BY(mutex_);
};

struct Patience {
  Millis total{60000};
  Millis timeout{3000};
  int attempts = 0;  // at most; 0: as many as there is time for
  // One attempt in so many has next to no time: its client never learns what became of it.
  // 0: none has.
  std::uint64_t hasty_one_in = 0;
};

class Attempts {
 public:
  // Gives up early when `*abandoned` becomes true.
  Attempts(Patience patience, const std::atomic<bool>& abandoned, ErrorCounts& errors,
           Random& random);

  std::size_t replica() const { return replica_; }
  Millis Timeout();
  // After a failure: waits a little, turns to the next replica and says yes, or says no.
  bool Again(const Error& error);
  int count() const { return count_; }

 private:
  const Patience patience_;
  const std::atomic<bool>& abandoned_;
  ErrorCounts& errors_;
  Random& random_;
  const std::chrono::steady_clock::time_point until_;
  std::size_t replica_;
  Millis pause_{20};
  int count_ = 0;
};

}  // namespace komadai::play
