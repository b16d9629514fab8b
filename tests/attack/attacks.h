// The attacks: what a client can do to a server on purpose, each without end until it is told to
// stop.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace komadai::attack {

struct Target {
  std::string server;  // "127.0.0.1:PORT"
  std::string source;  // the attacker's own address
};

struct Attack {
  std::string name;
  std::string what;  // for people, one line
  int threads = 2;
  // Runs until `stop`. Whatever the server does to it, it tries again.
  std::function<void(const Target&, const std::atomic<bool>& stop)> run;
};

const std::vector<Attack>& AllAttacks();

}  // namespace komadai::attack
