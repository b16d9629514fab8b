#include "services/game/convert.h"

#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/notation/position_text.h"
#include "services/game/domain/timers.h"

namespace komadai::game {

common_pb::GameSetup ToProto(const Setup& setup) {
  common_pb::GameSetup out;
  out.set_variant(convert::ToProto(setup.variant));
  *out.mutable_ruleset() = convert::ToProto(setup.ruleset, setup.ruleset_base);
  if (!setup.handicap.empty()) {
    out.set_handicap(setup.handicap);
  } else if (!setup.start_position.empty()) {
    out.set_position(setup.start_position);
  }
  return out;
}

Result<Setup> SetupFromProto(const common_pb::GameSetup& proto) {
  Result<convert::GameStart> start = convert::StartFromProto(proto);
  if (!start) return std::move(start).error();
  Setup setup;
  setup.variant = start->variant();
  setup.ruleset = start->ruleset;
  setup.ruleset_base = start->setup.ruleset().id();
  setup.handicap = start->setup.handicap();
  setup.start_position = notation::FormatPosition(start->position);
  setup.moves_first = start->position.side_to_move();
  return setup;
}

common_pb::Player ToProto(const Player& player) {
  common_pb::Player out;
  out.set_player_id(player.id);
  out.set_name(player.name);
  out.set_kind(static_cast<common_pb::PlayerKind>(player.kind));
  out.set_level(static_cast<common_pb::ComputerLevel>(player.level));
  out.set_rating(player.rating);
  return out;
}

Player PlayerFromProto(const common_pb::Player& player) {
  Player out;
  out.id = player.player_id();
  out.name = player.name();
  if (common_pb::PlayerKind_IsValid(player.kind())) {
    out.kind = static_cast<PlayerKind>(player.kind());
  }
  if (common_pb::ComputerLevel_IsValid(player.level())) out.level = player.level();
  out.rating = player.rating();
  return out;
}

common_pb::GameOptions ToProto(const Options& options) {
  common_pb::GameOptions out;
  out.set_first_move_ms(options.first_move.count());
  out.set_claim_after_ms(options.claim_after.count());
  return out;
}

Options OptionsFromProto(const common_pb::GameOptions& options) {
  return {Millis(options.first_move_ms()), Millis(options.claim_after_ms())};
}

common_pb::GameResult ToProto(const GameResult& result) {
  common_pb::GameResult out;
  out.set_outcome(static_cast<common_pb::Outcome>(result.outcome));
  out.set_ending(static_cast<common_pb::Ending>(result.ending));
  out.set_plies(result.plies);
  return out;
}

GameResult ResultFromProto(const common_pb::GameResult& result) {
  return {static_cast<Outcome>(result.outcome()), static_cast<Ending>(result.ending()),
          result.plies()};
}

namespace {

void Fill(common_pb::ImpasseScore& out, Side side, const ImpasseCount& count) {
  out.set_side(convert::ToProto(side));
  out.set_points(count.points);
  out.set_handicap_credit(count.handicap_credit);
  out.set_pieces_in_zone(count.pieces_in_zone);
  out.set_king_in_zone(count.king_in_zone);
}

ImpasseCount CountFromProto(const common_pb::ImpasseScore& score) {
  return {score.points(), score.handicap_credit(), score.pieces_in_zone(), score.king_in_zone()};
}

}  // namespace

common_pb::ImpasseReport ToProto(const ImpasseReport& report) {
  common_pb::ImpasseReport out;
  Fill(*out.mutable_first(), Side::kFirst, report.sides[0]);
  Fill(*out.mutable_second(), Side::kSecond, report.sides[1]);
  out.set_may_declare(report.may_declare);
  for (const std::string& condition : report.failed_conditions) {
    out.add_failed_conditions(condition);
  }
  if (report.result_if_declared) {
    *out.mutable_result_if_declared() = ToProto(*report.result_if_declared);
  }
  return out;
}

ImpasseReport ImpasseFromProto(const common_pb::ImpasseReport& report) {
  ImpasseReport out;
  out.sides = {CountFromProto(report.first()), CountFromProto(report.second())};
  out.may_declare = report.may_declare();
  out.failed_conditions.assign(report.failed_conditions().begin(),
                               report.failed_conditions().end());
  if (report.has_result_if_declared()) {
    out.result_if_declared = ResultFromProto(report.result_if_declared());
  }
  return out;
}

pb::PlayedMove ToProto(const PlayedMove& move, int ply) {
  pb::PlayedMove out;
  out.set_ply(ply);
  out.set_move(move.move);
  out.set_used_ms(move.used.count());
  out.set_at_ms(ToUnixMillis(move.at));
  return out;
}

pb::Pause ToProto(const Pause& pause) {
  pb::Pause out;
  out.set_since_ms(ToUnixMillis(pause.since));
  out.set_until_ms(ToUnixMillis(pause.until));
  out.set_resume_wanted_by(convert::ToProto(pause.resume_wanted_by));
  return out;
}

namespace {

// What the players have offered each other and not answered yet.
void AddOffers(const Game& game, pb::Game& out) {
  out.set_draw_offered_by(convert::ToProto(game.draws.open_by()));
  out.set_draw_offer_sequence(game.draws.open_sequence());
  out.set_draw_offers_first(game.draws.count(Side::kFirst));
  out.set_draw_offers_second(game.draws.count(Side::kSecond));
  out.set_takeback_requested_by(convert::ToProto(game.takebacks.open_by()));
  out.set_takeback_request_sequence(game.takebacks.open_sequence());
  out.set_impasse_proposed_by(convert::ToProto(game.impasse_proposed_by));
  if (game.pauses.open_by()) {
    pb::PauseOffer& offer = *out.mutable_pause_offer();
    offer.set_by(convert::ToProto(game.pauses.open_by()));
    offer.set_pause_ms(game.pause_offered.count());
    offer.set_sequence(game.pauses.open_sequence());
  }
}

}  // namespace

pb::Game ToProto(const Game& game) {
  pb::Game out;
  out.set_game_id(game.id);
  *out.mutable_setup() = ToProto(game.setup);
  *out.mutable_first() = ToProto(game.player(Side::kFirst));
  *out.mutable_second() = ToProto(game.player(Side::kSecond));
  out.set_rated(game.rated);
  if (game.time_control) *out.mutable_time_control() = convert::ToProto(*game.time_control);
  out.set_phase(game.over() ? pb::GAME_PHASE_ENDED : pb::GAME_PHASE_LIVE);
  out.set_ply(game.ply());
  out.set_position(game.board.position);
  out.set_start_position(game.setup.start_position);
  out.set_side_to_move(convert::ToProto(game.board.to_move));
  out.set_check(game.board.check);
  for (int ply = 0; ply < game.ply(); ++ply) {
    *out.add_moves() = ToProto(game.moves[static_cast<std::size_t>(ply)], ply + 1);
  }
  if (game.clock) *out.mutable_clock() = convert::ToProto(*game.clock);
  AddOffers(game, out);
  if (game.result) *out.mutable_result() = ToProto(*game.result);
  out.set_sequence(game.sequence);
  out.set_created_at_ms(ToUnixMillis(game.created_at));
  out.set_ended_at_ms(game.over() ? ToUnixMillis(game.ended_at) : 0);
  out.set_occurrences(game.board.occurrences);
  out.set_allow_takeback(game.allow_takeback);
  *out.mutable_options() = ToProto(game.options);
  out.set_replay_of(game.replay_of);
  out.set_replayed_by(game.replayed_by);
  out.set_aborted_by(convert::ToProto(game.aborted_by));
  out.set_illegal_move(game.illegal_move);
  if (game.paused()) *out.mutable_pause() = ToProto(*game.pause);
  if (const auto deadline = FirstMoveDeadline(game)) {
    out.set_first_move_deadline_ms(ToUnixMillis(*deadline));
  }
  return out;
}

pb::GameSummary SummaryOf(const Game& game) {
  pb::GameSummary out;
  out.set_game_id(game.id);
  out.set_variant(convert::ToProto(game.setup.variant));
  *out.mutable_first() = ToProto(game.player(Side::kFirst));
  *out.mutable_second() = ToProto(game.player(Side::kSecond));
  out.set_rated(game.rated);
  out.set_ply(game.ply());
  out.set_position(game.board.position);
  if (!game.moves.empty()) out.set_last_move(game.moves.back().move);
  out.set_created_at_ms(ToUnixMillis(game.created_at));
  return out;
}

common_pb::GameRecord RecordOf(const Game& game) {
  common_pb::GameRecord out;
  *out.mutable_setup() = ToProto(game.setup);
  *out.mutable_first() = ToProto(game.player(Side::kFirst));
  *out.mutable_second() = ToProto(game.player(Side::kSecond));
  for (const PlayedMove& move : game.moves) {
    common_pb::RecordedMove& recorded = *out.add_moves();
    recorded.set_move(move.move);
    recorded.set_used_ms(move.used.count());
  }
  if (game.result) *out.mutable_result() = ToProto(*game.result);
  if (game.time_control) *out.mutable_time_control() = convert::ToProto(*game.time_control);
  out.set_started_at_ms(ToUnixMillis(game.created_at));
  out.set_ended_at_ms(game.over() ? ToUnixMillis(game.ended_at) : 0);
  out.set_rated(game.rated);
  return out;
}

}  // namespace komadai::game
