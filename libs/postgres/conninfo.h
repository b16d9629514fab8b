// A PostgreSQL URL, checked and completed with the settings the project relies on.
#pragma once

#include <string>

#include "libs/base/result.h"
#include "libs/base/time.h"

namespace komadai::postgres {

inline constexpr Reason kInvalidUrl{Code::kInvalidArgument, "INVALID_POSTGRES_URL"};

struct ConnInfo {
  std::string keywords;     // what libpq connects with; contains the password
  std::string description;  // "database on host:port" for people and logs, without the password
  std::string password;     // empty if the URL has none (peer authentication, ~/.pgpass)
};

// Accepts what libpq accepts: postgresql://user:password@host/database?sslmode=require or
// "host=... dbname=...". Its own settings win over ours. The error never repeats the URL, which
// may contain a password.
Result<ConnInfo> ParseConnInfo(const std::string& url, Millis connect_timeout);

// `message` with every occurrence of the password blotted out.
std::string WithoutPassword(std::string message, const ConnInfo& info);

}  // namespace komadai::postgres
