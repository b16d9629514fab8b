#include "libs/rpc/server/serve.h"

#include <absl/synchronization/mutex.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <thread>

#include "libs/rpc/server/server.h"

namespace komadai::rpc {
namespace {

constexpr int kExitStartFailed = 1;
constexpr int kExitBadSettings = 2;
// Beyond the drain delay and the grace period: a handler that never ends must not hold the process.
constexpr std::chrono::seconds kWatchdogMargin{15};

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Ends the process at once on a second signal, or if the drain takes longer than it may.
void WatchDrain(Millis limit) {
  const sigset_t signals = StopSignals();
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int signal = -1;
  do {
    const auto left =
        std::chrono::duration_cast<Millis>(deadline - std::chrono::steady_clock::now());
    if (left <= Millis(0)) break;
    timespec timeout{};
    timeout.tv_sec = static_cast<std::time_t>(left.count() / 1000);
    timeout.tv_nsec = (left.count() % 1000) * 1000000;
    signal = sigtimedwait(&signals, nullptr, &timeout);
  } while (signal < 0 && (errno == EINTR || errno == EAGAIN));
  std::fprintf(stderr, signal > 0 ? "second signal: exiting at once\n"
                                  : "the drain took too long: exiting\n");
  _exit(signal > 0 ? 128 + signal : kExitStartFailed);
}

void AddTargets(const std::vector<ComponentSpec>& components, config::Settings& settings,
                std::map<std::string, std::string>& targets) {
  std::set<std::string> served;
  for (const ComponentSpec& spec : components) served.insert(spec.name);
  settings.Section("Other services");
  for (const ComponentSpec& spec : components) {
    for (const std::string& peer : spec.dependencies) {
      if (served.contains(peer)) continue;
      settings.Add("peer-" + peer, &targets[peer],
                   "address of the " + peer +
                       " service: HOST:PORT, or dns:///NAME:PORT for all "
                       "its replicas",
                   config::NotEmpty());
    }
  }
}

void AddComponentSettings(std::vector<ComponentSpec>& components, config::Settings& settings) {
  for (ComponentSpec& spec : components) {
    if (!spec.add_settings) continue;
    settings.Section("Service " + spec.name);
    spec.add_settings(settings);
  }
}

// gRPC's own log lines become lines of ours, those that clients can cause within limits. The logger
// outlives every gRPC thread on purpose.
// Protobuf's are dropped: one for each request whose text is not UTF-8, as often as anybody likes.
void RouteGrpcLog(const telemetry::Logger& log) {
  google::protobuf::SetLogHandler(nullptr);
  static const telemetry::Logger* grpc_log = nullptr;
  grpc_log = new telemetry::Logger(log.ForService("grpc"));
  gpr_set_log_function([](gpr_log_func_args* line) {
    const auto level = line->severity == GPR_LOG_SEVERITY_ERROR  ? telemetry::Level::kError
                       : line->severity == GPR_LOG_SEVERITY_INFO ? telemetry::Level::kInfo
                                                                 : telemetry::Level::kDebug;
    if (!grpc_log->Enabled(level)) return;
    static auto& repeats = *new telemetry::Repeats();
    const std::string place = std::string(line->file) + ":" + std::to_string(line->line);
    if (const auto left_out = repeats.Pass(place, SystemTimeSource().Now())) {
      grpc_log->Log(level, line->message, {{"place", place}, {"lines_left_out", *left_out}});
    }
  });
}

// As many files as the system lets this process open. The usual soft limit of 1024 is meant for
// programs that use select(); each connection is a file.
void RaiseDescriptorLimit() {
  constexpr rlim_t kEnough = 1 << 20;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  const rlim_t wanted = std::min(files.rlim_max, kEnough);
  if (files.rlim_cur >= wanted) return;
  files.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &files);  // the listener looks at what it has and says if it is little
}

int Fail(const Program& program, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", program.name.c_str(), error.message().c_str());
  return error.Is(kBadSettings) ? kExitBadSettings : kExitStartFailed;
}

}  // namespace

int ServeMain(Program program, std::vector<ComponentSpec> components, int argc,
              const char* const* argv) {
  ServerSettings server_settings = program.defaults;
  std::map<std::string, std::string> targets;
  config::Settings settings(program.name, program.description);
  server_settings.AddTo(settings);
  AddTargets(components, settings, targets);
  AddComponentSettings(components, settings);
  if (program.add_settings) {
    settings.Section("Program");
    program.add_settings(settings);
  }
  settings.ParseOrExit(argc, argv);
  if (program.prepare) {
    if (Status prepared = program.prepare(server_settings); !prepared) {
      return Fail(program, prepared.error());
    }
  }

  // Before any thread exists, so that all of them leave these signals to this one.
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  RaiseDescriptorLimit();

  const SystemTimeSource time;
  SystemRandom random;
  ServerEnvironment environment;
  environment.program = program.name;
  environment.log = telemetry::Logger(
      program.name,
      telemetry::ParseLevel(server_settings.log_level).value_or(telemetry::Level::kInfo));
  environment.time = &time;
  environment.random = &random;
  environment.targets.assign(targets.begin(), targets.end());
  const telemetry::Logger log = environment.log;
  RouteGrpcLog(log);
  // Debian builds absl with its search for deadlocks on: 4% of a busy server's time.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);

  Result<std::unique_ptr<Server>> server =
      Server::Start(server_settings, std::move(components), std::move(environment));
  if (!server) return Fail(program, server.error());
  log.Info("serving", {{"address", (*server)->address()}, {"version", settings.Version()}});
  std::printf("%s listening on %s\n", program.name.c_str(), (*server)->address().c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  log.Info("draining", {{"signal", signal}});
  const Millis limit =
      server_settings.drain_delay + server_settings.shutdown_grace + kWatchdogMargin;
  std::thread([limit] { WatchDrain(limit); }).detach();
  server->reset();
  log.Info("stopped");
  return 0;
}

}  // namespace komadai::rpc
