#include "services/rating/bind.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/stores/stores.h"
#include "services/rating/config.h"
#include "services/rating/rating_component.h"
#include "services/rating/recompute.h"

namespace komadai::rating {

rpc::ComponentSpec RatingComponent() {
  auto config = std::make_shared<RatingConfig>();
  return {.name = "rating",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<sql::Database>> database =
                stores::OpenDatabase(config->store, context.time);
            if (!database) return std::move(database).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<RatingComponentImpl>(*config, *std::move(database), context));
          }};
}

namespace {

constexpr int kExitFindings = 1;
constexpr int kExitBadSettings = 2;
constexpr int kExitNoAnswer = 3;

int Fail(const Error& error, int status) {
  std::fprintf(stderr, "komadai rating recompute: %s\n", error.ToString().c_str());
  return status;
}

}  // namespace

int RunRecompute(const std::vector<std::string>& arguments) {
  stores::SqlSettings store;
  std::string data = "komadai-data";
  bool repair = false;
  config::Settings settings("komadai rating recompute",
                            "Rates every game anew from its record, folds every history, and "
                            "compares both with what is stored.");
  settings.Add("data", &data, "directory of `komadai serve`, where no store is named");
  store.AddTo(settings);
  settings.Add("repair", &repair,
               "store what a sound history comes to where something else is stored");
  std::vector<const char*> argv{"komadai rating recompute"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  settings.ParseOrExit(static_cast<int>(argv.size()), argv.data());
  if (store.postgres_url.empty() && store.sqlite_path.empty()) {
    store.sqlite_path = (std::filesystem::path(data) / "komadai.db").string();
  }
  if (!store.sqlite_path.empty() && !std::filesystem::exists(store.sqlite_path)) {
    return Fail(Error(kInvalidArgument, "there is no file " + store.sqlite_path), kExitBadSettings);
  }
  const SystemTimeSource time;
  Result<std::shared_ptr<sql::Database>> database = stores::OpenDatabase(store, time);
  if (!database) return Fail(database.error(), kExitBadSettings);
  RatingStore ratings(*std::move(database), time);
  const auto report = [](const std::string& finding) { std::printf("%s\n", finding.c_str()); };
  const Result<Recomputed> sum = SyncWait(Recompute(ratings, time, repair, report));
  if (!sum) return Fail(sum.error(), kExitNoAnswer);
  std::printf("rating: %lld games, %lld changes, %lld ratings: %lld findings, %lld repaired\n",
              static_cast<long long>(sum->games), static_cast<long long>(sum->changes),
              static_cast<long long>(sum->standings), static_cast<long long>(sum->findings),
              static_cast<long long>(sum->repaired));
  return sum->findings == 0 ? 0 : kExitFindings;
}

}  // namespace komadai::rating
