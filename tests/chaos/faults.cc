#include "tests/chaos/faults.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

namespace komadai::chaos {
namespace {

constexpr Millis kRestartPause{500};  // after an end that was no fault of ours
constexpr Millis kDrainLimit{30000};  // the servers' own limit is shorter

}  // namespace

FaultRunner::FaultRunner(testing::LocalStack& stack, std::vector<Fault> schedule,
                         bool one_at_a_time)
    : stack_(stack), schedule_(std::move(schedule)), one_at_a_time_(one_at_a_time) {
  for (const Part& part : PartsOf(stack)) conditions_[part.name];
}

std::vector<Part> FaultRunner::ServicesOf(testing::LocalStack& stack) {
  std::vector<Part> parts;
  for (const std::string& name : stack.names()) parts.push_back({name, false});
  return parts;
}

std::vector<Part> FaultRunner::PartsOf(testing::LocalStack& stack) {
  std::vector<Part> parts = ServicesOf(stack);
  parts.push_back({"redis", true});
  parts.push_back({"postgres", true});
  return parts;
}

Status FaultRunner::Tend(Millis now) {
  for (; next_ < schedule_.size() && schedule_[next_].at <= now; ++next_) {
    if (one_at_a_time_ && !Whole()) break;
    Do(schedule_[next_], now);
  }
  for (auto& [part, condition] : conditions_) {
    if (Status tended = TendPart(part, condition, now); !tended) return tended;
  }
  return {};
}

bool FaultRunner::Whole() const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [](const auto& entry) { return entry.second.state == State::kUp; });
}

void FaultRunner::Do(const Fault& fault, Millis now) {
  Condition& condition = conditions_.at(fault.part);
  // What is hurt already is left alone; what is starting may be hurt again.
  if (condition.state != State::kUp && condition.state != State::kStarting) return;
  ++done_[fault.kind][fault.part];
  condition.until = now + fault.lasts;
  condition.lasts = fault.lasts;
  switch (fault.kind) {
    case Fault::Kind::kKill:
      condition.state = State::kDown;
      if (fault.part == "redis") return stack_.redis().Kill();
      if (fault.part == "postgres") return stack_.postgres().Kill();
      return stack_.service(fault.part).Kill();
    case Fault::Kind::kDrain:
      condition.state = State::kAskedToStop;
      condition.until = now + kDrainLimit;
      return stack_.service(fault.part).Signal(SIGTERM);
    case Fault::Kind::kStall:
      condition.state = State::kStalled;
      return stack_.service(fault.part).Signal(SIGSTOP);
  }
}

Status FaultRunner::TendPart(const std::string& part, Condition& condition, Millis now) {
  if (condition.state == State::kDown && now >= condition.until) {
    return StartAgain(part, condition);
  }
  if (IsStore(part) || condition.state == State::kDown) return {};
  testing::ServerProcess& server = stack_.service(part);
  const std::optional<int> status = server.ExitStatus();
  switch (condition.state) {
    case State::kAskedToStop:
      if (status && *status == 0) {
        condition.state = State::kDown;
        condition.until = now + condition.lasts;
      } else if (status || now >= condition.until) {
        if (!status) server.Kill();
        Lost(part, status.value_or(SIGTERM + 128), condition, now);
      }
      return {};
    case State::kStalled:
      if (now < condition.until) return {};
      server.Signal(SIGCONT);
      condition.state = State::kUp;
      return {};
    default:
      if (status) {
        Lost(part, *status, condition, now);
      } else if (condition.state == State::kStarting && server.Listening()) {
        condition.state = State::kUp;
      }
      return {};
  }
}

void FaultRunner::Lost(const std::string& part, int status, Condition& condition, Millis now) {
  const char* how = condition.state == State::kAskedToStop ? " did not drain: status "
                    : condition.state == State::kStarting  ? " did not start: status "
                                                           : " ended by itself: status ";
  lost_.push_back(part + how + std::to_string(status) + ", " + std::to_string(now.count() / 1000) +
                  " s into the run");
  condition.state = State::kDown;
  condition.until = now + kRestartPause;
}

Status FaultRunner::StartAgain(const std::string& part, Condition& condition) {
  condition.state = IsStore(part) ? State::kUp : State::kStarting;
  if (part == "redis") return stack_.redis().Restart();
  if (part == "postgres") return stack_.postgres().Restart();
  return stack_.service(part).Relaunch();
}

}  // namespace komadai::chaos
