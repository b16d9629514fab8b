// komadai-bench-rating: a leaderboard of a million players on a real PostgreSQL. JSON lines on
// stdout; the plans of the statements behind them on stderr.
//
// The players are written by SQL; what is measured is what callers see: calls of a komadai-rating
// process, one at a time. The service may count ranks from a distribution that is some seconds old
// (proto/komadai/rating/v1/rating.proto); `count` is the same rank counted by SQL, player by
// player.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/random.h"
#include "libs/rpc/keep_grpc.h"
#include "libs/testing/child_process.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_postgres.h"
#include "tests/bench/bearer.h"

namespace komadai::bench {
namespace {

namespace common = ::komadai::common::v1;
namespace pb = ::komadai::rating::v1;
using testing::ServerProcess;
using Clock = std::chrono::steady_clock;

struct Plan {
  std::int64_t players = 1'000'000;
  int calls = 300;
};

// A bell of ratings around 1500 points with a width of 300; everybody is established.
std::vector<std::string> Filling(std::int64_t players) {
  const std::string numbers = "generate_series(1, " + std::to_string(players) + ") AS i";
  return {
      "INSERT INTO players (player_id, name, kind, created_at) SELECT 'p' || i, 'Name ' || i, "
      "'person', 1700000000000 FROM " +
          numbers,
      "INSERT INTO ratings (player_id, variant, rating, peak, wins, losses, draws, grade, "
      "grade_reached_at, ranked) SELECT 'p' || i, 'shogi', r, r, 10, 10, 0, 12, 1700000000000, "
      "1 FROM (SELECT i, CAST(1500000 + 510000 * (random() + random() + random() + random() - "
      "2) AS BIGINT) AS r FROM " +
          numbers + ") AS made",
      "VACUUM ANALYZE players", "VACUUM ANALYZE ratings"};
}

class Board {
 public:
  explicit Board(const std::string& address)
      : stub_(pb::RatingService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))) {}

  // `player` may be empty. Ends the program if the call fails.
  pb::ListLeaderboardResponse Page(const std::string& token, const std::string& player) {
    grpc::ClientContext context;
    if (!player.empty()) {
      context.AddMetadata("authorization", Bearer(rpc::CallerKind::kPlayer, player));
    }
    pb::ListLeaderboardRequest request;
    request.set_variant(common::VARIANT_SHOGI);
    request.set_page_size(50);
    request.set_page_token(token);
    pb::ListLeaderboardResponse page;
    const grpc::Status status = stub_->ListLeaderboard(&context, request, &page);
    if (!status.ok()) Die("ListLeaderboard: " + status.error_message());
    return page;
  }

 private:
  std::unique_ptr<pb::RatingService::Stub> stub_;
};

double MillisSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Report(const std::string& name, std::vector<double> millis) {
  std::sort(millis.begin(), millis.end());
  for (const auto& [percentile, suffix] : {std::pair(0.5, "p50"), std::pair(0.99, "p99")}) {
    const auto index =
        static_cast<std::size_t>(percentile * static_cast<double>(millis.size() - 1));
    const nlohmann::json line{{"bench", "rating"},
                              {"case", name + "-" + suffix},
                              {"value", millis[index]},
                              {"unit", "ms"}};
    std::printf("%s\n", line.dump().c_str());
  }
  std::fflush(stdout);
}

// Runs SQL through psql and gives what it prints.
std::string Sql(testing::TempPostgres& postgres, const std::string& dir, const std::string& sql) {
  testing::ChildProcess::Options options;
  options.command = {"psql",
                     "--no-psqlrc",
                     "--quiet",
                     "--tuples-only",
                     "--no-align",
                     "--dbname=" + postgres.url(),
                     "--command=" + sql};
  options.log_file = dir + "/psql";
  std::ofstream(options.log_file, std::ios::trunc).close();
  if (Status ran = testing::RunCommand(options); !ran) Die(sql + ": " + ran.error().ToString());
  std::ifstream file(options.log_file);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void Explain(testing::TempPostgres& postgres, const std::string& dir, const std::string& name,
             const std::string& query) {
  std::fprintf(stderr, "-- %s\n%s\n", name.c_str(),
               Sql(postgres, dir, "EXPLAIN (ANALYZE, BUFFERS) " + query).c_str());
}

std::string AnyPlayer(Random& random, std::int64_t players) {
  return "p" + std::to_string(1 + random.Below(static_cast<std::uint64_t>(players)));
}

void MeasureCalls(Board& board, const Plan& plan) {
  SeededRandom random(1);
  std::vector<double> top;
  std::vector<double> own;
  std::vector<double> deep;
  for (int i = 0; i < plan.calls; ++i) {
    Clock::time_point start = Clock::now();
    board.Page("", "");
    top.push_back(MillisSince(start));
    const std::string player = AnyPlayer(random, plan.players);
    start = Clock::now();
    const pb::ListLeaderboardResponse page = board.Page("", player);
    own.push_back(MillisSince(start));
    if (!page.has_own()) Die(player + " has no place");
    // A page from the middle of the board: the one after that player.
    const std::string token =
        std::to_string(static_cast<std::int64_t>(page.own().rating().elo() * 1000)) + "~" + player;
    start = Clock::now();
    board.Page(token, "");
    deep.push_back(MillisSince(start));
  }
  Report("first-page", std::move(top));
  Report("first-page-and-own-rank", std::move(own));
  Report("page-anywhere", std::move(deep));
}

void MeasureCounting(testing::TempPostgres& postgres, const std::string& dir) {
  std::vector<double> counted;
  for (int i = 0; i < 20; ++i) {
    const std::string plan = Sql(postgres, dir,
                                 "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT COUNT(*) FROM "
                                 "ratings WHERE variant = 'shogi' AND ranked = 1 AND rating > " +
                                     std::to_string(1'200'000 + 20'000 * i));
    counted.push_back(nlohmann::json::parse(plan)[0]["Execution Time"].get<double>());
  }
  Report("own-rank-by-counting-in-sql", std::move(counted));
}

void ExplainStatements(testing::TempPostgres& postgres, const std::string& dir) {
  const std::string from =
      "FROM ratings r JOIN players p ON p.player_id = r.player_id WHERE r.variant = 'shogi' AND "
      "r.ranked = 1";
  Explain(postgres, dir, "first page",
          "SELECT p.name, r.rating " + from + " ORDER BY r.rating DESC, r.player_id LIMIT 51");
  Explain(postgres, dir, "a page in the middle",
          "SELECT p.name, r.rating " + from +
              " AND r.rating <= 1500000 AND (r.rating < 1500000 OR r.player_id > 'p5') "
              "ORDER BY r.rating DESC, r.player_id LIMIT 51");
  Explain(postgres, dir, "places near one's own",
          "SELECT COUNT(*) FROM ratings WHERE variant = 'shogi' AND ranked = 1 AND rating > "
          "1500000 AND rating <= 1504999");
  Explain(postgres, dir, "the whole distribution, now and then",
          "SELECT rating / 5000, COUNT(*) FROM ratings WHERE variant = 'shogi' AND ranked = 1 "
          "GROUP BY 1");
}

void Run(const Plan& plan) {
  testing::TempDir dir;
  auto postgres = testing::TempPostgres::Start();
  if (!postgres) Die(postgres.error().ToString());
  auto service = ServerProcess::Start({"komadai-rating",
                                       {"--postgres-url", (*postgres)->url(), "--token-secret",
                                        testing::kTestTokenSecret, "--log-level", "warning"},
                                       dir.File("rating")});
  if (!service) Die(service.error().ToString());
  Board board((*service)->address());
  board.Page("", "");  // makes the tables
  std::fprintf(stderr, "writing %lld players\n", static_cast<long long>(plan.players));
  const Clock::time_point start = Clock::now();
  for (const std::string& statement : Filling(plan.players)) {
    Sql(**postgres, dir.path(), statement);
  }
  std::fprintf(stderr, "written in %.0f s\n", MillisSince(start) / 1000);
  // A process that has never seen the board: its first caller pays for the distribution.
  (*service)->Stop();
  if (Status restarted = (*service)->Restart(); !restarted) Die(restarted.error().ToString());
  Board fresh((*service)->address());
  const Clock::time_point cold = Clock::now();
  fresh.Page("", "p1");
  Report("first-call-of-a-process", {MillisSince(cold)});
  MeasureCalls(fresh, plan);
  MeasureCounting(**postgres, dir.path());
  ExplainStatements(**postgres, dir.path());
}

}  // namespace
}  // namespace komadai::bench

int main(int argc, char** argv) {
  komadai::rpc::KeepGrpc();
  komadai::bench::Plan plan;
  CLI::App app{"Leaderboard pages and ranks with many players on a real PostgreSQL."};
  app.add_option("players", plan.players, "players on the board")
      ->check(CLI::Range(1'000, 10'000'000))
      ->capture_default_str();
  app.add_option("calls", plan.calls, "calls of each kind")
      ->check(CLI::Range(10, 100'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  komadai::bench::Run(plan);
  return 0;
}
