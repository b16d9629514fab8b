// komadai-load: plays many games at once on a running server and says how fast it answers: one JSON
// line on stdout, a table for people on stderr.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/connection.h"
#include "komadai/rating/v1/rating.pb.h"
#include "tests/bench/load_loop.h"
#include "tests/load/games.h"
#include "tests/load/watchers.h"

namespace komadai::load {
namespace {

constexpr int kNothingWorked = 1;
constexpr int kUsage = 2;

struct Options {
  std::string target = cli::kDefaultTarget;
  int games = 32;
  int seconds = 10;
  double rate = 0;
  int watchers = 0;
  int plies = 120;
  std::string variant = "shogi";
  bool rated = false;
};

struct Outcome {
  bench::LoadResult moves;
  std::int64_t finished = 0;
  std::map<std::string, std::int64_t> errors;
  Watchers::Seen seen;
};

double At(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1))];
}

nlohmann::json JsonOf(const Options& options, const Outcome& outcome) {
  nlohmann::json line{{"bench", "load"},
                      {"case", options.variant + (options.rate > 0 ? "-paced" : "-closed")},
                      {"value", outcome.moves.per_second()},
                      {"unit", "moves/s"},
                      {"games", options.games},
                      {"seconds", outcome.moves.seconds},
                      {"moves", outcome.moves.latencies_ms.size()},
                      {"finished_games", outcome.finished},
                      {"p50_ms", outcome.moves.percentile(0.5)},
                      {"p90_ms", outcome.moves.percentile(0.9)},
                      {"p99_ms", outcome.moves.percentile(0.99)},
                      {"p99.9_ms", outcome.moves.percentile(0.999)},
                      {"errors", outcome.errors}};
  if (options.rate > 0) line["rate"] = options.rate;
  if (options.watchers > 0) {
    line["watchers"] = options.games * options.watchers;
    line["watched_events"] = outcome.seen.events;
    line["watched_gaps"] = outcome.seen.gaps;
    line["watched_p50_ms"] = At(outcome.seen.delays_ms, 0.5);
    line["watched_p99_ms"] = At(outcome.seen.delays_ms, 0.99);
  }
  return line;
}

void PrintTable(const nlohmann::json& line) {
  for (const auto& [name, value] : line.items()) {
    if (name == "bench" || name == "errors") continue;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    std::fprintf(stderr, "%-16s %s\n", name.c_str(), text.c_str());
  }
  std::fprintf(stderr, "%-16s %s\n", "errors", line["errors"].empty() ? "none" : "");
  for (const auto& [reason, count] : line["errors"].items()) {
    std::fprintf(stderr, "  %-28s %s\n", reason.c_str(), count.dump().c_str());
  }
  if (line["errors"].contains("RATE_LIMITED")) {
    std::fprintf(stderr,
                 "The server limits what comes from one address. To measure it, start it with\n"
                 "--player-calls-per-second 0 --anonymous-calls-per-second 0 "
                 "--address-calls-per-second 0\n--address-connections-per-second 0 "
                 "--max-connections-per-address 0 --max-calls-per-address 0\n");
  }
}

Result<Outcome> Measure(const Options& options, rules::Variant variant) {
  Result<cli::Targets> targets = cli::Targets::Parse(options.target);
  if (!targets) return std::move(targets).error();
  SystemRandom random;
  play::Replicas<rating::v1::RatingService> rating(targets->To("rating"));
  Result<std::vector<play::Person>> people =
      play::SignIn(rating, "load-" + RandomId(random, 6), 2 * options.games, random);
  if (!people) return std::move(people).error();

  play::ErrorCounts errors;
  Watchers watchers(*targets, errors);
  Games::Settings settings;
  settings.variant = variant;
  settings.plies = options.plies;
  settings.watchers = options.watchers;
  settings.rated = options.rated;
  Games games(*targets, *std::move(people), settings, errors, watchers);
  if (Status opened = games.Open(); !opened) return std::move(opened).error();

  const std::chrono::milliseconds duration = std::chrono::seconds(options.seconds);
  const bench::StartCall next = [&games](int game, bench::Done done) {
    games.Next(game, std::move(done));
  };
  Outcome outcome;
  outcome.moves = options.rate > 0 ? bench::RunPaced(games.size(), options.rate, duration, next)
                                   : bench::RunClosedLoop(games.size(), duration, next);
  watchers.Stop();
  outcome.seen = watchers.Result();
  outcome.finished = games.finished();
  outcome.errors = errors.Get();
  return outcome;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"plays many games at once on a running server and measures its answers"};
  app.add_option("--target", options.target, "HOST:PORT, or service=HOST:PORT,...")
      ->capture_default_str();
  app.add_option("--games", options.games, "games in progress at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--seconds", options.seconds, "how long")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  app.add_option("--rate", options.rate,
                 "moves a second, whether or not earlier ones were answered; 0: each game moves "
                 "as soon as it is answered")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1000000.0));
  app.add_option("--watchers", options.watchers, "of each game")
      ->capture_default_str()
      ->check(CLI::Range(0, 10000));
  app.add_option("--plies", options.plies, "after how many somebody resigns")
      ->capture_default_str()
      ->check(CLI::Range(1, 4000));
  app.add_option("--variant", options.variant, "shogi, minishogi or xiangqi")
      ->capture_default_str();
  app.add_flag("--rated", options.rated, "rated games; needs a server with test players");
  CLI11_PARSE(app, argc, argv);
  const std::optional<rules::Variant> variant = rules::FindVariant(options.variant);
  if (!variant) {
    std::fprintf(stderr, "komadai-load: no such variant: %s\n", options.variant.c_str());
    return kUsage;
  }
  const Result<Outcome> outcome = Measure(options, *variant);
  if (!outcome) {
    std::fprintf(stderr, "komadai-load: %s\n", outcome.error().ToString().c_str());
    return kNothingWorked;
  }
  const nlohmann::json line = JsonOf(options, *outcome);
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  PrintTable(line);
  return outcome->moves.latencies_ms.empty() ? kNothingWorked : 0;
}

}  // namespace
}  // namespace komadai::load

int main(int argc, char** argv) { return komadai::load::Main(argc, argv); }
