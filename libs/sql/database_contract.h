// What stores may expect of every sql::Database. Instantiated for each backend in
// database_contract_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "libs/base/time.h"
#include "libs/sql/database.h"

namespace komadai::sql {

// A place to store things, empty when the test starts.
class Backend {
 public:
  virtual ~Backend() = default;
  // Another Database on the same data, as another replica of a service would open it.
  virtual std::unique_ptr<Database> Open() = 0;
};

struct BackendCase {
  std::string name;
  std::function<std::unique_ptr<Backend>()> make;
};

class DatabaseContract : public ::testing::TestWithParam<BackendCase> {
 protected:
  void SetUp() override;

  // Runs one transaction to its end.
  template <typename Fn>
  auto Do(Access access, Fn work) -> std::invoke_result_t<Fn&, Transaction&>;
  Status Script(const std::string& script);
  // The rows of one statement in a transaction of its own.
  Result<Rows> Query(const std::string& statement, const Params& params = {});

  TimePoint Soon() const { return time_.Now() + Millis(30000); }

  SystemTimeSource time_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Database> database_;
};

}  // namespace komadai::sql
