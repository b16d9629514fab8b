// postgres::Database: sql::Database on PostgreSQL, with a fixed number of connections.
//
// Each transaction runs on a thread of a bounded executor with a connection of its own. A
// connection that broke is thrown away and replaced, and the transaction runs again if its COMMIT
// had not been sent, so that a server which ended all its sessions, or restarted, costs no errors.
// Serialization failures and deadlocks are repeated with jitter until the deadline.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"

namespace komadai::postgres {

struct Options {
  std::string url;      // see ParseConnInfo; never logged
  int connections = 4;  // and as many threads
  // Transactions that wait for a connection; more are refused with OVERLOADED. At 1 ms each and
  // four connections a full queue is a quarter of a second of work.
  std::size_t queue_limit = 1024;
  Millis connect_timeout{3000};
  // How long after the deadline of a transaction a silent server's connection is cut.
  Millis patience{500};
  sql::Observer observer;  // may be empty; called on the executor's threads
};

// Connections are made on demand: a Database can be opened while the server is away, and answers
// STORE_UNAVAILABLE until it is there (see sql::Ping).
class Database final : public sql::Database {
 public:
  // INVALID_POSTGRES_URL. `time` and `random` must outlive the Database.
  static Result<std::unique_ptr<Database>> Open(Options options, const TimeSource& time,
                                                Random& random);
  // Runs what was accepted, then closes the connections. Not from inside a `done`.
  ~Database() override;

  void Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) override;
  // Transactions that wait for a connection.
  std::size_t queue_depth() const;
  // "database on host:port", for logs.
  const std::string& description() const;

 private:
  class Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace komadai::postgres
