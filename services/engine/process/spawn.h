// Spawn(): fork and exec, safe in a process with many threads.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "libs/base/result.h"

namespace komadai::engine {

// The full path of a program given by path or by name (looked up in PATH); empty if there is none
// that may be executed.
std::string FindProgram(const std::string& name);

// Starts `program` (a path) as the leader of a new process group with the three descriptors as its
// standard streams and no other. It is killed when the CALLING THREAD ends, so call it from a
// thread that lives as long as the child should. Returns -1 (errno set) when fork fails; a failing
// exec shows as exit status 127.
pid_t SpawnProcess(const std::string& program, const std::vector<std::string>& argv, int in_fd,
                   int out_fd, int err_fd);

}  // namespace komadai::engine
