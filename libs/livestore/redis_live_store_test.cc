#include "libs/livestore/redis_live_store.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "libs/livestore/contract/store_contract.h"
#include "libs/testing/temp_redis.h"

namespace komadai::livestore {
namespace {

using namespace std::chrono_literals;

// One server for all tests, each in a database emptied before it.
testing::TempRedis& SharedRedis() {
  static const std::unique_ptr<testing::TempRedis> redis = [] {
    auto started = testing::TempRedis::Start();
    if (!started) {
      ADD_FAILURE() << started.error().ToString();
      std::abort();  // a missing Redis fails the test, it does not skip it
    }
    return *std::move(started);
  }();
  return *redis;
}

redis::Options PatientOptions(const testing::TempRedis& server) {
  redis::Options options = *redis::ParseUrl(server.Url());
  options.offline_patience = 30s;
  options.command_timeout = 30s;
  return options;
}

class RedisBackend final : public Backend {
 public:
  RedisBackend() {
    redis::Client cleaner(std::make_shared<EventLoop>(), PatientOptions(SharedRedis()));
    EXPECT_TRUE(SyncWait(cleaner.Command({"FLUSHALL"})));
  }
  LiveStore& store() override { return store_; }
  LiveStore& other() override { return other_; }
  // The server's time is real: it has passed when a key made with it has gone.
  void PassTime(Millis duration) override {
    const auto until = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  }

 private:
  RedisLiveStore store_{PatientOptions(SharedRedis())};
  RedisLiveStore other_{PatientOptions(SharedRedis())};
};

INSTANTIATE_TEST_SUITE_P(Redis, StoreContract, ::testing::Values([] {
                           return std::unique_ptr<Backend>(std::make_unique<RedisBackend>());
                         }));

}  // namespace
}  // namespace komadai::livestore
