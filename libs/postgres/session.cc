#include "libs/postgres/session.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <utility>

#include "libs/postgres/rows.h"

namespace komadai::postgres {
namespace {

// The advisory lock of migrations ("komadai" in ASCII): one at a time per database.
constexpr std::string_view kMigrationLock = "SELECT pg_advisory_xact_lock(30240338084127081)";
// Prepared statements a session keeps; stores use a fixed set of texts.
constexpr std::size_t kPreparedMax = 512;

std::string BeginStatement(sql::Access access, Millis timeout) {
  std::string begin = "BEGIN ISOLATION LEVEL ";
  switch (access) {
    case sql::Access::kRead:
      begin += "REPEATABLE READ READ ONLY";
      break;
    case sql::Access::kWrite:
      begin += "SERIALIZABLE READ WRITE";
      break;
    case sql::Access::kSchema:
      // Not serializable: what is read after waiting for the lock must be newer than the lock.
      begin += "READ COMMITTED READ WRITE";
      break;
  }
  const auto milliseconds = std::clamp<std::int64_t>(timeout.count(), 1, 2147483647);
  begin += "; SET LOCAL statement_timeout = " + std::to_string(milliseconds);
  if (access == sql::Access::kSchema) begin += "; " + std::string(kMigrationLock);
  return begin;
}

bool StartsWith(const std::string& text, std::string_view prefix) {
  return std::string_view(text).substr(0, prefix.size()) == prefix;
}

std::string FirstLine(const char* text) {
  const std::string_view all(text);
  return std::string(all.substr(0, all.find('\n')));
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Connect(const ConnInfo& info) {
  try {
    return std::unique_ptr<Session>(new Session(info));
  } catch (const std::exception& problem) {
    return Error(sql::kStoreUnavailable, WithoutPassword("cannot connect to " + info.description +
                                                             ": " + FirstLine(problem.what()),
                                                         info));
  }
}

namespace {

// By the content: behind a pooler that gives a connection's transactions to different servers, a
// name that counts would stand for another session's statement.
std::string StatementName(std::string_view statement) {
  char name[40];
  const std::size_t first = std::hash<std::string_view>()(statement);
  const std::size_t second = std::hash<std::string>()(std::string(statement) + ";");
  std::snprintf(name, sizeof name, "k%016zx%016zx", first, second);
  return name;
}

}  // namespace

Session::Session(const ConnInfo& info)
    : connection_(std::make_unique<pqxx::connection>(info.keywords)),
      channel_(std::make_unique<pqxx::nontransaction>(*connection_)),
      socket_(connection_->sock()) {}

Session::~Session() {
  const MutexLock lock(socket_mutex_);
  socket_ = -1;
  channel_.reset();
  connection_.reset();
}

void Session::CutOff() {
  const MutexLock lock(socket_mutex_);
  if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

void Session::CheckOpen() const {
  if (broken_ || !connection_->is_open()) throw pqxx::broken_connection("the connection is closed");
}

Status Session::Begin(sql::Access access, Millis timeout) {
  access_ = access;
  return ExecuteScript(BeginStatement(access, timeout));
}

Result<sql::Rows> Session::Execute(std::string_view statement, const sql::Params& params) {
  try {
    CheckOpen();
    const TextParams texts(params);
    const auto& pointers = texts.pointers();
    return ToRows(channel_->exec_prepared(PreparedName(statement),
                                          pqxx::prepare::make_dynamic_params(pointers)));
  } catch (const std::exception&) {
    return TranslateException();
  }
}

Status Session::ExecuteScript(std::string_view script) {
  try {
    CheckOpen();
    channel_->exec(std::string(script));
    return Status();
  } catch (const std::exception&) {
    return TranslateException();
  }
}

Status Session::Commit() {
  Status status = ExecuteScript("COMMIT");
  if (status || !broken_) return status;
  return Error(sql::kCommitInDoubt, "the connection broke during COMMIT");
}

void Session::RollBack() {
  if (broken_) return;
  if (!ExecuteScript("ROLLBACK")) broken_ = true;
}

const std::string& Session::PreparedName(std::string_view statement) {
  if (const auto found = prepared_.find(statement); found != prepared_.end()) {
    return found->second;
  }
  if (prepared_.size() >= kPreparedMax) {
    for (const auto& [text, name] : prepared_) connection_->unprepare(name);
    prepared_.clear();
  }
  const std::string name = StatementName(statement);
  connection_->prepare(name, std::string(statement));
  return prepared_.emplace(statement, name).first->second;
}

Error Session::TranslateException() {
  try {
    throw;
  } catch (const pqxx::sql_error& error) {
    return TranslateSqlError(error);
  } catch (const pqxx::statement_completion_unknown& error) {
    broken_ = true;
    return Error(sql::kStoreUnavailable, FirstLine(error.what()));
  } catch (const pqxx::transaction_rollback& error) {  // serialization failures and deadlocks
    if (!connection_->is_open()) broken_ = true;
    return Error(sql::kSerializationFailure, FirstLine(error.what()));
  } catch (const pqxx::failure& error) {
    broken_ = true;
    return Error(sql::kStoreUnavailable, FirstLine(error.what()));
  } catch (const std::exception& error) {  // misuse of libpqxx, out of memory
    broken_ = true;
    return Error(kInternal, FirstLine(error.what()));
  }
}

Error Session::TranslateSqlError(const pqxx::sql_error& error) {
  if (!connection_->is_open()) broken_ = true;
  const std::string& state = error.sqlstate();
  const std::string message = FirstLine(error.what());
  if (state == "23505") return Error(sql::kUniqueViolation, message);
  if (state == "23503") return Error(sql::kForeignKeyViolation, message);
  if (state == "23502") return Error(sql::kNotNullViolation, message);
  if (state == "23514") return Error(sql::kCheckViolation, message);
  if (state == "57014") return Error(kDeadlinePassed, "the deadline passed during a statement");
  // The server is going away, has no resources, or has become a read-only standby: another
  // connection may reach a better one.
  const bool read_only_server = state == "25006" && access_ != sql::Access::kRead;
  if (StartsWith(state, "57P") || StartsWith(state, "53") || StartsWith(state, "08") ||
      StartsWith(state, "58") || read_only_server) {
    broken_ = true;
    return Error(sql::kStoreUnavailable, message);
  }
  // Another replica migrated the schema under a prepared statement: a new session prepares it
  // again.
  if (state == "0A000" && message.find("cached plan") != std::string::npos) {
    broken_ = true;
    return Error(sql::kStoreUnavailable, message);
  }
  // A statement that this session has prepared is unknown, or one that it has not is there: the
  // server is not the one from before.
  if (state == "26000" || state == "42P05") {
    broken_ = true;
    return Error(sql::kStoreUnavailable,
                 message + " (a pooler between here and PostgreSQL must be in session mode)");
  }
  if (state.empty() && broken_) return Error(sql::kStoreUnavailable, message);
  return Error(sql::kStatementRejected, message);
}

}  // namespace komadai::postgres
