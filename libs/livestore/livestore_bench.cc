// Measures commits per second of a LiveStore as the services load it: many documents at once, each
// commit compares a version, replaces a body of 400 bytes, appends an event of 60 and moves the
// document in an index of deadlines. Prints JSON lines.
//
//   komadai-bench-livestore [--store memory|sqlite|redis] [--url URL] [--seconds N] [--documents N]
//
// All stores by default; without --url it starts a durable redis-server of its own.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/memory_live_store.h"
#include "libs/livestore/redis_live_store.h"
#include "libs/livestore/sqlite_live_store.h"
#include "libs/sqlite/database.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_redis.h"

namespace komadai::livestore {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kShards = 64;

struct Settings {
  std::string store = "all";
  std::string url;
  int seconds = 5;
  int documents = 256;  // commits in flight: each document has one
};

struct Load {
  std::atomic<bool> stop = false;
  std::atomic<int> running = 0;
  std::atomic<std::int64_t> commits = 0;
  std::atomic<std::int64_t> failures = 0;
  Mutex mutex;
  std::vector<double> latencies_ms KOMADAI_GUARDED_BY(mutex);
};

Transaction NextMove(int document, Version version, std::int64_t ply) {
  Transaction transaction;
  transaction.partition = "bench:" + std::to_string(document % kShards);
  Change change;
  change.name = "game-" + std::to_string(document);
  change.expected_version = version;
  change.put_body = std::string(400, 'b');
  change.events.push_back(std::string(60, 'e'));
  change.indexes.push_back({"deadlines", 1'700'000'000'000 + ply});
  transaction.changes.push_back(std::move(change));
  return transaction;
}

Task<void> PlayOneGame(LiveStore& store, Load& load, int document) {
  Version version = kAnyVersion;
  std::vector<double> latencies;
  for (std::int64_t ply = 0; !load.stop; ++ply) {
    Transaction transaction = NextMove(document, version, ply);
    const Clock::time_point before = Clock::now();
    Result<CommitOutcome> outcome = co_await store.Commit(std::move(transaction));
    latencies.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
    if (!outcome || !outcome->committed()) {
      ++load.failures;
      version = kAnyVersion;
      continue;
    }
    version = outcome->documents[0].version;
    ++load.commits;
  }
  {
    const MutexLock lock(load.mutex);
    load.latencies_ms.insert(load.latencies_ms.end(), latencies.begin(), latencies.end());
  }
  --load.running;
}

double Percentile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1))];
}

void Print(const char* store, const char* what, double value, const char* unit) {
  std::printf("{\"bench\":\"livestore\",\"case\":\"%s-%s\",\"value\":%.6g,\"unit\":\"%s\"}\n",
              store, what, value, unit);
}

void Measure(LiveStore& store, const char* name, const Settings& settings) {
  Load load;
  load.running = settings.documents;
  const Clock::time_point start = Clock::now();
  std::vector<std::thread> threads;  // only a synchronous store keeps them busy
  for (int i = 0; i < settings.documents; ++i) {
    threads.emplace_back([&, i] { Detach(PlayOneGame(store, load, i)); });
  }
  std::this_thread::sleep_for(std::chrono::seconds(settings.seconds));
  load.stop = true;
  for (std::thread& thread : threads) thread.join();
  while (load.running > 0) std::this_thread::yield();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::vector<double> latencies;
  {
    const MutexLock lock(load.mutex);
    latencies = std::move(load.latencies_ms);
  }
  std::sort(latencies.begin(), latencies.end());
  Print(name, "commits", static_cast<double>(load.commits) / seconds, "commits/s");
  Print(name, "p50", Percentile(latencies, 0.50), "ms");
  Print(name, "p99", Percentile(latencies, 0.99), "ms");
  Print(name, "failures", static_cast<double>(load.failures), "commits");
}

int Fail(const Error& error) {
  std::fprintf(stderr, "komadai-bench-livestore: %s\n", error.ToString().c_str());
  return 1;
}

int MeasureRedis(const Settings& settings) {
  std::unique_ptr<testing::TempRedis> server;
  std::string url = settings.url;
  if (url.empty()) {
    auto started = testing::TempRedis::Start();
    if (!started) return Fail(started.error());
    server = *std::move(started);
    url = server->Url();
  }
  const Result<redis::Options> options = redis::ParseUrl(url);
  if (!options) return Fail(options.error());
  RedisLiveStore store(*options);
  if (Status ready = SyncWait(store.Ping()); !ready) return Fail(ready.error());
  Measure(store, "redis", settings);
  return 0;
}

int MeasureSqlite(const Settings& settings) {
  const testing::TempDir directory;
  const SystemTimeSource time;
  sqlite::Options options;
  options.path = directory.File("live.db");
  auto database = sqlite::Database::Open(std::move(options), time);
  if (!database) return Fail(database.error());
  auto store = SyncWait(SqliteLiveStore::Open(**database, time));
  if (!store) return Fail(store.error());
  Measure(**store, "sqlite", settings);
  return 0;
}

int Run(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--store") settings.store = argv[i + 1];
    if (option == "--url") settings.url = argv[i + 1];
    if (option == "--seconds") settings.seconds = std::atoi(argv[i + 1]);
    if (option == "--documents") settings.documents = std::atoi(argv[i + 1]);
  }
  const auto wanted = [&](const char* name) {
    return settings.store == "all" || settings.store == name;
  };
  if (wanted("memory")) {
    const SystemTimeSource time;
    MemoryLiveStore store(time);
    Measure(store, "memory", settings);
  }
  int status = 0;
  if (wanted("sqlite")) status |= MeasureSqlite(settings);
  if (wanted("redis")) status |= MeasureRedis(settings);
  return status;
}

}  // namespace
}  // namespace komadai::livestore

int main(int argc, char** argv) { return komadai::livestore::Run(argc, argv); }
