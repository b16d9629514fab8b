#include "libs/convert/time_control.h"

#include <utility>

namespace komadai::convert {
namespace {

timecontrol::SideTime FromProto(const pb::SideTime& time) {
  timecontrol::SideTime side;
  side.main = Millis(time.main_ms());
  side.byoyomi = Millis(time.byoyomi_ms());
  side.byoyomi_periods = time.byoyomi_periods();
  side.last_period_recurs = time.last_period_recurs();
  side.increment = Millis(time.increment_ms());
  side.delay = Millis(time.delay_ms());
  return side;
}

void Fill(pb::SideTime& out, const timecontrol::SideTime& side) {
  out.set_main_ms(side.main.count());
  out.set_byoyomi_ms(side.byoyomi.count());
  out.set_byoyomi_periods(side.byoyomi_periods);
  out.set_last_period_recurs(side.last_period_recurs);
  out.set_increment_ms(side.increment.count());
  out.set_delay_ms(side.delay.count());
}

void Fill(pb::SideClock& out, const timecontrol::SideReading& side) {
  out.set_main_left_ms(side.main_left.count());
  out.set_period_index(side.period_index);
  out.set_periods_left(side.periods_left);
  out.set_period_left_ms(side.period_left.count());
  out.set_delay_left_ms(side.delay_left.count());
  out.set_used_ms(side.used.count());
  out.set_compensated_ms(side.compensated.count());
}

timecontrol::SideReading FromProto(const pb::SideClock& clock) {
  timecontrol::SideReading side;
  side.main_left = Millis(clock.main_left_ms());
  side.period_index = clock.period_index();
  side.periods_left = clock.periods_left();
  side.period_left = Millis(clock.period_left_ms());
  side.delay_left = Millis(clock.delay_left_ms());
  side.used = Millis(clock.used_ms());
  side.compensated = Millis(clock.compensated_ms());
  return side;
}

}  // namespace

Result<timecontrol::TimeControl> TimeControlFromProto(const pb::TimeControl& control) {
  timecontrol::TimeControl out;
  out.first = FromProto(control.first());
  out.second = control.has_second() ? FromProto(control.second()) : out.first;
  out.lag.per_move = Millis(control.lag_compensation().per_move_ms());
  out.lag.per_game = Millis(control.lag_compensation().per_game_ms());
  if (Status valid = timecontrol::Validate(out); !valid) return std::move(valid).error();
  return out;
}

pb::TimeControl ToProto(const timecontrol::TimeControl& control) {
  pb::TimeControl out;
  Fill(*out.mutable_first(), control.first);
  if (!(control.second == control.first)) Fill(*out.mutable_second(), control.second);
  if (!(control.lag == timecontrol::LagCompensation{})) {
    out.mutable_lag_compensation()->set_per_move_ms(control.lag.per_move.count());
    out.mutable_lag_compensation()->set_per_game_ms(control.lag.per_game.count());
  }
  return out;
}

pb::ClockReading ToProto(const timecontrol::Reading& reading) {
  pb::ClockReading out;
  Fill(*out.mutable_first(), reading.first);
  Fill(*out.mutable_second(), reading.second);
  out.set_running(ToProto(reading.running));
  out.set_at_ms(ToUnixMillis(reading.at));
  out.set_deadline_ms(reading.deadline ? ToUnixMillis(*reading.deadline) : 0);
  out.set_ply(reading.ply);
  out.set_paused(reading.paused);
  return out;
}

timecontrol::Reading ReadingFromProto(const pb::ClockReading& reading) {
  timecontrol::Reading out;
  out.first = FromProto(reading.first());
  out.second = FromProto(reading.second());
  out.running = SideFromProto(reading.running());
  out.at = FromUnixMillis(reading.at_ms());
  if (reading.deadline_ms() != 0) out.deadline = FromUnixMillis(reading.deadline_ms());
  out.ply = reading.ply();
  out.paused = reading.paused();
  return out;
}

}  // namespace komadai::convert
