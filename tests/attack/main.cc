// komadai-attack: people play on a server with its default limits while one address attacks it, in
// every way that tests/attack knows, one after the other. A JSON line for each attack on stdout, a
// table for people on stderr; exit status 1 if a bound is broken.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "komadai/rules/v1/rules.pb.h"
#include "libs/rpc/testing/raw_http2.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"
#include "tests/attack/attacks.h"
#include "tests/attack/honest.h"
#include "tests/attack/server_watch.h"

namespace komadai::attack {
namespace {

using std::chrono::milliseconds;

constexpr int kBroken = 1;
constexpr int kUsage = 2;
constexpr double kMegabyte = 1024 * 1024;
constexpr char kAttacker[] = "127.0.0.66";
constexpr milliseconds kAfterwards{3000};

struct Options {
  int seconds = 30;
  std::vector<std::string> only;
  double memory_mb = 256;
  double p99_ms = 1000;
  double least_part = 0.5;
  std::string log = "";
};

struct Outcome {
  Honest::Played during;
  Honest::Played after;
  double memory_mb = 0;  // more than before all attacks
  std::int64_t descriptors = 0;
  bool attacker_served_again = false;
  bool alive = false;
  std::vector<std::string> broken;
};

// The attackers' machines are not this one: their threads leave the processors to the server.
void GiveWay() { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 19); }

Honest::Played PlayUnderAttack(const Attack& attack, const Target& target, Honest& honest,
                               milliseconds duration) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> attackers;
  for (int i = 0; i < attack.threads; ++i) {
    attackers.emplace_back([&] {
      GiveWay();
      attack.run(target, stop);
    });
  }
  Honest::Played played = honest.Play(duration);
  stop = true;
  for (std::thread& attacker : attackers) attacker.join();
  return played;
}

// Whether the address that attacked is served as anybody else soon after it has stopped.
bool IsServed(const Target& target) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const std::string request = rules::v1::ListVariantsRequest().SerializeAsString();
  while (std::chrono::steady_clock::now() < until) {
    const auto raw = rpc::RawHttp2::Connect(target.server, {.source = target.source});
    if (raw && (*raw)->Call("/komadai.rules.v1.RulesService/ListVariants", request).status == 0) {
      return true;
    }
    std::this_thread::sleep_for(milliseconds(100));
  }
  return false;
}

void Judge(const Options& options, Outcome& outcome) {
  const auto check = [&](bool holds, const char* what) {
    if (!holds) outcome.broken.emplace_back(what);
  };
  check(outcome.alive, "the server ended");
  check(outcome.memory_mb <= options.memory_mb, "memory");
  check(outcome.during.errors.empty(), "honest players got errors");
  check(outcome.during.done >= options.least_part, "too few honest moves");
  check(outcome.during.moves.percentile(0.99) <= options.p99_ms, "p99 under attack");
  check(outcome.after.errors.empty(), "errors afterwards");
  check(outcome.after.moves.percentile(0.99) <= options.p99_ms, "p99 afterwards");
  check(outcome.attacker_served_again, "the attacker's address is not served afterwards");
}

nlohmann::json JsonOf(const Attack& attack, const Outcome& outcome) {
  return {{"attack", attack.name},
          {"honest_moves", outcome.during.moves.latencies_ms.size()},
          {"honest_part", outcome.during.done},
          {"p50_ms", outcome.during.moves.percentile(0.5)},
          {"p99_ms", outcome.during.moves.percentile(0.99)},
          {"p99_after_ms", outcome.after.moves.percentile(0.99)},
          {"memory_mb", outcome.memory_mb},
          {"descriptors", outcome.descriptors},
          {"errors", outcome.during.errors},
          {"broken", outcome.broken}};
}

void PrintRow(const Attack& attack, const Outcome& outcome) {
  std::string verdict = outcome.broken.empty() ? "ok" : "BROKEN:";
  for (const std::string& what : outcome.broken) verdict += " " + what + ";";
  for (const auto& [reason, count] : outcome.during.errors) {
    verdict += " " + reason + "=" + std::to_string(count);
  }
  std::fprintf(stderr, "%-20s %6zu %6.0f%% %9.1f %9.1f %9.1f %8.0f %8lld  %s\n",
               attack.name.c_str(), outcome.during.moves.latencies_ms.size(),
               100 * outcome.during.done, outcome.during.moves.percentile(0.5),
               outcome.during.moves.percentile(0.99), outcome.after.moves.percentile(0.99),
               outcome.memory_mb, static_cast<long long>(outcome.descriptors), verdict.c_str());
}

std::optional<std::vector<Attack>> Chosen(const Options& options) {
  if (options.only.empty()) return AllAttacks();
  std::vector<Attack> chosen;
  for (const std::string& name : options.only) {
    const auto found = std::find_if(AllAttacks().begin(), AllAttacks().end(),
                                    [&](const Attack& attack) { return attack.name == name; });
    if (found == AllAttacks().end()) return std::nullopt;
    chosen.push_back(*found);
  }
  return chosen;
}

Outcome Suffer(const Attack& attack, const Options& options, testing::ServerProcess& server,
               Honest& honest, const Footprint& before) {
  const Target target{server.address(), kAttacker};
  Outcome outcome;
  {
    const ServerWatch watch(server.pid());
    outcome.during = PlayUnderAttack(attack, target, honest, std::chrono::seconds(options.seconds));
    const Footprint most = watch.Most();
    outcome.memory_mb =
        static_cast<double>(most.resident_bytes - before.resident_bytes) / kMegabyte;
    outcome.descriptors = most.descriptors;
  }
  outcome.attacker_served_again = IsServed(target);
  outcome.after = honest.Play(kAfterwards);
  outcome.alive = !server.ExitStatus().has_value();
  Judge(options, outcome);
  return outcome;
}

int Run(const Options& options, const std::vector<Attack>& attacks) {
  const testing::TempDir dir;
  testing::ServerProcess::Options server_options;
  server_options.program = "komadai";
  server_options.arguments = {"--data", dir.File("data"), "--allow-test-players"};
  server_options.log_file = options.log.empty() ? dir.File("server.log") : options.log;
  server_options.limits = true;
  const auto server = testing::ServerProcess::Start(server_options);
  if (!server) {
    std::fprintf(stderr, "komadai-attack: %s\n", server.error().ToString().c_str());
    return kBroken;
  }
  const auto honest = Honest::Start((*server)->address());
  if (!honest) {
    std::fprintf(stderr, "komadai-attack: %s\n", honest.error().ToString().c_str());
    return kBroken;
  }
  const Honest::Played calm = (*honest)->Play(kAfterwards);
  const Footprint before = FootprintOf((*server)->pid());
  std::fprintf(stderr, "%-20s %6s %7s %9s %9s %9s %8s %8s\n", "attack", "moves", "of due", "p50 ms",
               "p99 ms", "after ms", "more MB", "files");
  std::fprintf(stderr, "%-20s %6zu %6.0f%% %9.1f %9.1f %9s %8.0f %8lld\n", "(none)",
               calm.moves.latencies_ms.size(), 100 * calm.done, calm.moves.percentile(0.5),
               calm.moves.percentile(0.99), "",
               static_cast<double>(before.resident_bytes) / kMegabyte,
               static_cast<long long>(before.descriptors));
  int broken = 0;
  for (const Attack& attack : attacks) {
    const Outcome outcome = Suffer(attack, options, **server, **honest, before);
    std::printf("%s\n", JsonOf(attack, outcome).dump().c_str());
    std::fflush(stdout);
    PrintRow(attack, outcome);
    if (!outcome.broken.empty()) ++broken;
    if (!outcome.alive) break;
  }
  std::fprintf(stderr, "attack: %zu attacks, %d broke a bound (memory %.0f MB, p99 %.0f ms)\n",
               attacks.size(), broken, options.memory_mb, options.p99_ms);
  return broken == 0 ? 0 : kBroken;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"people play while one address attacks the server in every known way"};
  app.add_option("--seconds", options.seconds, "of each attack")
      ->capture_default_str()
      ->check(CLI::Range(1, 3600));
  app.add_option("--only", options.only, "names of attacks")->delimiter(',');
  app.add_option("--memory-mb", options.memory_mb, "how much more memory the server may take")
      ->capture_default_str();
  app.add_option("--p99-ms", options.p99_ms, "how long 99 of 100 honest moves may take at most")
      ->capture_default_str();
  app.add_option("--least-part", options.least_part,
                 "of the honest moves that must be made in time")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--log", options.log, "where the server's log goes; empty: nowhere");
  bool list = false;
  app.add_flag("--list", list, "print the attacks");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    for (const Attack& attack : AllAttacks()) {
      std::printf("%-20s %s\n", attack.name.c_str(), attack.what.c_str());
    }
    return 0;
  }
  const std::optional<std::vector<Attack>> attacks = Chosen(options);
  if (!attacks) {
    std::fprintf(stderr, "komadai-attack: no such attack; --list prints them\n");
    return kUsage;
  }
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  return Run(options, *attacks);
}

}  // namespace
}  // namespace komadai::attack

int main(int argc, char** argv) { return komadai::attack::Main(argc, argv); }
