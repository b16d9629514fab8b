#include "libs/testing/temp_postgres.h"

#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

// libpqxx 6.4 loses the last PGresult (about 2 KB) when it finds the connection broken. Tests that
// break connections on purpose would report it as our leak.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpqxx"; }

namespace komadai::testing {
namespace {

namespace fs = std::filesystem;

constexpr char kSystemUser[] = "postgres";  // Debian's package creates it
constexpr char kSuperuser[] = "komadai";
constexpr std::chrono::seconds kStartDeadline{60};

// Debian keeps the server's programs out of PATH, one directory per major version.
std::string FindPrograms() {
  std::string newest;
  int newest_version = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version > newest_version && fs::exists(entry.path() / "bin/initdb")) {
      newest_version = version;
      newest = entry.path() / "bin/";
    }
  }
  return newest;  // empty: looked up in PATH
}

}  // namespace

Result<std::unique_ptr<TempPostgres>> TempPostgres::Start() {
  std::unique_ptr<TempPostgres> postgres(new TempPostgres(FindPrograms()));
  if (Status status = postgres->Initialize(); !status) return status.error();
  if (Status status = postgres->Launch(); !status) return status.error();
  return postgres;
}

TempPostgres::~TempPostgres() { Kill(); }

Status TempPostgres::Initialize() {
  if (::geteuid() == 0) {
    const passwd* user = ::getpwnam(kSystemUser);
    if (user == nullptr || ::chown(dir_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      return Error(kProcessFailed, "PostgreSQL does not run as root and there is no other user");
    }
  }
  ChildProcess::Options options;
  options.command = {programs_ + "initdb",
                     "--pgdata=" + dir_.File("data"),
                     std::string("--username=") + kSuperuser,
                     "--auth=trust",
                     "--no-sync",
                     "--encoding=UTF8",
                     "--locale=C"};
  options.log_file = dir_.File("log");
  options.directory = dir_.path();
  options.user_if_root = kSystemUser;
  return RunCommand(options);
}

Status TempPostgres::Launch() {
  ChildProcess::Options options;
  // Without fsync: the tests kill processes, not the machine, so the page cache survives.
  options.command = {
      programs_ + "postgres", "-D", dir_.File("data"), "-k", dir_.path(),           "-c",
      "listen_addresses=",    "-c", "fsync=off",       "-c", "max_connections=200", "-c",
      "shared_buffers=32MB"};
  options.log_file = dir_.File("log");
  options.directory = dir_.path();
  options.user_if_root = kSystemUser;
  const auto give_up = std::chrono::steady_clock::now() + kStartDeadline;
  while (std::chrono::steady_clock::now() < give_up) {
    // After a kill, the old server's last workers may hold its shared memory for a moment.
    if (server_ == nullptr || !server_->Running()) {
      Result<std::unique_ptr<ChildProcess>> started = ChildProcess::Start(options);
      if (!started) return std::move(started).error();
      server_ = *std::move(started);
    }
    ChildProcess::Options probe;
    probe.command = {programs_ + "pg_isready", "--quiet", "--dbname=" + url()};
    if (RunCommand(probe)) return Status();
    ::poll(nullptr, 0, 20);
  }
  return Error(kProcessFailed, "PostgreSQL did not start; see " + dir_.File("log"));
}

std::string TempPostgres::Url(const std::string& database) const {
  return std::string("postgresql://") + kSuperuser + "@/" + database + "?host=" + dir_.path();
}

std::string TempPostgres::url() const { return Url("postgres"); }

Status TempPostgres::Command(const std::string& sql) {
  ChildProcess::Options options;
  options.command = {programs_ + "psql",      "--no-psqlrc",       "--quiet",
                     "--set=ON_ERROR_STOP=1", "--dbname=" + url(), "--command=" + sql};
  options.log_file = dir_.File("log");
  return RunCommand(options);
}

Result<std::string> TempPostgres::CreateDatabase(const std::string& name) {
  // Not of template1: that fails while any session, such as autovacuum's, is in there.
  const Status created = Command("CREATE DATABASE " + name + " TEMPLATE template0");
  if (!created) return created.error();
  return Url(name);
}

void TempPostgres::Kill() {
  if (server_ == nullptr) return;
  std::vector<pid_t> workers = ChildrenOf(server_->pid());
  server_->Signal(SIGKILL);
  server_->Wait();
  for (const pid_t worker : workers) ::kill(worker, SIGKILL);
  server_.reset();
}

Status TempPostgres::Restart() { return Launch(); }

}  // namespace komadai::testing
