// One connection to PostgreSQL that runs one transaction at a time. Private to libs/postgres: the
// only code that calls libpqxx, and the place where its exceptions end. Used by one thread at a
// time, except CutOff().
//
// The transaction is opened and committed by plain statements, not by pqxx::work: what happened to
// a COMMIT is then known exactly, and libpqxx, which reconnects silently and would continue outside
// the transaction, is never asked to continue on a connection that has broken.
#pragma once

#include <map>
#include <memory>
#include <pqxx/pqxx>
#include <string>
#include <string_view>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/postgres/conninfo.h"
#include "libs/sql/database.h"

namespace komadai::postgres {

class Session {
 public:
  // STORE_UNAVAILABLE if there is no connection to be had.
  static Result<std::unique_ptr<Session>> Connect(const ConnInfo& info);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // `timeout` becomes the statement timeout of the transaction.
  Status Begin(sql::Access access, Millis timeout);
  Result<sql::Rows> Execute(std::string_view statement, const sql::Params& params);
  Status ExecuteScript(std::string_view script);
  // COMMIT_IN_DOUBT if the connection broke before the answer.
  Status Commit();
  // Leaves the session idle, or broken if that is not possible.
  void RollBack();

  // Must not be used again: the connection is gone or in an unknown state.
  bool broken() const { return broken_; }

  // Ends whatever this session is waiting for, from another thread: for a server that is silent
  // beyond the deadline.
  void CutOff();

 private:
  explicit Session(const ConnInfo& info);

  void CheckOpen() const;
  const std::string& PreparedName(std::string_view statement);
  // Describes the exception being handled; to be called inside a catch block only.
  Error TranslateException();
  Error TranslateSqlError(const pqxx::sql_error& error);

  std::unique_ptr<pqxx::connection> connection_;
  std::unique_ptr<pqxx::nontransaction> channel_;
  sql::Access access_ = sql::Access::kRead;
  std::map<std::string, std::string, std::less<>> prepared_;  // statement -> name
  bool broken_ = false;

  Mutex socket_mutex_;
  int socket_ KOMADAI_GUARDED_BY(socket_mutex_) = -1;
};

}  // namespace komadai::postgres
