// komadai-simulate: runs random schedules of the game and clock services in virtual time.
//
// Prints counts and ends with 0; at the first broken promise it prints its seed, runs it again for
// the trace and ends with 1.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "tests/simulation/world.h"

namespace komadai::simulation {
namespace {

struct Totals {
  Tally tally;
  std::int64_t schedules = 0;
  std::int64_t failed = 0;
  std::uint64_t steps = 0;
  std::int64_t crashes = 0;
  Millis elapsed{0};

  void Add(const Outcome& outcome) {
    ++schedules;
    failed += outcome.complaint ? 1 : 0;
    tally.Add(outcome.tally);
    steps += outcome.steps;
    crashes += outcome.crashes;
    elapsed += outcome.elapsed;
  }
};

void Print(const char* name, std::int64_t count) {
  std::printf("  %-44s %12lld\n", name, static_cast<long long>(count));
}

void Print(const Totals& totals, double seconds) {
  const Tally& tally = totals.tally;
  Print("schedules", totals.schedules);
  Print("steps", static_cast<std::int64_t>(totals.steps));
  Print("virtual seconds", totals.elapsed.count() / 1000);
  Print("crashes of a replica", totals.crashes);
  Print("moves committed", tally.moves);
  Print("moves acknowledged (repeats too)", tally.acknowledged);
  Print("moves taken back, times", tally.takebacks);
  Print("games ended", tally.games);
  for (const auto& [ending, count] : tally.endings) Print(("  by " + ending).c_str(), count);
  Print("flags: latest after its deadline, ms", tally.latest_flag.count());
  Print("flags: latest in schedules without faults, ms", tally.latest_flag_in_calm.count());
  Print("flags: moves received in time, still under way", tally.overtaken);
  Print("turns that began anew", tally.restarts);
  Print("  of these with a clock that was set back", tally.repairs);
  Print("events seen by watchers", tally.seen);
  Print("games handed to the archive (repeats too)", tally.archived);
  Print("results handed to the ratings (repeats too)", tally.rated);
  Print("moves repeated after a takeback", tally.late_repeats);
  Print("answers of too much contention", tally.contention);
  Print("repeats refused", tally.repeats_refused);
  std::printf("  %.1f s, %.0f schedules/s\n", seconds,
              static_cast<double>(totals.schedules) / seconds);
}

void Explain(std::uint64_t seed, std::size_t lines) {
  const Outcome again = Simulate(seed, lines);
  std::printf("seed %llu", static_cast<unsigned long long>(seed));
  std::printf(": %s\n", again.complaint ? again.complaint->c_str() : "ok");
  for (const std::string& line : again.trace) std::printf("  %s\n", line.c_str());
}

// A complaint without what differs between two of its kind.
std::string KindOf(const std::string& complaint) {
  std::string kind;
  for (const char c : complaint.substr(complaint.find(':') + 1)) {
    if (c < '0' || c > '9') kind += c;
  }
  return kind;
}

int Main(int argc, char** argv) {
  std::int64_t schedules = 1000;
  std::uint64_t seed = 1;
  std::uint64_t replay = 0;
  std::size_t lines = 400;
  bool all = false;
  CLI::App app("Random schedules of the game and clock services, with faults, in virtual time");
  app.add_option("--schedules", schedules, "how many to run")->capture_default_str();
  app.add_option("--seed", seed, "of the first; each next one is one more")->capture_default_str();
  CLI::Option* one = app.add_option("--replay", replay, "run this seed alone and print its trace");
  app.add_option("--lines", lines, "of a trace")->capture_default_str();
  app.add_flag("--all", all, "go on after a failure and count the kinds of failures");
  CLI11_PARSE(app, argc, argv);
  if (one->count() > 0) {
    Explain(replay, lines);
    return Simulate(replay).complaint ? 1 : 0;
  }
  const auto start = std::chrono::steady_clock::now();
  Totals totals;
  std::map<std::string, std::pair<std::int64_t, std::uint64_t>> kinds;  // how often, first seed
  std::uint64_t failed_seed = 0;
  for (std::int64_t i = 0; i < schedules; ++i) {
    const std::uint64_t this_seed = seed + static_cast<std::uint64_t>(i);
    const Outcome outcome = Simulate(this_seed);
    totals.Add(outcome);
    if (!outcome.complaint) continue;
    if (totals.failed == 1) failed_seed = this_seed;
    auto& [count, first] = kinds[KindOf(*outcome.complaint)];
    if (++count == 1) first = this_seed;
    if (!all) break;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Print(totals, seconds.count());
  if (totals.failed == 0) {
    std::printf("simulation: ok, %lld schedules from seed %llu\n",
                static_cast<long long>(schedules), static_cast<unsigned long long>(seed));
    return 0;
  }
  for (const auto& [kind, found] : kinds) {
    std::printf("  %8lld, first with seed %llu:%s\n", static_cast<long long>(found.first),
                static_cast<unsigned long long>(found.second), kind.c_str());
  }
  if (!all) Explain(failed_seed, lines);
  std::printf("simulation: %lld of %lld schedules failed, first with seed %llu\n",
              static_cast<long long>(totals.failed), static_cast<long long>(totals.schedules),
              static_cast<unsigned long long>(failed_seed));
  return 1;
}

}  // namespace
}  // namespace komadai::simulation

int main(int argc, char** argv) { return komadai::simulation::Main(argc, argv); }
