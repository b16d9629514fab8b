#include "libs/testing/child_process.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>
#include <utility>

namespace komadai::testing {

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(const Options& options) {
  const Result<pid_t> pid = process::Spawn(options);
  if (!pid) return pid.error();
  return std::unique_ptr<ChildProcess>(new ChildProcess(*pid));
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

Status RunCommand(const ChildProcess::Options& options) {
  const std::string& log_file = options.log_file;
  Result<std::unique_ptr<ChildProcess>> process = ChildProcess::Start(options);
  if (!process) return std::move(process).error();
  const int status = (*process)->Wait();
  if (status == 0) return Status();
  return Error(kProcessFailed, options.command[0] + " ended with " + std::to_string(status) +
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
