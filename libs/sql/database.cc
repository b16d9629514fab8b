#include "libs/sql/database.h"

#include "libs/sql/check_params.h"

namespace komadai::sql {
namespace {

Error AlreadyFailed(const Error& first) {
  return Error(kStatementRejected, "the transaction has failed already: " + first.ToString());
}

Status SelectOne(Transaction& tx) {
  const Result<Rows> rows = tx.Execute("SELECT 1");
  if (!rows) return rows.error();
  return Status();
}

}  // namespace

Result<Rows> Transaction::Execute(std::string_view statement, const Params& params) {
  if (failure_) return AlreadyFailed(*failure_);
  if (Status valid = CheckParams(params); !valid) {
    failure_ = valid.error();
    return valid.error();
  }
  Result<Rows> rows = DoExecute(statement, params);
  if (!rows) failure_ = rows.error();
  return rows;
}

Status Transaction::ExecuteScript(std::string_view script) {
  if (failure_) return AlreadyFailed(*failure_);
  Status status = DoExecuteScript(script);
  if (!status) failure_ = status.error();
  return status;
}

Task<Status> Ping(Database& database, TimePoint deadline) {
  Status status = co_await Transact(database, Access::kRead, deadline, SelectOne);
  co_return status;
}

}  // namespace komadai::sql
