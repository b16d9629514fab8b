// Sessions: who a caller is from now on. Makes guests and test players and mints their tokens.
#pragma once

#include <string>

#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/base/token_buckets.h"
#include "libs/rpc/auth/token.h"
#include "services/rating/domain/player.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

struct Session {
  std::string token;
  TimePoint expires{};
  Player player;
};

struct SessionPolicy {
  Millis guest_lifetime{};
  int guests_per_minute = 0;  // and address; 0 = any number
  bool allow_test_players = false;
};

// Thread-safe. Everything given by reference must outlive it.
class Sessions {
 public:
  Sessions(SessionPolicy policy, RatingStore& store, const rpc::TokenMinter& tokens,
           const TimeSource& time, Random& random);

  // A new guest. An empty nickname is made up. `address` is the caller's network address, or
  // empty.
  // INVALID_NAME, TOO_MANY_SESSIONS.
  Task<Result<Session>> OpenGuest(std::string nickname, std::string address, TimePoint deadline);
  // The verified test player of that name. TEST_PLAYERS_DISABLED, INVALID_NAME.
  Task<Result<Session>> OpenTest(std::string name, TimePoint deadline);

 private:
  Result<Session> Mint(Player player, Millis lifetime) const;

  const SessionPolicy policy_;
  RatingStore& store_;
  const rpc::TokenMinter& tokens_;
  const TimeSource& time_;
  Random& random_;
  TokenBuckets limiter_;
};

}  // namespace komadai::rating
