// sqlite::Database: sql::Database on one SQLite file, with group commit.
//
// One writer thread runs all queued writing transactions it finds as one SQLite transaction, each
// inside its own SAVEPOINT, and commits them with one fsync; `done` is called after that COMMIT. A
// transaction that fails rolls back only itself. Readers answer kRead on connections of their own
// from the last commit. Transactions run one after another, so they are serializable.
//
// Moves must not wait for the archive. Background() is the same database for work that may wait: it
// has readers of its own, and its writes run in small batches when nothing else is to be written.
//
// `done` callbacks run on one completion thread, in the order of the commits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"

namespace komadai::sqlite {

struct Options {
  std::string path;  // created if missing; its directory must exist
  // Accepted and not yet completed transactions; more are refused with OVERLOADED.
  std::size_t queue_limit = 8192;
  // How many transactions may share one COMMIT: bounds the wait of the first for the last.
  std::size_t batch_limit = 256;
  std::size_t background_queue_limit = 1024;
  // How many of the background: bounds how long others wait for them.
  std::size_t background_batch_limit = 4;
  int background_readers = 3;
  // For another process that has the file open.
  Millis busy_timeout{5000};
  // How long the file is looked at for damage when it is opened.
  Millis damage_check{5000};
  sql::Observer observer;  // may be empty
};

// Write-ahead log, synchronous=FULL (an acknowledged commit survives a power cut), foreign keys on.
// A deadline is checked before a transaction starts; a running read is also interrupted by it.
class Database final : public sql::Database {
 public:
  // STORE_UNAVAILABLE if the file cannot be opened or is not a database. `time` must outlive it.
  static Result<std::unique_ptr<Database>> Open(Options options, const TimeSource& time);
  // Runs what was accepted, then stops. Not from inside a `done`.
  ~Database() override;

  void Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) override;
  // For work that may wait. Lives as long as this.
  sql::Database& Background();
  // Transactions accepted and not yet completed.
  std::size_t queue_depth() const;

 private:
  class Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace komadai::sqlite
