#include "libs/timecontrol/time_control.h"

#include <string>

namespace komadai::timecontrol {
namespace {

Status CheckRange(const Reason& reason, const char* what, Side side, std::int64_t value,
                  std::int64_t max) {
  if (value >= 0 && value <= max) return {};
  return Error(
      reason, std::string(what) + " is out of range",
      {{"side", SideName(side)}, {"value", std::to_string(value)}, {"max", std::to_string(max)}});
}

Status ValidateSide(Side side, const SideTime& time) {
  const Status checks[] = {
      CheckRange(kMainTimeOutOfRange, "main time", side, time.main.count(), kMaxMainTime.count()),
      CheckRange(kByoyomiOutOfRange, "byo-yomi", side, time.byoyomi.count(), kMaxByoyomi.count()),
      CheckRange(kPeriodsOutOfRange, "number of byo-yomi periods", side, time.byoyomi_periods,
                 kMaxByoyomiPeriods),
      CheckRange(kIncrementOutOfRange, "increment", side, time.increment.count(),
                 kMaxIncrement.count()),
      CheckRange(kDelayOutOfRange, "delay", side, time.delay.count(), kMaxDelay.count()),
  };
  for (const Status& check : checks) {
    if (!check) return check;
  }
  if (time.byoyomi == Millis(0) && (time.byoyomi_periods > 0 || time.last_period_recurs)) {
    return Error(kPeriodsWithoutByoyomi, "byo-yomi periods are set without a period length",
                 {{"side", SideName(side)}, {"value", std::to_string(time.byoyomi_periods)}});
  }
  return {};
}

Error LagIsOutOfRange(Millis value, Millis max) {
  return Error(kLagOutOfRange, "lag compensation is out of range",
               {{"value", std::to_string(value.count())}, {"max", std::to_string(max.count())}});
}

Status ValidateLag(const LagCompensation& lag) {
  if (lag.per_move < Millis(0) || lag.per_move > kMaxLagPerMove) {
    return LagIsOutOfRange(lag.per_move, kMaxLagPerMove);
  }
  const bool both_or_neither = (lag.per_move == Millis(0)) == (lag.per_game == Millis(0));
  if (lag.per_game < lag.per_move || lag.per_game > kMaxLagPerGame || !both_or_neither) {
    return LagIsOutOfRange(lag.per_game, kMaxLagPerGame);
  }
  return {};
}

}  // namespace

Status Validate(const TimeControl& control) {
  Status first = ValidateSide(Side::kFirst, control.first);
  if (!first) return first;
  Status second = ValidateSide(Side::kSecond, control.second);
  if (!second) return second;
  return ValidateLag(control.lag);
}

bool HasClock(const SideTime& time) {
  return time.main > Millis(0) || time.byoyomi > Millis(0) || time.increment > Millis(0) ||
         time.delay > Millis(0);
}

int Periods(const SideTime& time) {
  if (time.byoyomi == Millis(0)) return 0;
  return time.byoyomi_periods == 0 ? 1 : time.byoyomi_periods;
}

Millis InitialMainTime(const SideTime& time) {
  const bool first_move_has_time =
      time.main > Millis(0) || time.byoyomi > Millis(0) || time.delay > Millis(0);
  return first_move_has_time ? time.main : time.increment;
}

}  // namespace komadai::timecontrol
