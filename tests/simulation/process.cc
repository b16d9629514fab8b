#include "tests/simulation/process.h"

namespace komadai::simulation {

Process::Process(Environment& environment, std::string name, std::function<void()> crash)
    : environment_(environment), name_(std::move(name)), crash_(std::move(crash)) {}

bool Process::MayCrash() {
  Weather& weather = environment_.weather;
  if (!alive() || dying_) return true;
  if (!crash_ || weather.crashes_left <= 0) return false;
  if (!environment_.dice.Chance(weather.crash)) return false;
  --weather.crashes_left;
  dying_ = true;
  environment_.scheduler.Next([pulse = pulse(), crash = crash_] {
    if (*pulse) crash();
  });
  return true;
}

void Process::Kill() {
  if (!alive()) return;
  *pulse_ = false;
  while (waits_.next_ != &waits_) {
    Waiting* first = waits_.next_;
    first->Unlink();
    first->Abandon();
  }
  for (auto& fn : std::exchange(at_death_, {})) fn();
}

void Process::After(Millis delay, std::function<void()> fn) {
  environment_.scheduler.After(delay, [pulse = pulse(), fn = std::move(fn)] {
    if (*pulse) fn();
  });
}

Task<bool> Process::Sleep(Millis delay) {
  const auto wait = Wait<bool>::In(*this, false);
  if (alive()) environment_.scheduler.After(delay, [wait] { wait->Answer(true); });
  const bool slept = co_await wait->Over();
  co_return slept;
}

}  // namespace komadai::simulation
