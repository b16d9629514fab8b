// The reasons with which SQL stores fail, the same for every database behind libs/sql.
#pragma once

#include "libs/base/result.h"

namespace komadai::sql {

// A constraint of the schema refused the statement. Stores that expect a conflict say ON CONFLICT.
inline constexpr Reason kUniqueViolation{Code::kAlreadyExists, "UNIQUE_VIOLATION"};
inline constexpr Reason kForeignKeyViolation{Code::kFailedPrecondition, "FOREIGN_KEY_VIOLATION"};
inline constexpr Reason kCheckViolation{Code::kInternal, "CHECK_VIOLATION"};
inline constexpr Reason kNotNullViolation{Code::kInternal, "NOT_NULL_VIOLATION"};

// A parameter that not every database can store: text with NUL or invalid UTF-8, NaN, infinity.
inline constexpr Reason kInvalidValue{Code::kInvalidArgument, "INVALID_VALUE"};
// The database refused a statement for another reason (syntax, unknown table): a bug of the caller.
inline constexpr Reason kStatementRejected{Code::kInternal, "SQL_STATEMENT_REJECTED"};
// Concurrent transactions collided on every attempt the deadline allowed. Nothing was changed.
inline constexpr Reason kSerializationFailure{Code::kAborted, "SERIALIZATION_FAILURE"};
// The database is away, locked by another process or out of space. Nothing was changed.
inline constexpr Reason kStoreUnavailable{Code::kUnavailable, "STORE_UNAVAILABLE"};
// The connection broke during COMMIT: the transaction may or may not have happened. Callers repeat
// the whole operation, which must therefore be idempotent (by a key it stores).
inline constexpr Reason kCommitInDoubt{Code::kUnavailable, "COMMIT_IN_DOUBT"};
// A migration that was applied earlier has another text now.
inline constexpr Reason kMigrationChanged{Code::kFailedPrecondition, "MIGRATION_CHANGED"};

}  // namespace komadai::sql
