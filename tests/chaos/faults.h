// FaultRunner: hurts the parts of a stack as a schedule says, and starts again what is down.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libs/testing/local_stack.h"
#include "tests/chaos/schedule.h"

namespace komadai::chaos {

// Of one thread, and one that outlives the stack: the system ends a process with the thread that
// started it.
class FaultRunner {
 public:
  // With `one_at_a_time` a fault waits until everything runs again.
  FaultRunner(testing::LocalStack& stack, std::vector<Fault> schedule, bool one_at_a_time);

  static std::vector<Part> PartsOf(testing::LocalStack& stack);
  static std::vector<Part> ServicesOf(testing::LocalStack& stack);  // without the stores

  // Does what is due `now` after the start of the run. An error: something cannot be started again.
  Status Tend(Millis now);
  // No faults from now on.
  void StopFaults() { next_ = schedule_.size(); }
  // Whether everything runs.
  bool Whole() const;

  // Faults done, by kind and part.
  const std::map<Fault::Kind, std::map<std::string, int>>& done() const { return done_; }
  // Processes that ended without a fault, or with a bad exit status after one.
  const std::vector<std::string>& lost() const { return lost_; }

 private:
  enum class State : std::uint8_t {
    kUp,
    kDown,         // until `until`
    kAskedToStop,  // SIGTERM was sent
    kStalled,      // until `until`
    kStarting,     // not listening yet
  };
  struct Condition {
    State state = State::kUp;
    Millis until{0};
    Millis lasts{0};
  };

  bool IsStore(const std::string& part) const { return part == "redis" || part == "postgres"; }
  void Do(const Fault& fault, Millis now);
  Status TendPart(const std::string& part, Condition& condition, Millis now);
  void Lost(const std::string& part, int status, Condition& condition, Millis now);
  Status StartAgain(const std::string& part, Condition& condition);

  testing::LocalStack& stack_;
  const std::vector<Fault> schedule_;
  const bool one_at_a_time_;
  std::size_t next_ = 0;
  std::map<std::string, Condition> conditions_;
  std::map<Fault::Kind, std::map<std::string, int>> done_;
  std::vector<std::string> lost_;
};

}  // namespace komadai::chaos
