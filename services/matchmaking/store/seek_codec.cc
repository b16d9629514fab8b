#include "services/matchmaking/store/seek_codec.h"

#include "libs/convert/variant.h"

namespace komadai::matchmaking {
namespace {

namespace pb = ::komadai::matchmaking::v1;
namespace common_pb = ::komadai::common::v1;

std::optional<Side> SideFromProto(common_pb::Side side) {
  if (side == common_pb::SIDE_FIRST) return Side::kFirst;
  if (side == common_pb::SIDE_SECOND) return Side::kSecond;
  return std::nullopt;
}

}  // namespace

Seek SeekOf(const stored_pb::StoredSeek& stored) {
  const pb::Seek& shown = stored.seek();
  Seek seek;
  seek.seek_id = shown.seek_id();
  seek.confirm = stored.confirm();
  seek.state = SeekStateOf(stored);
  seek.match_id = shown.match_id();
  seek.other_seek_id = stored.pairing().other_seek_id();
  seek.side = SideFromProto(shown.side());
  seek.paired_at = FromUnixMillis(stored.pairing().paired_at_ms());
  seek.answer_by = FromUnixMillis(shown.answer_by_ms());
  seek.accepted = shown.accepted();
  seek.game_id = shown.game_id();
  seek.refused = shown.refused();
  return seek;
}

SeekState SeekStateOf(const stored_pb::StoredSeek& stored) {
  return static_cast<SeekState>(stored.seek().state());
}

SeekState SeekStateOf(const SeekEntry& entry) {
  return entry.exists() ? SeekStateOf(entry.value) : SeekState::kUnspecified;
}

void Write(const Seek& seek, stored_pb::StoredSeek& stored) {
  pb::Seek& shown = *stored.mutable_seek();
  shown.set_state(static_cast<pb::SeekState>(seek.state));
  shown.set_match_id(seek.match_id);
  shown.set_side(seek.side ? convert::ToProto(*seek.side) : common_pb::SIDE_UNSPECIFIED);
  shown.set_answer_by_ms(ToUnixMillis(seek.answer_by));
  shown.set_accepted(seek.accepted);
  shown.set_game_id(seek.game_id);
  shown.set_refused(seek.refused);
  if (HasOpponent(seek.state)) {
    stored.mutable_pairing()->set_paired_at_ms(ToUnixMillis(seek.paired_at));
  } else {
    stored.clear_pairing();
  }
  if (seek.state == SeekState::kWaiting && !stored.pools().empty()) {
    pb::GameTerms preferred;
    preferred.ParseFromString(stored.pools(0));
    *shown.mutable_terms()->mutable_time_control() = preferred.time_control();
    shown.clear_opponent();
  }
}

void WritePaired(const Seek& seek, const stored_pb::Pairing& game, stored_pb::StoredSeek& stored) {
  pb::Seek& shown = *stored.mutable_seek();
  *stored.mutable_pairing() = game;
  stored.mutable_pairing()->set_match_id(seek.match_id);
  stored.mutable_pairing()->set_other_seek_id(seek.other_seek_id);
  *shown.mutable_opponent() = seek.side == Side::kFirst ? game.second() : game.first();
  *shown.mutable_terms()->mutable_time_control() = game.terms().time_control();
  Write(seek, stored);
}

}  // namespace komadai::matchmaking
