#include "services/clock/store/clock_codec.h"

#include <utility>

#include "komadai/internal/v1/live_clock.pb.h"
#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"

namespace komadai::clock {
namespace {

namespace stored_pb = ::komadai::internal::v1;

Error Corrupt(const char* what) {
  return Error(kCorruptClock, std::string("the stored clock is unreadable: ") + what);
}

void Fill(stored_pb::StoredSide& out, const timecontrol::SideState& side) {
  out.set_main_left_ms(side.main_left.count());
  out.set_periods_left(side.periods_left);
  out.set_used_ms(side.used.count());
  out.set_compensated_ms(side.compensated.count());
}

timecontrol::SideState FromStored(const stored_pb::StoredSide& side) {
  return {.main_left = Millis(side.main_left_ms()),
          .periods_left = side.periods_left(),
          .used = Millis(side.used_ms()),
          .compensated = Millis(side.compensated_ms())};
}

void Fill(stored_pb::StoredTurn& out, const TurnStart& turn) {
  out.set_ply(turn.ply);
  out.set_side(convert::ToProto(turn.side));
  Fill(*out.mutable_first(), turn.first);
  Fill(*out.mutable_second(), turn.second);
}

Result<TurnStart> FromStored(const stored_pb::StoredTurn& turn) {
  const std::optional<Side> side = convert::SideFromProto(turn.side());
  if (!side || turn.ply() < 0) return Corrupt("turn");
  return TurnStart{.ply = turn.ply(),
                   .side = *side,
                   .first = FromStored(turn.first()),
                   .second = FromStored(turn.second())};
}

void Fill(stored_pb::StoredPress& out, const PressRecord& press) {
  Fill(*out.mutable_before(), press.before);
  out.set_turn_started_ms(ToUnixMillis(press.turn_started));
  out.set_pressed_ms(ToUnixMillis(press.pressed));
  if (press.thinking) out.set_thinking_ms(press.thinking->count());
}

Result<PressRecord> FromStored(const stored_pb::StoredPress& press) {
  Result<TurnStart> before = FromStored(press.before());
  if (!before) return std::move(before).error();
  PressRecord record{.before = *std::move(before),
                     .turn_started = FromUnixMillis(press.turn_started_ms()),
                     .pressed = FromUnixMillis(press.pressed_ms())};
  if (press.has_thinking_ms()) record.thinking = Millis(press.thinking_ms());
  return record;
}

template <typename Message>
bool Parse(std::string_view bytes, Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string EncodeClock(const LiveClock& clock) {
  stored_pb::StoredClock out;
  *out.mutable_time_control() = convert::ToProto(clock.state.control);
  Fill(*out.mutable_turn(), clock.state.turn);
  out.set_turn_started_ms(ToUnixMillis(clock.state.turn_started));
  if (clock.state.paused) out.set_paused_ms(ToUnixMillis(*clock.state.paused));
  if (clock.state.stopped) out.set_stopped_ms(ToUnixMillis(*clock.state.stopped));
  if (clock.last_press) Fill(*out.mutable_last_press(), *clock.last_press);
  for (const std::string& id : clock.adjustments) out.add_adjustments(id);
  out.set_flag_fallen(clock.flag_fallen);
  if (clock.rewound) out.set_rewound_ms(ToUnixMillis(*clock.rewound));
  return out.SerializeAsString();
}

Result<LiveClock> DecodeClock(std::string_view body) {
  stored_pb::StoredClock in;
  if (!Parse(body, in)) return Corrupt("clock");
  Result<timecontrol::TimeControl> control = convert::TimeControlFromProto(in.time_control());
  if (!control) return Corrupt("time control");
  Result<TurnStart> turn = FromStored(in.turn());
  if (!turn) return std::move(turn).error();
  LiveClock clock;
  clock.state.control = *std::move(control);
  clock.state.turn = *std::move(turn);
  clock.state.turn_started = FromUnixMillis(in.turn_started_ms());
  if (in.has_paused_ms()) clock.state.paused = FromUnixMillis(in.paused_ms());
  if (in.has_stopped_ms()) clock.state.stopped = FromUnixMillis(in.stopped_ms());
  if (in.has_last_press()) {
    Result<PressRecord> press = FromStored(in.last_press());
    if (!press) return std::move(press).error();
    clock.last_press = *std::move(press);
  }
  clock.adjustments.assign(in.adjustments().begin(), in.adjustments().end());
  clock.flag_fallen = in.flag_fallen();
  if (in.has_rewound_ms()) clock.rewound = FromUnixMillis(in.rewound_ms());
  return clock;
}

std::string EncodePress(const PressRecord& press) {
  stored_pb::StoredPress out;
  Fill(out, press);
  return out.SerializeAsString();
}

Result<PressRecord> DecodePress(std::string_view event) {
  stored_pb::StoredPress in;
  if (!Parse(event, in)) return Corrupt("press");
  return FromStored(in);
}

std::string EncodeAnnouncement(const AnnouncedExpiry& announced) {
  stored_pb::ExpiryAnnouncement out;
  out.set_origin(announced.origin);
  out.set_game_id(announced.expiry.game_id);
  out.set_ply(announced.expiry.ply);
  out.set_side(convert::ToProto(announced.expiry.side));
  out.set_deadline_ms(ToUnixMillis(announced.expiry.deadline));
  return out.SerializeAsString();
}

Result<AnnouncedExpiry> DecodeAnnouncement(std::string_view payload) {
  stored_pb::ExpiryAnnouncement in;
  if (!Parse(payload, in)) return Corrupt("announcement");
  const std::optional<Side> side = convert::SideFromProto(in.side());
  if (!side || in.game_id().empty()) return Corrupt("announcement");
  AnnouncedExpiry announced;
  announced.origin = in.origin();
  announced.expiry = {.game_id = in.game_id(),
                      .ply = in.ply(),
                      .side = *side,
                      .deadline = FromUnixMillis(in.deadline_ms())};
  return announced;
}

}  // namespace komadai::clock
