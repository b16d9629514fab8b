#include "libs/sqlite/connection.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "libs/sql/errors.h"

namespace komadai::sqlite {
namespace {

// Stores use a fixed set of statement texts; the bound only matters if one builds them dynamically.
constexpr std::size_t kStatementsMax = 512;
// How many virtual machine instructions pass between two looks at the deadline (well under 1 ms).
constexpr int kInstructionsPerDeadlineCheck = 10000;

Reason ReasonFor(int extended_code) {
  switch (extended_code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return sql::kUniqueViolation;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return sql::kForeignKeyViolation;
    case SQLITE_CONSTRAINT_CHECK:
      return sql::kCheckViolation;
    case SQLITE_CONSTRAINT_NOTNULL:
      return sql::kNotNullViolation;
    default:
      break;
  }
  switch (extended_code & 0xFF) {
    case SQLITE_INTERRUPT:
      return kDeadlinePassed;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_NOMEM:
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_PROTOCOL:
      return sql::kStoreUnavailable;
    default:
      return sql::kStatementRejected;
  }
}

int CompareBytes(void*, int left_size, const void* left, int right_size, const void* right) {
  const int common =
      std::memcmp(left, right, static_cast<std::size_t>(std::min(left_size, right_size)));
  return common != 0 ? common : left_size - right_size;
}

sql::Value ColumnValue(sqlite3_stmt* statement, int column) {
  const auto bytes = [&](const void* data) {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return sql::Value(std::int64_t{sqlite3_column_int64(statement, column)});
    case SQLITE_FLOAT:
      return sql::Value(sqlite3_column_double(statement, column));
    case SQLITE_TEXT:
      return sql::Value(bytes(sqlite3_column_text(statement, column)));
    case SQLITE_BLOB:
      return sql::Value(sql::Bytes{bytes(sqlite3_column_blob(statement, column))});
    default:
      return sql::Value();
  }
}

// The bound memory belongs to `value`, which outlives the step (SQLITE_STATIC).
int BindValue(sqlite3_stmt* statement, int index, const sql::Value& value) {
  if (const auto* number = value.as_int()) return sqlite3_bind_int64(statement, index, *number);
  if (const auto* number = value.as_double()) return sqlite3_bind_double(statement, index, *number);
  if (const auto* text = value.as_text()) {
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  if (const auto* bytes = value.as_bytes()) {
    return sqlite3_bind_blob64(statement, index, bytes->data.data(), bytes->data.size(),
                               SQLITE_STATIC);
  }
  return sqlite3_bind_null(statement, index);
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Mode mode,
                                                     Millis busy_timeout) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                    (mode == Mode::kReadWrite ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  std::unique_ptr<Connection> connection(new Connection(handle));  // closes the handle in any case
  if (code != SQLITE_OK) {
    return Error(sql::kStoreUnavailable, "cannot open " + path + ": " + sqlite3_errstr(code),
                 {{"path", path}});
  }
  if (Status status = connection->Configure(mode, busy_timeout); !status) {
    return Error(sql::kStoreUnavailable, "cannot use " + path + ": " + status.error().message(),
                 {{"path", path}});
  }
  return connection;
}

Connection::~Connection() {
  statements_.clear();
  sqlite3_close_v2(handle_);
}

Status Connection::Configure(Mode mode, Millis busy_timeout) {
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, static_cast<int>(busy_timeout.count()));
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // PostgreSQL's name for comparison by bytes, which for UTF-8 is comparison by code point.
  if (sqlite3_create_collation(handle_, "C", SQLITE_UTF8, nullptr, CompareBytes) != SQLITE_OK) {
    return LastError();
  }
  std::string pragmas =
      "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; ";
  pragmas += mode == Mode::kReadWrite ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
                                        "PRAGMA journal_size_limit = 67108864;"
                                      : "PRAGMA query_only = ON;";
  return ExecuteScript(pragmas);
}

Result<sql::Rows> Connection::Execute(std::string_view statement, const sql::Params& params) {
  const Result<sqlite3_stmt*> prepared = Prepare(statement);
  if (!prepared) return prepared.error();
  if (Status bound = Bind(*prepared, params); !bound) return bound.error();
  Result<sql::Rows> rows = Step(*prepared);
  sqlite3_reset(*prepared);
  sqlite3_clear_bindings(*prepared);
  return rows;
}

Status Connection::ExecuteScript(std::string_view script) {
  const std::string text(script);
  if (sqlite3_exec(handle_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return LastError();
  }
  return Status();
}

Result<sqlite3_stmt*> Connection::Prepare(std::string_view statement) {
  if (const auto found = statements_.find(statement); found != statements_.end()) {
    return found->second.get();
  }
  if (statements_.size() >= kStatementsMax) statements_.clear();
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v3(handle_, statement.data(), static_cast<int>(statement.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, &tail);
  StatementPtr prepared(raw);
  if (code != SQLITE_OK) return LastError();
  const std::string_view rest(tail, static_cast<std::size_t>(statement.end() - tail));
  if (raw == nullptr || rest.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
    return Error(sql::kStatementRejected, "Execute takes exactly one statement");
  }
  statements_.emplace(std::string(statement), std::move(prepared));
  return raw;
}

Status Connection::Bind(sqlite3_stmt* statement, const sql::Params& params) {
  const auto given = static_cast<int>(params.size());
  if (sqlite3_bind_parameter_count(statement) != given) {
    return Error(sql::kStatementRejected, "the statement has another number of parameters");
  }
  for (int i = 0; i < given; ++i) {
    const std::string name = "$" + std::to_string(i + 1);
    const int index = sqlite3_bind_parameter_index(statement, name.c_str());
    if (index == 0) return Error(sql::kStatementRejected, "the statement does not use " + name);
    if (BindValue(statement, index, params[static_cast<std::size_t>(i)]) != SQLITE_OK) {
      return LastError();
    }
  }
  return Status();
}

Result<sql::Rows> Connection::Step(sqlite3_stmt* statement) {
  const int columns = sqlite3_column_count(statement);
  std::vector<sql::Row> rows;
  int code = SQLITE_OK;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    std::vector<sql::Value> values;
    values.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
      values.push_back(ColumnValue(statement, column));
    }
    rows.emplace_back(std::move(values));
  }
  if (code != SQLITE_DONE) return LastError();
  const std::int64_t affected = sqlite3_stmt_readonly(statement) ? 0 : sqlite3_changes64(handle_);
  return sql::Rows(std::move(rows), affected);
}

Error Connection::LastError() const {
  const Reason reason = ReasonFor(sqlite3_extended_errcode(handle_));
  if (reason == kDeadlinePassed) return Error(reason, "the deadline passed during a query");
  return Error(reason, sqlite3_errmsg(handle_));
}

Status Connection::CheckForDamage(const TimeSource& time, Millis limit) {
  SetDeadline(time, time.Now() + limit);
  const Result<sql::Rows> rows = Execute("PRAGMA quick_check(1)", {});
  ClearDeadline();
  if (!rows) return rows.error().Is(kDeadlinePassed) ? Status() : Status(rows.error());
  const std::string found = rows->empty() ? "no answer" : (*rows)[0].Text(0);
  if (found == "ok") return {};
  return Error(sql::kStoreUnavailable, "the file is damaged: " + found);
}

void Connection::SetDeadline(const TimeSource& time, TimePoint deadline) {
  deadline_ = Deadline{&time, deadline};
  const auto passed = [](void* context) {
    const auto* limit = static_cast<const Deadline*>(context);
    return limit->time->Now() >= limit->at ? 1 : 0;
  };
  sqlite3_progress_handler(handle_, kInstructionsPerDeadlineCheck, passed, &*deadline_);
}

void Connection::ClearDeadline() {
  sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
  deadline_.reset();
}

}  // namespace komadai::sqlite
