// The game service's values in the words of its contract, and back.
#pragma once

#include "komadai/common/v1/game_record.pb.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/internal/v1/live_game.pb.h"
#include "libs/base/result.h"
#include "services/game/domain/game.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

namespace pb = ::komadai::game::v1;
namespace common_pb = ::komadai::common::v1;

common_pb::GameSetup ToProto(const Setup& setup);
// A normalised setup, as ToProto(Setup) wrote it or the rules service answered it.
Result<Setup> SetupFromProto(const common_pb::GameSetup& setup);

common_pb::Player ToProto(const Player& player);
Player PlayerFromProto(const common_pb::Player& player);

common_pb::GameOptions ToProto(const Options& options);
Options OptionsFromProto(const common_pb::GameOptions& options);

common_pb::GameResult ToProto(const GameResult& result);
GameResult ResultFromProto(const common_pb::GameResult& result);

common_pb::ImpasseReport ToProto(const ImpasseReport& report);
ImpasseReport ImpasseFromProto(const common_pb::ImpasseReport& report);

pb::Pause ToProto(const Pause& pause);
pb::Game ToProto(const Game& game);
pb::PlayedMove ToProto(const PlayedMove& move, int ply);
pb::GameSummary SummaryOf(const Game& game);
// The finished game as the archive takes it.
common_pb::GameRecord RecordOf(const Game& game);

// `event` is the one after `before` was reached; its sequence number and ply follow from that.
internal::v1::StoredEvent ToStored(const Game& before, const Event& event);
// CORRUPT_GAME when the journal holds something that is no event.
Result<Event> EventFromStored(const Game& before, const internal::v1::StoredEvent& stored);

}  // namespace komadai::game
