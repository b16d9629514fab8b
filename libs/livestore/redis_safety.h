// RedisSafety: whether a Redis keeps what it acknowledges, by what it says when it is asked. Not
// thread-safe.
#pragma once

#include <string>

#include "libs/base/result.h"
#include "libs/redis/reply.h"

namespace komadai::livestore {

inline constexpr Reason kNotDurable{Code::kUnavailable, "STORE_NOT_DURABLE"};
inline constexpr Reason kLostData{Code::kDataLoss, "STORE_LOST_DATA"};

class RedisSafety {
 public:
  // How many checks fail after a loss: long enough for readiness to turn red and people to see it.
  static constexpr int kAlarmedChecks = 30;

  // `accept_loss`: the operator can do without the games in progress.
  explicit RedisSafety(bool accept_loss) : accept_loss_(accept_loss) {}

  // From the answer to CONFIG GET appendonly. A server that does not say (managed ones forbid it)
  // is trusted. STORE_NOT_DURABLE.
  Status CheckPersistence(const Result<redis::Reply>& answer) const;
  // From the mark that was put into the store when it was first used, and which every replica finds
  // there. STORE_LOST_DATA when it is another one than before: the store has been emptied.
  Status CheckMark(const std::string& mark);

 private:
  const bool accept_loss_;
  std::string mark_;
  int alarmed_ = 0;  // checks that still fail
};

}  // namespace komadai::livestore
