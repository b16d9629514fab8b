// Spawn(): starts a program, safe in a process with many threads.
//
// The child leads a new process group and inherits nothing but its three standard streams: no other
// descriptor, no blocked signal. It is killed when the THREAD that called Spawn() ends, so call it
// from a thread that lives as long as the child should.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "libs/base/result.h"

namespace komadai::process {

inline constexpr Reason kNotStarted{Code::kUnavailable, "PROCESS_NOT_STARTED"};

struct SpawnOptions {
  std::vector<std::string> command;  // command[0] is a path or a name looked up in PATH
  // The standard streams; they stay open in this process. kShared: the one of this process.
  static constexpr int kShared = -1;
  int in_fd = kShared;
  int out_fd = kShared;
  int err_fd = kShared;
  std::string log_file;   // standard output and error are appended to it instead
  std::string directory;  // working directory; empty: that of this process
  // The child runs as this user if this process runs as root; empty: as the user of this process.
  std::string user_if_root;
};

// The full path of a program given by path or by name (looked up in PATH); empty if there is none
// that may be executed.
std::string FindProgram(const std::string& name);

// The process id of the child, which the caller has to reap; or kNotStarted. What fails in the
// child shows as its exit status: 126 if its streams, directory or user cannot be set, 127 if it
// cannot execute the program.
Result<pid_t> Spawn(const SpawnOptions& options);

}  // namespace komadai::process
