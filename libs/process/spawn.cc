#include "libs/process/spawn.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

#include "libs/base/check.h"

namespace komadai::process {
namespace {

constexpr int kSetUpFailed = 126;
constexpr int kExecFailed = 127;

struct Identity {
  uid_t user = 0;
  gid_t group = 0;
};

// All that the child needs, prepared before the fork.
struct Program {
  const char* path = nullptr;
  char* const* arguments = nullptr;
  std::array<int, 3> streams{};
  const char* directory = nullptr;  // null: stays
  std::optional<Identity> identity;
  pid_t parent = 0;
  int max_fd = 0;
};

bool IsExecutableFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

Error Failed(const std::string& what) {
  return Error(kNotStarted, "cannot " + what + ": " + std::strerror(errno));
}

Result<std::optional<Identity>> FindIdentity(const std::string& user_if_root) {
  if (user_if_root.empty() || geteuid() != 0) return std::optional<Identity>();
  const passwd* entry = getpwnam(user_if_root.c_str());
  if (entry == nullptr) return Error(kNotStarted, "there is no user " + user_if_root);
  return std::optional<Identity>({entry->pw_uid, entry->pw_gid});
}

// The functions below run between fork and exec. There only async-signal-safe calls are allowed:
// another thread may have held the allocator's lock at the fork. So nothing is allocated.

bool SetStreams(std::array<int, 3> streams) {
  // First out of the way, so that no dup2 overwrites a later source.
  for (int& fd : streams) {
    if (fd < 0 || fd > 2) continue;
    fd = fcntl(fd, F_DUPFD, 3);
    if (fd < 0) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const int fd = streams[static_cast<std::size_t>(i)];
    if (fd >= 0 && dup2(fd, i) < 0) return false;
  }
  return true;
}

bool SetIdentity(const Identity& identity) {
  return setgroups(0, nullptr) == 0 && setgid(identity.group) == 0 && setuid(identity.user) == 0;
}

[[noreturn]] void Become(const Program& program) {
  setpgid(0, 0);
  if (!SetStreams(program.streams)) _exit(kSetUpFailed);
  if (close_range(3, ~0U, 0) != 0) {
    for (int fd = 3; fd < program.max_fd; ++fd) close(fd);
  }
  if (program.directory != nullptr && chdir(program.directory) != 0) _exit(kSetUpFailed);
  if (program.identity && !SetIdentity(*program.identity)) _exit(kSetUpFailed);

  prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the identity, whose change resets it
  if (getppid() != program.parent) _exit(kExecFailed);  // the parent died before the line above

  // A server blocks its stop signals for sigwait() and ignores SIGPIPE; exec would pass that on.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);

  execv(program.path, program.arguments);
  _exit(kExecFailed);
}

}  // namespace

std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return IsExecutableFile(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (IsExecutableFile(candidate)) return candidate;
  }
  return "";
}

Result<pid_t> Spawn(const SpawnOptions& options) {
  KOMADAI_CHECK(!options.command.empty());
  const std::string& name = options.command[0];
  const std::string found = FindProgram(name);
  if (found.empty()) {
    return Error(kNotStarted, "no executable program " + name, {{"program", name}});
  }
  const Result<std::optional<Identity>> identity = FindIdentity(options.user_if_root);
  if (!identity) return identity.error();
  int log = -1;
  if (!options.log_file.empty()) {
    log = open(options.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) return Failed("open " + options.log_file);
  }

  std::vector<char*> arguments;
  arguments.reserve(options.command.size() + 1);
  for (const std::string& argument : options.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  // Absolute: a relative path is relative to the directory of this process, not of the child.
  std::error_code unknown;
  const std::string path = std::filesystem::absolute(found, unknown).string();
  Program program;
  program.path = path.c_str();
  program.arguments = arguments.data();
  program.streams = {options.in_fd, log < 0 ? options.out_fd : log, log < 0 ? options.err_fd : log};
  if (!options.directory.empty()) program.directory = options.directory.c_str();
  program.identity = *identity;
  program.parent = getpid();
  program.max_fd = static_cast<int>(std::min<long>(sysconf(_SC_OPEN_MAX), 65'536));

  const pid_t pid = fork();
  if (pid == 0) Become(program);
  const int fork_error = errno;
  if (log >= 0) close(log);
  if (pid < 0) {
    errno = fork_error;
    return Failed("fork");
  }
  setpgid(pid, pid);  // in both processes: the order does not matter
  return pid;
}

}  // namespace komadai::process
