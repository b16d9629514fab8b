// The contract of LiveStore as a test suite, run against every implementation: each has a small
// binary that links these tests and instantiates StoreContract with its Backend.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/live_store.h"

namespace komadai::livestore {

// A store with nothing in it, and what the tests need around it.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual LiveStore& store() = 0;
  // Another client of the same data, as another process would have; the same one if the
  // implementation serves a single process.
  virtual LiveStore& other() { return store(); }
  // Lets at least this much of the store's time pass.
  virtual void PassTime(Millis duration) = 0;
};

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

class StoreContract : public ::testing::TestWithParam<BackendFactory> {
 protected:
  void SetUp() override { backend_ = GetParam()(); }

  LiveStore& store() { return backend_->store(); }
  LiveStore& other() { return backend_->other(); }
  Backend& backend() { return *backend_; }

  // Commits one change to the partition "p" and expects success.
  Committed Apply(Change change);
  // ... and expects a conflict.
  Conflict ExpectConflict(Change change);
  // ... and expects an error.
  Error ExpectError(Transaction transaction);
  std::optional<Document> Load(const std::string& name);
  std::vector<std::string> Journal(const std::string& name, Sequence after = 0);
  // Names in the order of the index.
  std::vector<std::string> Members(const std::string& index);

 private:
  std::unique_ptr<Backend> backend_;
};

// Collects notifications and waits for them. The generous deadline only bounds a failing test.
class Recorder {
 public:
  NotificationHandler Handler() {
    return [this](const Notification& notification) { Add(notification); };
  }
  void Add(const Notification& notification);
  bool WaitUntil(const std::function<bool(const std::vector<Notification>&)>& condition);
  bool WaitForCount(std::size_t count);
  bool WaitForResync();
  std::vector<Notification> Seen();

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<Notification> seen_ KOMADAI_GUARDED_BY(mutex_);
};

inline constexpr std::chrono::seconds kPatience{60};

Transaction One(Change change);

}  // namespace komadai::livestore
