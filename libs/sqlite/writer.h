// The writing half of a sqlite::Database: turns a batch of transactions into one commit.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sqlite/connection.h"

namespace komadai::sqlite {

struct Job {
  sql::Access access = sql::Access::kRead;
  TimePoint deadline;
  sql::Work work;
  sql::Done done;
  std::chrono::steady_clock::time_point queued_at;
  bool background = false;
};

struct Outcome {
  Status status;
  int attempts = 0;
};

// Runs `work` in the transaction or savepoint that `connection` is in.
Status RunWork(Connection& connection, const sql::Work& work);

// Runs the jobs in order, each in a savepoint, and commits once. The outcomes are final: a
// success is on disk. SQLite may give up the whole transaction in the middle (disk full, I/O
// error); the job it happened to fails and the others run again.
std::vector<Outcome> RunBatch(Connection& connection, const TimeSource& time,
                              const std::vector<Job>& jobs);

}  // namespace komadai::sqlite
