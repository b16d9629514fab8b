#include "services/engine/process/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace komadai::engine {

namespace {

bool IsExecutableFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

// Between fork and exec only async-signal-safe calls are allowed: another thread may have held the
// allocator's lock at the fork. Hence everything is prepared before and nothing is allocated here.
[[noreturn]] void BecomeProgram(const char* program, char* const* argv, const int* streams,
                                pid_t parent, int max_fd) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above

  // The server blocks its stop signals for sigwait() and ignores SIGPIPE; exec would pass that on.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);

  // The pipes are numbered above 2 (see ChildProcess), so no dup2 overwrites a later source.
  for (int i = 0; i < 3; ++i) {
    if (dup2(streams[i], i) < 0) _exit(127);
  }
  if (close_range(3, ~0U, 0) != 0) {
    for (int fd = 3; fd < max_fd; ++fd) close(fd);
  }
  execv(program, argv);
  _exit(127);
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

pid_t SpawnProcess(const std::string& program, const std::vector<std::string>& argv, int in_fd,
                   int out_fd, int err_fd) {
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const int streams[] = {in_fd, out_fd, err_fd};
  const pid_t parent = getpid();
  const int max_fd = static_cast<int>(std::min<long>(sysconf(_SC_OPEN_MAX), 65'536));

  const pid_t pid = fork();
  if (pid == 0) BecomeProgram(program.c_str(), arguments.data(), streams, parent, max_fd);
  if (pid > 0) setpgid(pid, pid);  // in both processes: the order does not matter
  return pid;
}

}  // namespace komadai::engine
