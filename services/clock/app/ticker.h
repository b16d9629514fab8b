// Ticker: the thread that calls Expiries::Tick() whenever something is due.
#pragma once

#include <memory>
#include <thread>

#include "libs/base/mutex.h"
#include "libs/base/time.h"
#include "services/clock/app/expiries.h"

namespace komadai::clock {

class Ticker {
 public:
  // Both must outlive the ticker. Takes over the OnWake() of `expiries`, so make it before they are
  // used; they may be woken from any thread, also before Start() and after the ticker is gone.
  Ticker(Expiries& expiries, const TimeSource& time);
  ~Ticker();  // stops
  void Start();
  void Stop();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  struct Signal {
    Mutex mutex;
    CondVar wake;
    bool woken KOMADAI_GUARDED_BY(mutex) = false;
    bool stopping KOMADAI_GUARDED_BY(mutex) = false;
  };
  void Run();

  Expiries& expiries_;
  const TimeSource& time_;
  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::thread thread_;
};

}  // namespace komadai::clock
