// Conversion between sql::Value and libpqxx's text representation. Private to libs/postgres.
#pragma once

#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "libs/sql/value.h"

namespace komadai::postgres {

// Parameters in PostgreSQL's text format; the server infers the types.
class TextParams {
 public:
  explicit TextParams(const sql::Params& params);
  // Null pointers are SQL nulls. Valid as long as this object.
  const std::vector<const char*>& pointers() const { return pointers_; }

 private:
  std::vector<std::optional<std::string>> texts_;
  std::vector<const char*> pointers_;
};

sql::Rows ToRows(const pqxx::result& result);

}  // namespace komadai::postgres
