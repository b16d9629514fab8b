#include "libs/rpc/server/slow_clients.h"

#include <grpcpp/server_context.h>

#include <algorithm>
#include <cstdint>

namespace komadai::rpc {
namespace {

constexpr Millis kLongestPause{1000};

}  // namespace

SlowClients::SlowClients(Millis limit, telemetry::Metrics& metrics)
    : limit_(limit),
      cancelled_(metrics.Counter("komadai_rpc_slow_clients_total",
                                 "Calls cancelled because their clients neither sent nor read.")),
      thread_([this] { Loop(); }) {}

SlowClients::~SlowClients() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.NotifyAll();
  thread_.join();
}

SlowClients::Shard& SlowClients::ShardOf(const Waiting& call) {
  // The low bits of an address are the same for all objects.
  return shards_[(reinterpret_cast<std::uintptr_t>(&call) >> 6) % kShards];
}

void SlowClients::Add(Waiting& call) {
  Shard& shard = ShardOf(call);
  const auto now = std::chrono::steady_clock::now();
  const MutexLock lock(shard.mutex);
  Unlink(shard, call);
  call.since_ = now;
  call.waits_ = true;
  call.newer_ = nullptr;
  call.older_ = shard.newest;
  (shard.newest == nullptr ? shard.oldest : shard.newest->newer_) = &call;
  shard.newest = &call;
  ++shard.size;
}

void SlowClients::Unlink(Shard& shard, Waiting& call) {
  if (!call.waits_) return;
  call.waits_ = false;
  (call.older_ == nullptr ? shard.oldest : call.older_->newer_) = call.newer_;
  (call.newer_ == nullptr ? shard.newest : call.newer_->older_) = call.older_;
  --shard.size;
}

void SlowClients::Remove(Waiting& call) {
  Shard& shard = ShardOf(call);
  const MutexLock lock(shard.mutex);
  Unlink(shard, call);
}

std::size_t SlowClients::size() const {
  std::size_t size = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    size += shard.size;
  }
  return size;
}

void SlowClients::Loop() {
  const Millis pause = std::clamp(limit_ / 2, Millis(1), kLongestPause);
  for (;;) {
    {
      const auto next = std::chrono::steady_clock::now() + pause;
      MutexLock lock(mutex_);
      while (!stopping_ && wake_.WaitUntil(lock, next)) {
      }
      if (stopping_) return;
    }
    CancelOld();
  }
}

void SlowClients::CancelOld() {
  const auto latest = std::chrono::steady_clock::now() - limit_;
  for (Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    while (shard.oldest != nullptr && shard.oldest->since_ <= latest) {
      Waiting& call = *shard.oldest;
      Unlink(shard, call);
      // Under the lock, which keeps the call alive: its last reaction begins with Remove(). gRPC
      // runs no reaction inside this.
      cancelled_.Get().Increment();
      call.context_.TryCancel();
    }
  }
}

}  // namespace komadai::rpc
