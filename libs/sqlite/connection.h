// One open SQLite connection with its prepared statements. Private to libs/sqlite: the only code
// that calls sqlite3. Used by one thread at a time.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/value.h"

namespace komadai::sqlite {

class Connection {
 public:
  enum class Mode { kReadWrite, kReadOnly };

  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Mode mode,
                                                  Millis busy_timeout);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // One statement with parameters $1..$n, prepared once per text.
  Result<sql::Rows> Execute(std::string_view statement, const sql::Params& params);
  Status ExecuteScript(std::string_view script);
  // False inside a transaction. SQLite ends a transaction by itself after some I/O errors.
  bool InAutocommit() const { return sqlite3_get_autocommit(handle_) != 0; }

  // Whether the last failure was that the disk, or the file's size limit, is full.
  bool IsFull() const { return (sqlite3_extended_errcode(handle_) & 0xFF) == SQLITE_FULL; }
  // Looks for damage, for at most `limit`: a large file is then not looked at to its end.
  // STORE_UNAVAILABLE with what was found.
  Status CheckForDamage(const TimeSource& time, Millis limit);

  // Until cleared, statements fail with DEADLINE_PASSED once `time` reaches `deadline`. For readers
  // only: an interrupted write would take its whole transaction along.
  void SetDeadline(const TimeSource& time, TimePoint deadline);
  void ClearDeadline();

 private:
  struct StatementCloser {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using StatementPtr = std::unique_ptr<sqlite3_stmt, StatementCloser>;
  struct Deadline {
    const TimeSource* time;
    TimePoint at;
  };

  explicit Connection(sqlite3* handle) : handle_(handle) {}

  Status Configure(Mode mode, Millis busy_timeout);
  Result<sqlite3_stmt*> Prepare(std::string_view statement);
  Status Bind(sqlite3_stmt* statement, const sql::Params& params);
  Result<sql::Rows> Step(sqlite3_stmt* statement);
  Error LastError() const;

  sqlite3* handle_;
  std::map<std::string, StatementPtr, std::less<>> statements_;
  std::optional<Deadline> deadline_;
};

}  // namespace komadai::sqlite
