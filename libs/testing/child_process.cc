#include "libs/testing/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace komadai::testing {
namespace {

struct Identity {
  uid_t user = 0;
  gid_t group = 0;
};

Result<std::optional<Identity>> FindIdentity(const std::string& user_if_root) {
  if (user_if_root.empty() || ::geteuid() != 0) return std::optional<Identity>();
  const passwd* entry = ::getpwnam(user_if_root.c_str());
  if (entry == nullptr) return Error(kProcessFailed, "there is no user " + user_if_root);
  return std::optional<Identity>({entry->pw_uid, entry->pw_gid});
}

// Between fork and exec of a process that may have threads: system calls only.
[[noreturn]] void Become(const ChildProcess::Options& options,
                         const std::optional<Identity>& identity, char* const* arguments) {
  const auto check = [](bool done) {
    if (!done) ::_exit(126);
  };
  if (!options.log_file.empty()) {
    const int log = ::open(options.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    check(log >= 0 && ::dup2(log, 1) >= 0 && ::dup2(log, 2) >= 0);
  }
  if (!options.directory.empty()) check(::chdir(options.directory.c_str()) == 0);
  if (identity) {
    check(::setgroups(0, nullptr) == 0 && ::setgid(identity->group) == 0 &&
          ::setuid(identity->user) == 0);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves nothing behind
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(Options options) {
  KOMADAI_CHECK(!options.command.empty());
  const Result<std::optional<Identity>> identity = FindIdentity(options.user_if_root);
  if (!identity) return identity.error();
  std::vector<char*> arguments;
  for (std::string& argument : options.command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);

  const pid_t pid = ::fork();
  if (pid < 0) return Error(kProcessFailed, std::string("fork: ") + std::strerror(errno));
  if (pid == 0) Become(options, *identity, arguments.data());
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid));
}

ChildProcess::~ChildProcess() {
  if (!Running()) return;
  Signal(SIGKILL);
  Wait();
}

void ChildProcess::Signal(int number) {
  if (!status_) ::kill(pid_, number);
}

bool ChildProcess::Running() {
  if (status_) return false;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return false;
  }
  return info.si_pid == 0;
}

int ChildProcess::Wait() {
  if (status_) return *status_;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return *status_;
}

Status RunCommand(ChildProcess::Options options) {
  const std::string name = options.command.at(0);
  const std::string log_file = options.log_file;
  Result<std::unique_ptr<ChildProcess>> process = ChildProcess::Start(std::move(options));
  if (!process) return std::move(process).error();
  const int status = (*process)->Wait();
  if (status == 0) return Status();
  return Error(kProcessFailed, name + " ended with " + std::to_string(status) +
                                   (log_file.empty() ? "" : "; see " + log_file));
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  const std::string task = std::to_string(pid);
  std::ifstream list("/proc/" + task + "/task/" + task + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

}  // namespace komadai::testing
