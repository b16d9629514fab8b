// Weather: how often which fault happens in a schedule, and how long everything takes.
//
// Drawn anew for each schedule, with each kind of fault quite absent from many of them: a fault
// that is always there hides what the others do.
#pragma once

#include "libs/base/time.h"
#include "tests/simulation/dice.h"

namespace komadai::simulation {

// Chances are of kAlways.
struct Weather {
  // At each step of a process: before a request or a commit leaves it, after a commit took effect,
  // before an answer leaves it.
  int crash = 0;
  int crashes_left = 0;  // at most this many in the schedule
  int request_lost = 0;
  int answer_lost = 0;
  int duplicated = 0;
  int store_refuses = 0;
  int store_in_doubt = 0;
  int store_outage = 0;  // at each commit
  int stream_cut = 0;    // at each message

  int breeze_ms = 2;  // an ordinary delay is up to this
  int gust = 0;       // delays that are up to gust_ms instead
  int gust_ms = 0;

  static Weather Draw(Dice& dice);
  static Weather Calm() { return {}; }
  // No fault at all, and no delay that would be seen in a data centre as one.
  bool IsCalm() const;

  Millis Delay(Dice& dice) const;
};

}  // namespace komadai::simulation
