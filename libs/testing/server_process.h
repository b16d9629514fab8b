// ServerProcess: one of our servers as a real process, for end-to-end tests and benchmarks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/testing/child_process.h"

namespace komadai::testing {

class ServerProcess {
 public:
  struct Options {
    std::string program;                 // in the directory of the build's binaries
    std::vector<std::string> arguments;  // without --listen
    std::string log_file;                // holds the ready line: one file per process
  };
  // Where this build's binaries are: KOMADAI_BIN_DIR, else build/bin.
  static std::string BinDir();
  // Starts on a free port of 127.0.0.1 and returns when it listens.
  static Result<std::unique_ptr<ServerProcess>> Start(Options options);

  const std::string& address() const { return address_; }  // "127.0.0.1:PORT"
  pid_t pid() const { return process_->pid(); }
  void Kill();       // kill -9
  int Stop();        // SIGTERM; waits for the exit status
  Status Restart();  // after Kill or Stop, on the same address

 private:
  explicit ServerProcess(Options options) : options_(std::move(options)) {}
  Status Launch(const std::string& listen);

  Options options_;
  std::string address_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace komadai::testing
