// ChildProcess: a program run by a test, which always ends with the test. Tests only.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "libs/base/result.h"
#include "libs/process/spawn.h"

namespace komadai::testing {

inline constexpr Reason kProcessFailed{Code::kInternal, "PROCESS_FAILED"};

class ChildProcess {
 public:
  using Options = process::SpawnOptions;

  static Result<std::unique_ptr<ChildProcess>> Start(const Options& options);
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
Status RunCommand(const ChildProcess::Options& options);

// The direct children of a process, e.g. to kill a server together with its workers.
std::vector<pid_t> ChildrenOf(pid_t pid);

}  // namespace komadai::testing
