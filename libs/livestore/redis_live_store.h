// RedisLiveStore: the LiveStore of replicated services, in Redis (6 or newer; one server, or a
// cluster's primary per partition). Durable as Redis is: run it with appendfsync always.
//
// One Lua script per commit. Versions come from the server's clock in microseconds when a document
// is made, and count up from there: they come back only if that clock is set back to the very same
// microsecond.
#pragma once

#include <memory>
#include <string>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/redis_safety.h"
#include "libs/livestore/subscription_hub.h"
#include "libs/redis/client.h"
#include "libs/redis/observer.h"
#include "libs/redis/options.h"

namespace komadai::livestore {

class RedisLiveStore final : public LiveStore {
 public:
  // Returns at once and connects in the background; Ping tells when it is of use. Has an event loop
  // thread of its own, on which Tasks resume and handlers run. `observer` (may be null) must
  // outlive the store. `accept_loss`: of use also if Redis keeps nothing on disk.
  explicit RedisLiveStore(redis::Options options, redis::Observer* observer = nullptr,
                          bool accept_loss = false);
  // Pending operations fail. Not from a continuation or a handler.
  ~RedisLiveStore() override;

  Task<Result<CommitOutcome>> Commit(Transaction transaction) override;
  Task<Result<std::optional<Document>>> Load(std::string partition, std::string name) override;
  Task<Result<std::vector<std::optional<Document>>>> LoadMany(
      std::string partition, std::vector<std::string> names) override;
  Task<Result<std::optional<DocumentWithJournal>>> LoadWithJournal(std::string partition,
                                                                   std::string name,
                                                                   Sequence after_sequence,
                                                                   std::int64_t limit) override;
  Task<Result<JournalPage>> ReadJournal(std::string partition, std::string name,
                                        Sequence after_sequence, std::int64_t limit) override;
  Task<Result<std::vector<IndexEntry>>> ReadIndex(IndexQuery query) override;
  Task<Result<std::int64_t>> CountIndex(std::string partition, std::string index,
                                        std::int64_t min_score, std::int64_t max_score) override;
  std::unique_ptr<Subscription> Subscribe(std::string partition, std::string name,
                                          NotificationHandler handler) override;
  std::unique_ptr<Subscription> SubscribeChannel(std::string channel,
                                                 NotificationHandler handler) override;
  // Also fails for a Redis that is not durable, and for a while after one has lost its data.
  Task<Status> Ping() override;

 private:
  // Connects the hub to Redis' pub/sub.
  class PubSub;

  const std::string channel_prefix_;  // see redis_scripts.h
  std::shared_ptr<EventLoop> loop_;
  std::unique_ptr<redis::Client> client_;
  std::shared_ptr<PubSub> pubsub_;
  Mutex mutex_;
  RedisSafety safety_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::livestore
