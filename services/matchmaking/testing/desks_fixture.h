// A store in memory with two replicas of the service, for tests.
#pragma once

#include <gtest/gtest.h>

#include "libs/livestore/memory_live_store.h"
#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {

class DesksTest : public ::testing::Test {
 protected:
  // Does everything that is due, on the replica that has the lease.
  void Settle() {
    one_.Wave();
    two_.Wave();
    one_.Sweep();
    two_.Sweep();
  }
  void Pass(Millis duration) { time_.now += duration.count(); }

  FakeTime time_;
  FakeGames games_;
  FakeRatings ratings_;
  livestore::MemoryLiveStore live_{time_};
  Replica one_{live_, games_, ratings_, time_, 1};
  Replica two_{live_, games_, ratings_, time_, 2};
};

}  // namespace komadai::matchmaking
