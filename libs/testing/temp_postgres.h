// TempPostgres: a real PostgreSQL server of its own for a test, on a unix socket in a temporary
// directory. Tests only.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/testing/child_process.h"
#include "libs/testing/temp_dir.h"

namespace komadai::testing {

class TempPostgres {
 public:
  // Finds the server's programs in PATH or in Debian's /usr/lib/postgresql/*/bin. Takes a second.
  static Result<std::unique_ptr<TempPostgres>> Start();
  ~TempPostgres();

  // Of the database "postgres", as its superuser.
  std::string url() const;
  // Creates an empty database and gives its URL: cheap isolation between tests of one server.
  Result<std::string> CreateDatabase(const std::string& name);
  // Runs one SQL command as superuser through psql, apart from the connections under test.
  Status Command(const std::string& sql);

  // kill -9 of the server and all its sessions, as a power cut of the process.
  void Kill();
  bool Running() { return server_ != nullptr && server_->Running(); }
  // Starts again after Kill(), with crash recovery, and waits until it takes connections.
  Status Restart();

 private:
  explicit TempPostgres(std::string programs) : programs_(std::move(programs)) {}

  Status Initialize();
  Status Launch();
  std::string Url(const std::string& database) const;

  TempDir dir_;
  std::string programs_;  // the directory of initdb, postgres, psql
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace komadai::testing
