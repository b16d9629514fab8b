#include "libs/sql/testing/backends.h"

#include <atomic>

#include "libs/base/random.h"
#include "libs/base/time.h"
#include "libs/postgres/database.h"
#include "libs/sqlite/database.h"
#include "libs/testing/temp_dir.h"
#include "libs/testing/temp_postgres.h"

namespace komadai::sql::testing {
namespace {

class SqliteBackend final : public Backend {
 public:
  std::unique_ptr<Database> Open() override {
    sqlite::Options options;
    options.path = dir_.File("test.db");
    Result<std::unique_ptr<sqlite::Database>> database =
        sqlite::Database::Open(std::move(options), time_);
    EXPECT_TRUE(database) << database.error().ToString();
    return *std::move(database);
  }

 private:
  komadai::testing::TempDir dir_;
  SystemTimeSource time_;
};

class PostgresBackend final : public Backend {
 public:
  PostgresBackend() {
    static std::atomic<int> count{0};
    Result<std::string> url = Server().CreateDatabase("test" + std::to_string(++count));
    EXPECT_TRUE(url);
    url_ = *url;
  }

  std::unique_ptr<Database> Open() override {
    postgres::Options options;
    options.url = url_;
    Result<std::unique_ptr<postgres::Database>> database =
        postgres::Database::Open(std::move(options), time_, random_);
    EXPECT_TRUE(database);
    return *std::move(database);
  }

 private:
  static komadai::testing::TempPostgres& Server() {
    static const auto server = komadai::testing::TempPostgres::Start();
    EXPECT_TRUE(server) << server.error().ToString();
    return **server;
  }

  std::string url_;
  SystemTimeSource time_;
  SeededRandom random_{7};
};

}  // namespace

std::vector<BackendCase> AllBackends() {
  return {{"Sqlite", [] { return std::make_unique<SqliteBackend>(); }},
          {"Postgres", [] { return std::make_unique<PostgresBackend>(); }}};
}

std::string BackendName(const ::testing::TestParamInfo<BackendCase>& test) {
  return test.param.name;
}

}  // namespace komadai::sql::testing
