// ServerProcess: one of our servers as a real process, for end-to-end tests and benchmarks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
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
    std::string listen = "127.0.0.1:0";  // port 0: a free one
    // Whether it limits the calls and connections of an address: all clients of a test have one.
    bool limits = false;
  };
  // Where this build's binaries are: KOMADAI_BIN_DIR, else build/bin.
  static std::string BinDir();
  // Starts and returns when it listens.
  static Result<std::unique_ptr<ServerProcess>> Start(Options options);

  const std::string& address() const { return address_; }  // "127.0.0.1:PORT"
  pid_t pid() const { return process_->pid(); }
  void Kill();       // kill -9
  int Stop();        // SIGTERM; waits for the exit status
  Status Restart();  // after Kill or Stop, on the same address; returns when it listens

  // The same in steps, for the care of several processes at once.
  void Signal(int number) { process_->Signal(number); }
  Status Relaunch();                // as Restart, without waiting
  bool Listening();                 // whether the last launch has come to this
  std::optional<int> ExitStatus();  // not set: it runs; 128 + the signal that ended it

 private:
  explicit ServerProcess(Options options) : options_(std::move(options)) {}
  Status Launch(const std::string& listen);
  Status AwaitListening();

  Options options_;
  std::string address_;
  std::size_t log_before_ = 0;  // size of the log when the last launch began
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace komadai::testing
