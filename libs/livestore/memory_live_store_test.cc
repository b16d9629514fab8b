#include "libs/livestore/memory_live_store.h"

#include <atomic>

#include "libs/livestore/contract/store_contract.h"

namespace komadai::livestore {
namespace {

class ManualTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_); }
  void Advance(Millis duration) { now_ += duration.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

class MemoryBackend final : public Backend {
 public:
  LiveStore& store() override { return store_; }
  void PassTime(Millis duration) override { time_.Advance(duration); }

 private:
  ManualTime time_;
  MemoryLiveStore store_{time_};
};

INSTANTIATE_TEST_SUITE_P(Memory, StoreContract, ::testing::Values([] {
                           return std::unique_ptr<Backend>(std::make_unique<MemoryBackend>());
                         }));

}  // namespace
}  // namespace komadai::livestore
