// The databases that tests of SQL stores run on: an SQLite file and a real PostgreSQL. Tests only.
//
//   class MyStoreTest : public ::testing::TestWithParam<sql::testing::BackendCase> {...};
//   INSTANTIATE_TEST_SUITE_P(Backends, MyStoreTest,
//                            ::testing::ValuesIn(sql::testing::AllBackends()),
//                            sql::testing::BackendName);
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/sql/database.h"

namespace komadai::sql::testing {

// A place to store things, empty at first.
class Backend {
 public:
  virtual ~Backend() = default;
  // A Database on it. A second one is what another replica of the service would have.
  virtual std::unique_ptr<Database> Open() = 0;
};

struct BackendCase {
  std::string name;
  std::function<std::unique_ptr<Backend>()> make;
};

// "Sqlite" and "Postgres". One PostgreSQL server runs per test program, with a database for each
// Backend made.
std::vector<BackendCase> AllBackends();
std::string BackendName(const ::testing::TestParamInfo<BackendCase>& test);

}  // namespace komadai::sql::testing
