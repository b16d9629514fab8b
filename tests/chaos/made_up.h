// A run that is made up: evidence of one game that agrees everywhere, for tests that spoil it in
// one place.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/game_state.h"
#include "tests/chaos/audit.h"
#include "tests/play/choose_move.h"

namespace komadai::chaos {

inline constexpr std::int64_t kCreatedMs = 1'700'000'000'000;
inline constexpr std::int64_t kMoveMs = 1000;  // each move takes a second
inline constexpr std::int64_t kMainMs = 60'000;

// Evidence of a game of `plies` random moves.
class MadeUp {
 public:
  MadeUp(std::string id, int plies) : state_(play::StartOf(rules::Variant::kMinishogi)) {
    evidence.game_id = id;
    evidence.created_as = {id, id};
    game_pb::Game& game = evidence.game.emplace();
    game.set_game_id(id);
    game.mutable_setup()->set_variant(common_pb::VARIANT_MINISHOGI);
    game.mutable_first()->set_player_id("ann");
    game.mutable_second()->set_player_id("bob");
    game.set_rated(true);
    game.mutable_time_control()->mutable_first()->set_main_ms(kMainMs);
    game.set_created_at_ms(kCreatedMs);
    game.set_sequence(1);
    clock_ = *timecontrol::Start(*convert::TimeControlFromProto(game.time_control()), Side::kFirst,
                                 FromUnixMillis(kCreatedMs));
    evidence.watchers.emplace_back().connections = 1;
    evidence.watchers[0].seen.push_back({.snapshot = true, .sequence = 1});
    SeededRandom random(11);
    for (int i = 0; i < plies; ++i) Play(play::ChooseMove(state_.position(), false, random));
  }

  std::int64_t now() const { return kCreatedMs + state_.ply() * kMoveMs; }
  TimePoint deadline() const { return *timecontrol::DeadlineOf(clock_); }

  void EndsBy(common_pb::Ending ending, common_pb::Outcome outcome, std::int64_t at_ms) {
    game_pb::Game& game = *evidence.game;
    game.mutable_result()->set_ending(ending);
    game.mutable_result()->set_outcome(outcome);
    game.mutable_result()->set_plies(state_.ply());
    game.set_phase(game_pb::GAME_PHASE_ENDED);
    game.set_ended_at_ms(at_ms);
    game_pb::GameEvent event;
    *event.mutable_ended()->mutable_result() = game.result();
    Happens(std::move(event), at_ms);
    evidence.watchers[0].seen.back().end = true;
    evidence.watchers[0].finished = true;
    Archive();
  }
  void FirstResigns() {
    PlayerCall call;
    call.kind = PlayerCall::Kind::kResign;
    call.by = Side::kFirst;
    call.ply = state_.ply();
    call.attempts = 1;
    EndsBy(common_pb::ENDING_RESIGNATION, common_pb::OUTCOME_SECOND_WINS, now());
    call.answers.push_back({.result = evidence.game->result()});
    evidence.calls.push_back(std::move(call));
  }

  GameEvidence evidence;

 private:
  void Play(rules::Move move) {
    const std::string text = notation::FormatPlainMove(rules::Variant::kMinishogi, move);
    const Side mover = state_.position().side_to_move();
    const int ply = state_.ply();
    ASSERT_TRUE(state_.Play(move));
    ASSERT_FALSE(state_.verdict().over());
    const timecontrol::Pressed pressed = *timecontrol::Press(clock_, mover, FromUnixMillis(now()));
    clock_ = pressed.state;
    game_pb::GameEvent event;
    game_pb::MovePlayed& played = *event.mutable_move_played();
    played.mutable_move()->set_ply(ply + 1);
    played.mutable_move()->set_move(text);
    played.mutable_move()->set_used_ms(pressed.used.count());
    played.mutable_move()->set_at_ms(now());
    played.set_position(notation::FormatPosition(state_.position()));
    *played.mutable_clock() = convert::ToProto(timecontrol::Read(clock_, FromUnixMillis(now())));
    game_pb::Game& game = *evidence.game;
    *game.add_moves() = played.move();
    game.set_ply(ply + 1);
    game.set_side_to_move(convert::ToProto(state_.position().side_to_move()));

    PlayerCall call;
    call.by = mover;
    call.ply = ply;
    call.move = text;
    call.attempts = 2;
    Answer answer{ply + 1, text, played.position(), game.sequence() + 1, std::nullopt};
    call.answers = {answer, answer};
    evidence.calls.push_back(std::move(call));
    Happens(std::move(event), now());
  }
  void Happens(game_pb::GameEvent event, std::int64_t at_ms) {
    game_pb::Game& game = *evidence.game;
    game.set_sequence(game.sequence() + 1);
    event.set_sequence(game.sequence());
    event.set_at_ms(at_ms);
    evidence.watchers[0].seen.push_back(
        {.sequence = event.sequence(), .digest = DigestOf(event), .at = FromUnixMillis(at_ms)});
    evidence.journal.push_back(std::move(event));
  }
  void Archive() {
    const game_pb::Game& game = *evidence.game;
    common_pb::GameRecord record;
    *record.mutable_first() = game.first();
    *record.mutable_second() = game.second();
    for (const game_pb::PlayedMove& move : game.moves()) {
      common_pb::RecordedMove& recorded = *record.add_moves();
      recorded.set_move(move.move());
      recorded.set_used_ms(move.used_ms());
    }
    *record.mutable_result() = game.result();
    record.set_rated(true);
    record.set_started_at_ms(game.created_at_ms());
    record.set_ended_at_ms(game.ended_at_ms());
    evidence.archive = {record};
    evidence.served = record;
  }

  rules::GameState state_;
  timecontrol::ClockState clock_;
};

inline MadeUp Resigned() {
  MadeUp game("game1", 8);
  game.FirstResigns();
  return game;
}

inline MadeUp Flagged(Millis after_deadline) {
  MadeUp game("game1", 8);
  game.EndsBy(common_pb::ENDING_TIME_OUT, common_pb::OUTCOME_SECOND_WINS,
              ToUnixMillis(game.deadline() + after_deadline));
  return game;
}

// What the stores hold after that game, which the second side has won.
inline RunEvidence RunOf() {
  RunEvidence run;
  run.rating_rows = {{"ann", "minishogi", 1, "game1", 1200000, 1184000, 0},
                     {"bob", "minishogi", 1, "game1", 1200000, 1216000, 1000000}};
  run.standings = {{{"ann", "minishogi"}, {1184000, 1}}, {{"bob", "minishogi"}, {1216000, 1}}};
  run.archived_ids = {"game1"};
  run.errors = {{"RPC_UNAVAILABLE", 12}, {"GAME_OVER", 1}};
  return run;
}

inline Findings AuditOf(const GameEvidence& game, const RunEvidence& run) {
  Auditor auditor;
  auditor.Add(game);
  auditor.Finish(run);
  return auditor.findings();
}

inline std::string TextOf(const Findings& findings) {
  std::string text;
  for (const Violation& v : findings.violations) {
    text += std::string(NameOf(v.promise)) + ": " + v.what + "\n";
  }
  return text;
}

// The whole game is spoiled by `spoil`: the audit says so, of this promise.
inline void ExpectBroken(Promise promise, const std::string& fragment,
                         const std::function<void(GameEvidence&)>& spoil) {
  MadeUp game = Resigned();
  spoil(game.evidence);
  const Findings findings = AuditOf(game.evidence, RunOf());
  EXPECT_GT(findings.ViolationsOf(promise), 0) << TextOf(findings);
  EXPECT_NE(TextOf(findings).find(fragment), std::string::npos) << TextOf(findings);
}

inline void ExpectRunBroken(Promise promise, const std::string& fragment,
                            const std::function<void(RunEvidence&)>& spoil) {
  RunEvidence run = RunOf();
  spoil(run);
  const Findings findings = AuditOf(Resigned().evidence, run);
  EXPECT_GT(findings.ViolationsOf(promise), 0) << TextOf(findings);
  EXPECT_NE(TextOf(findings).find(fragment), std::string::npos) << TextOf(findings);
}

}  // namespace komadai::chaos
