// TempRedis: a real redis-server of a test's own, durable as in production (append-only file, fsync
// before every reply), in a temporary directory. Tests only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/testing/child_process.h"
#include "libs/testing/temp_dir.h"

namespace komadai::testing {

class TempRedis {
 public:
  struct Options {
    bool tcp = false;  // listen on a free port of 127.0.0.1 instead of a unix socket
    std::vector<std::string> arguments = {};  // more of redis-server's, e.g. {"--requirepass", "x"}
  };

  // Returns when it answers. An error if redis-server is missing or does not start.
  static Result<std::unique_ptr<TempRedis>> Start(Options options);
  static Result<std::unique_ptr<TempRedis>> Start() { return Start(Options()); }
  TempRedis(const TempRedis&) = delete;
  TempRedis& operator=(const TempRedis&) = delete;
  // Kills it; the data go too.
  ~TempRedis() = default;

  // "unix:///..." or "redis://127.0.0.1:PORT".
  std::string Url() const;
  pid_t pid() const { return process_->pid(); }
  const std::string& directory() const { return directory_.path(); }

  void Kill();       // kill -9: what was acknowledged is on disk
  Status Restart();  // after Kill, with the same data and address; returns when it answers
  void Pause();      // it lives and answers nothing (SIGSTOP)
  void Resume();

 private:
  explicit TempRedis(Options options) : options_(std::move(options)) {}
  Status Launch();
  Status WaitUntilItAnswers();

  const Options options_;
  TempDir directory_;
  int port_ = 0;
  std::unique_ptr<ChildProcess> process_;  // last: ends before its directory goes
};

}  // namespace komadai::testing
