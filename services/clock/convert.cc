#include "services/clock/convert.h"

#include <optional>
#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"

namespace komadai::clock {
namespace {

constexpr char kIdCharacters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kMinRequestIdBytes = 8;
constexpr std::size_t kMaxRequestIdBytes = 64;

Error Invalid(const char* field, const char* message) {
  return rpc::InvalidField(kInvalidRequest, field, message);
}

Result<Side> CheckSide(const char* field, common_pb::Side side) {
  const std::optional<Side> known = convert::SideFromProto(side);
  if (!known) return Invalid(field, "must be SIDE_FIRST or SIDE_SECOND");
  return *known;
}

// Refuses what is not an instant; the clock itself checks the limits.
Result<TimePoint> CheckInstant(std::int64_t at_ms) {
  if (at_ms <= 0 || FromUnixMillis(at_ms) > timecontrol::kMaxInstant) {
    return Invalid("at_ms", "must be a Unix time in milliseconds before the year 2200");
  }
  return FromUnixMillis(at_ms);
}

}  // namespace

Status CheckGameId(const std::string& game_id) {
  const bool plain = game_id.find_first_not_of(kIdCharacters) == std::string::npos;
  if (plain && !game_id.empty() && game_id.size() <= kMaxGameIdBytes) return {};
  return Invalid("game_id", "must be 1 to 64 letters, digits, - or _");
}

Result<StartCommand> FromProto(const pb::StartClockRequest& request) {
  Status id = CheckGameId(request.game_id());
  if (!id) return std::move(id).error();
  Result<timecontrol::TimeControl> control = convert::TimeControlFromProto(request.time_control());
  if (!control) return std::move(control).error();
  Result<Side> side = CheckSide("side_to_move", request.side_to_move());
  if (!side) return std::move(side).error();
  Result<TimePoint> at = CheckInstant(request.at_ms());
  if (!at) return std::move(at).error();
  return StartCommand{.control = *std::move(control), .side_to_move = *side, .at = *at};
}

Result<PressCommand> FromProto(const pb::PressClockRequest& request) {
  Status id = CheckGameId(request.game_id());
  if (!id) return std::move(id).error();
  if (request.ply() < 0) return Invalid("ply", "must not be negative");
  Result<Side> side = CheckSide("side", request.side());
  if (!side) return std::move(side).error();
  Result<TimePoint> at = CheckInstant(request.at_ms());
  if (!at) return std::move(at).error();
  PressCommand command{.ply = request.ply(), .side = *side, .at = *at};
  if (request.has_thinking_ms()) command.thinking = Millis(request.thinking_ms());
  return command;
}

Result<StopCommand> FromProto(const pb::StopClockRequest& request) {
  Status id = CheckGameId(request.game_id());
  if (!id) return std::move(id).error();
  Result<TimePoint> at = CheckInstant(request.at_ms());
  if (!at) return std::move(at).error();
  return StopCommand{.at = *at};
}

Result<Command> FromProto(const pb::AdjustClockRequest& request) {
  Status id = CheckGameId(request.game_id());
  if (!id) return std::move(id).error();
  const std::size_t id_bytes = request.request_id().size();
  if (id_bytes < kMinRequestIdBytes || id_bytes > kMaxRequestIdBytes) {
    return Invalid("request_id", "must have 8 to 64 bytes");
  }
  Result<TimePoint> at = CheckInstant(request.at_ms());
  if (!at) return std::move(at).error();
  if (request.has_add()) {
    Result<Side> side = CheckSide("add.side", request.add().side());
    if (!side) return std::move(side).error();
    return Command(AddTimeCommand{.request_id = request.request_id(),
                                  .side = *side,
                                  .amount = Millis(request.add().add_ms()),
                                  .at = *at});
  }
  if (request.has_rewind()) {
    if (request.rewind().ply() < 0) return Invalid("rewind.ply", "must not be negative");
    Result<Side> side = CheckSide("rewind.side_to_move", request.rewind().side_to_move());
    if (!side) return std::move(side).error();
    return Command(RewindCommand{.request_id = request.request_id(),
                                 .ply = request.rewind().ply(),
                                 .side_to_move = *side,
                                 .at = *at,
                                 .restart = request.rewind().restart()});
  }
  if (request.has_pause()) {
    if (request.pause().ply() < 0) return Invalid("pause.ply", "must not be negative");
    return Command(
        PauseCommand{.request_id = request.request_id(), .ply = request.pause().ply(), .at = *at});
  }
  if (request.has_resume()) {
    if (request.resume().ply() < 0) return Invalid("resume.ply", "must not be negative");
    return Command(ResumeCommand{
        .request_id = request.request_id(), .ply = request.resume().ply(), .at = *at});
  }
  return Invalid("adjustment", "must be set");
}

pb::WatchExpiriesResponse ToProto(const Expiry* expiry) {
  pb::WatchExpiriesResponse response;
  if (expiry == nullptr) return response;
  response.set_game_id(expiry->game_id);
  response.set_ply(expiry->ply);
  response.set_side(convert::ToProto(expiry->side));
  response.set_deadline_ms(ToUnixMillis(expiry->deadline));
  return response;
}

}  // namespace komadai::clock
