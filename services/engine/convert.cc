#include "services/engine/convert.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"
#include "services/engine/domain/levels.h"
#include "services/engine/errors.h"

namespace komadai::engine {

namespace {

namespace common_pb = ::komadai::common::v1;

Result<CheckedGame> GameOf(const pb::SearchPosition& position) {
  Result<rules::Variant> variant = convert::VariantFromProto(position.variant());
  if (!variant) return std::move(variant).error();
  const std::vector<std::string> moves(position.moves().begin(), position.moves().end());
  return CheckGame(*variant, position.position(), moves);
}

Status InRange(const char* field, std::int64_t value, std::int64_t max) {
  if (value >= 0 && value <= max) return {};
  return rpc::InvalidField(kBadLimits, std::string("limits.") + field,
                           "must be between 1 and " + std::to_string(max) + ", or 0 for no limit");
}

Result<Limits> ReadLimits(const pb::SearchLimits& message) {
  for (const Status& checked : {InRange("time_ms", message.time_ms(), kMaxTimeMs),
                                InRange("nodes", message.nodes(), kMaxNodes),
                                InRange("depth", message.depth(), kMaxDepth)}) {
    if (!checked) return checked.error();
  }
  Limits limits;
  if (message.time_ms() > 0) limits.time = Millis(message.time_ms());
  if (message.nodes() > 0) limits.nodes = message.nodes();
  if (message.depth() > 0) limits.depth = message.depth();
  if (limits.empty()) {
    return rpc::InvalidField(kBadLimits, "limits", "at least one limit must be set");
  }
  return limits;
}

std::optional<Level> LevelOf(common_pb::ComputerLevel level) {
  switch (level) {
    case common_pb::COMPUTER_LEVEL_EASY:
      return Level::kEasy;
    case common_pb::COMPUTER_LEVEL_MEDIUM:
      return Level::kMedium;
    case common_pb::COMPUTER_LEVEL_HARD:
      return Level::kHard;
    default:
      return std::nullopt;
  }
}

Status SetStrength(const pb::BestMoveRequest& request, SearchRequest& search) {
  if (request.strength_case() == pb::BestMoveRequest::kLimits) {
    Result<Limits> limits = ReadLimits(request.limits());
    if (!limits) return std::move(limits).error();
    search.limits = *limits;
    return {};
  }
  const std::optional<Level> level = LevelOf(request.level());
  if (!level) {
    return rpc::InvalidField(kMissingStrength, "strength", "a level or limits must be set");
  }
  const LevelSettings& settings = SettingsOf(*level);
  search.limits = LimitsOf(settings);
  search.skill = settings.skill;
  // To choose weaker moves the engine looks at four lines anyway; shown, they explain its choice.
  if (settings.skill) search.line_count = 4;
  return {};
}

SideTime SideTimeOf(const timecontrol::SideReading& shown, const timecontrol::SideTime& control) {
  return {.main_left = shown.main_left,
          .byoyomi = shown.period_left,
          .increment = control.increment,
          .delay = shown.delay_left};
}

bool Sensible(const SideTime& time) {
  constexpr Millis kLongest = timecontrol::kMaxMainTime * 2;  // increments and added time pile up
  for (const Millis part : {time.main_left, time.byoyomi, time.increment, time.delay}) {
    if (part < Millis(0) || part > kLongest) return false;
  }
  return true;
}

Status SetClocks(const pb::BestMoveRequest& request, SearchRequest& search) {
  if (!request.has_clock()) return {};
  if (!request.has_time_control()) {
    return rpc::InvalidField(kBadClock, "time_control", "needed with a clock");
  }
  Result<timecontrol::TimeControl> control = convert::TimeControlFromProto(request.time_control());
  if (!control) return std::move(control).error();
  const timecontrol::Reading reading = convert::ReadingFromProto(request.clock());
  const Clocks clocks{SideTimeOf(reading.first, control->first),
                      SideTimeOf(reading.second, control->second)};
  if (!Sensible(clocks[0]) || !Sensible(clocks[1])) {
    return rpc::InvalidField(kBadClock, "clock", "a time is negative or absurdly long");
  }
  // A side without a clock has all the time in the world: its limits alone decide.
  if (timecontrol::HasClock(control->of(search.game.side_to_move))) search.clocks = clocks;
  return {};
}

}  // namespace

Result<Query> QueryOf(const pb::BestMoveRequest& request) {
  Result<CheckedGame> checked = GameOf(request.position());
  if (!checked) return std::move(checked).error();
  SearchRequest search;
  search.game = checked->game;
  if (Status strength = SetStrength(request, search); !strength) return strength.error();
  if (Status clocks = SetClocks(request, search); !clocks) return clocks.error();
  return Query{*std::move(checked), std::move(search), request.engine_id()};
}

Result<Query> QueryOf(const pb::AnalyseRequest& request) {
  Result<CheckedGame> checked = GameOf(request.position());
  if (!checked) return std::move(checked).error();
  if (request.line_count() < 0 || request.line_count() > kMaxLines) {
    return rpc::InvalidField(kBadLineCount, "line_count",
                             "must be between 1 and " + std::to_string(kMaxLines));
  }
  Result<Limits> limits = ReadLimits(request.limits());
  if (!limits) return std::move(limits).error();
  SearchRequest search;
  search.game = checked->game;
  search.limits = *limits;
  search.line_count = std::max(request.line_count(), 1);
  return Query{*std::move(checked), std::move(search), request.engine_id()};
}

pb::Line ToProto(const Line& line) {
  pb::Line message;
  message.set_rank(line.rank);
  message.set_depth(line.depth);
  if (line.score.kind == Score::Kind::kCentipawns) message.set_centipawns(line.score.value);
  if (line.score.kind == Score::Kind::kMatePlies) message.set_mate_plies(line.score.value);
  for (const std::string& move : line.moves) message.add_moves(move);
  message.set_nodes(line.nodes);
  message.set_time_ms(line.time.count());
  return message;
}

pb::Engine ToProto(const EngineStatus& status) {
  pb::Engine message;
  message.set_engine_id(status.id);
  message.set_name(status.name);
  for (const rules::Variant variant : status.variants) {
    message.add_variants(convert::ToProto(variant));
  }
  message.set_available(status.available);
  return message;
}

}  // namespace komadai::engine
