// ChildProcess: a program run by a test, ended with the test whatever happens. Tests only.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"

namespace komadai::testing {

inline constexpr Reason kProcessFailed{Code::kInternal, "PROCESS_FAILED"};

class ChildProcess {
 public:
  struct Options {
    std::vector<std::string> command;  // command[0] is looked up in PATH
    std::string log_file;              // stdout and stderr, appended; empty: the test's own
    std::string directory;             // working directory; empty: the test's own
    // Run as this user where the test runs as root (PostgreSQL refuses root); empty: as the test.
    std::string user_if_root;
  };

  static Result<std::unique_ptr<ChildProcess>> Start(Options options);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // Kills it, if it still runs, and waits for its end.
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  void Signal(int number);
  bool Running();
  // Waits for the end; the exit status, or 128 + the signal that ended it.
  int Wait();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;
  std::optional<int> status_;
};

// Runs a program to its end; an error unless it exits with 0.
Status RunCommand(ChildProcess::Options options);

// The direct children of a process, e.g. to kill a server together with its workers.
std::vector<pid_t> ChildrenOf(pid_t pid);

}  // namespace komadai::testing
