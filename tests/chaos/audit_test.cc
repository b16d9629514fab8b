// Evidence that is made up, and spoiled in one place at a time: the audit finds each spoiling, so
// that its silence after a run means something. Here: moves, ends, flags and answers.
#include "tests/chaos/audit.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/chaos/made_up.h"

namespace komadai::chaos {
namespace {

TEST(AuditTest, ARunWithoutFaultIsWithoutFindings) {
  const Findings findings = AuditOf(Resigned().evidence, RunOf());
  EXPECT_EQ(TextOf(findings), "");
  EXPECT_EQ(findings.games, 1);
  EXPECT_EQ(findings.moves_acknowledged, 8);
  EXPECT_EQ(findings.moves_found, 8);
  EXPECT_EQ(findings.repeats, 8);
  EXPECT_EQ(findings.endings.at("RESIGNATION"), 1);
  EXPECT_EQ(findings.archived, 1);
  EXPECT_EQ(findings.rated, 1);
  EXPECT_EQ(findings.rating_changes, 2);
  EXPECT_EQ(findings.watched_events, 9);
  EXPECT_EQ(findings.flags, 0);
}

TEST(AuditTest, AMoveWhoseAcknowledgementWasLostIsNoFault) {
  MadeUp game = Resigned();
  game.evidence.calls[3].answers.clear();
  game.evidence.calls[3].refusals = {"GAME_OVER"};
  const Findings findings = AuditOf(game.evidence, RunOf());
  EXPECT_EQ(TextOf(findings), "");
  EXPECT_EQ(findings.moves_acknowledged, 7);
  EXPECT_EQ(findings.moves_unacknowledged, 1);
}

TEST(AuditTest, AnAttemptThatCameTooLateBesideOneInTimeIsNoFault) {
  MadeUp game = Resigned();
  game.evidence.calls[3].attempts = 2;
  game.evidence.calls[3].refusals = {"TIME_IS_UP"};
  EXPECT_EQ(TextOf(AuditOf(game.evidence, RunOf())), "");
  game.evidence.calls[3].answers.clear();  // nor if that answer was lost
  EXPECT_EQ(TextOf(AuditOf(game.evidence, RunOf())), "");
}

TEST(AuditTest, AnAcknowledgedMoveThatVanishedIsFound) {
  ExpectBroken(Promise::kMoves, "is not there", [](GameEvidence& game) {
    PlayerCall lost = game.calls[7];
    lost.ply = 8;
    lost.answers[0].ply = 9;
    lost.answers[0].sequence = 10;
    lost.answers.pop_back();
    game.calls.push_back(lost);
  });
  ExpectBroken(Promise::kMoves, "the game is gone", [](GameEvidence& game) { game.game.reset(); });
}

TEST(AuditTest, AMoveThatIsThereTwiceOrInAnotherOrderIsFound) {
  ExpectBroken(Promise::kMoves, "stands in the journal as move", [](GameEvidence& game) {
    *game.journal[4].mutable_move_played() = game.journal[3].move_played();
  });
  ExpectBroken(Promise::kMoves, "stands at",
               [](GameEvidence& game) { std::swap(game.journal[3], game.journal[4]); });
  ExpectBroken(Promise::kMoves, "moves, its journal",
               [](GameEvidence& game) { game.game->mutable_moves()->RemoveLast(); });
}

TEST(AuditTest, AnotherMoveThanTheOneAcknowledgedIsFound) {
  ExpectBroken(Promise::kMoves, "not what the answer said",
               [](GameEvidence& game) { game.calls[2].answers[0].position += " "; });
  ExpectBroken(Promise::kMoves, "was sent by nobody",
               [](GameEvidence& game) { game.calls.erase(game.calls.begin() + 5); });
  ExpectBroken(Promise::kMoves, "was sent by nobody",
               [](GameEvidence& game) { game.calls[5].by = Opponent(game.calls[5].by); });
}

TEST(AuditTest, TheComputersMovesAreSentByNobody) {
  MadeUp game = Resigned();
  std::erase_if(game.evidence.calls,
                [](const PlayerCall& call) { return call.by == Side::kSecond; });
  EXPECT_GT(AuditOf(game.evidence, RunOf()).ViolationsOf(Promise::kMoves), 0);
  game.evidence.game->mutable_second()->set_kind(common_pb::PLAYER_KIND_COMPUTER);
  EXPECT_EQ(TextOf(AuditOf(game.evidence, RunOf())), "");
}

TEST(AuditTest, AnIllegalMoveOrAWrongPositionIsFound) {
  ExpectBroken(Promise::kMoves, "against the rules",
               [](GameEvidence& game) { game.game->mutable_moves(3)->set_move("1a5e"); });
  ExpectBroken(Promise::kMoves, "a wrong position", [](GameEvidence& game) {
    game.journal[3].mutable_move_played()->set_position("5/5/5/5/5 b - 1");
  });
}

TEST(AuditTest, AGameThatEndsTwiceOrNeverIsFound) {
  ExpectBroken(Promise::kEnds, "2 ends", [](GameEvidence& game) {
    game.journal.push_back(game.journal.back());
    game.journal.back().set_sequence(11);
    game.game->set_sequence(11);
  });
  ExpectBroken(Promise::kEnds, "has not ended", [](GameEvidence& game) {
    game.game->set_phase(game_pb::GAME_PHASE_LIVE);
    game.game->clear_result();
  });
  ExpectBroken(Promise::kEnds, "behind the end",
               [](GameEvidence& game) { std::swap(game.journal[7], game.journal[8]); });
}

TEST(AuditTest, AWrongResultIsFound) {
  ExpectBroken(Promise::kEnds, "nothing caused it",
               [](GameEvidence& game) { game.calls.pop_back(); });
  ExpectBroken(Promise::kEnds, "nothing caused it", [](GameEvidence& game) {
    game.game->mutable_result()->set_outcome(common_pb::OUTCOME_FIRST_WINS);
  });
  ExpectBroken(Promise::kEnds, "nothing caused it", [](GameEvidence& game) {
    game.game->mutable_result()->set_ending(common_pb::ENDING_AGREED_DRAW);
    game.game->mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
  });
  ExpectBroken(Promise::kEnds, "nothing caused it", [](GameEvidence& game) {
    game.game->mutable_result()->set_ending(common_pb::ENDING_CHECKMATE);
  });
  ExpectBroken(Promise::kEnds, "the journal says",
               [](GameEvidence& game) { game.game->mutable_result()->set_plies(7); });
  ExpectBroken(Promise::kEnds, "a player was told", [](GameEvidence& game) {
    game.calls.back().answers[0].result->set_outcome(common_pb::OUTCOME_DRAW);
  });
  ExpectBroken(Promise::kEnds, "without a result",
               [](GameEvidence& game) { game.calls.back().answers[0].result.reset(); });
}

TEST(AuditTest, ACreationThatMadeTwoGamesIsFound) {
  ExpectBroken(Promise::kEnds, "made game2",
               [](GameEvidence& game) { game.created_as[1] = "game2"; });
}

TEST(AuditTest, AResultThatTheRulesContradictIsFound) {
  // One move before the mate the game is open, behind it only the mate is right.
  const Result<rules::Position> mated =
      notation::ParsePosition(rules::Variant::kMinishogi, "4k/4G/4P/5/K4 w - 1");
  ASSERT_TRUE(mated);
  game_pb::Game game;
  game.mutable_setup()->set_variant(common_pb::VARIANT_MINISHOGI);
  game.mutable_setup()->set_position("4k/5/4P/5/K4 b G 1");
  game_pb::PlayedMove& mate = *game.add_moves();
  mate.set_ply(1);
  mate.set_move("G*1b");
  const audit::Replay replay = audit::ReplayOf(game);
  EXPECT_EQ(replay.problem, "");
  EXPECT_EQ(audit::TextOf(replay.verdict), "FIRST_WINS/CHECKMATE after 1 plies");

  MadeUp made("game1", 0);
  made.FirstResigns();
  *made.evidence.game->mutable_setup() = game.setup();
  *made.evidence.game->mutable_moves() = game.moves();
  const Findings findings = AuditOf(made.evidence, RunOf());
  EXPECT_NE(TextOf(findings).find("by the rules FIRST_WINS/CHECKMATE"), std::string::npos)
      << TextOf(findings);
}

TEST(AuditTest, AFlagCountsItsMargin) {
  const Findings at = AuditOf(Flagged(Millis(0)).evidence, RunOf());
  EXPECT_EQ(TextOf(at), "");
  EXPECT_EQ(at.flags, 1);
  EXPECT_EQ(at.least_flag_margin, Millis(0));
  const Findings late = AuditOf(Flagged(Millis(250)).evidence, RunOf());
  EXPECT_EQ(TextOf(late), "");
  EXPECT_EQ(late.greatest_flag_margin, Millis(250));
}

TEST(AuditTest, AFlagBeforeItsDeadlineIsFound) {
  const Findings early = AuditOf(Flagged(Millis(-1)).evidence, RunOf());
  EXPECT_EQ(early.ViolationsOf(Promise::kFlags), 2) << TextOf(early);  // the game and the watcher
  // Before the first move the deadline follows from the time control alone.
  MadeUp unmoved("game1", 0);
  unmoved.evidence.game->set_side_to_move(common_pb::SIDE_FIRST);
  unmoved.EndsBy(common_pb::ENDING_TIME_OUT, common_pb::OUTCOME_SECOND_WINS,
                 kCreatedMs + kMainMs - 1);
  const Findings findings = AuditOf(unmoved.evidence, RunOf());
  EXPECT_GT(findings.ViolationsOf(Promise::kFlags), 0) << TextOf(findings);
}

TEST(AuditTest, AFlagForTheWrongSideIsFound) {
  MadeUp game("game1", 8);
  game.EndsBy(common_pb::ENDING_TIME_OUT, common_pb::OUTCOME_FIRST_WINS,
              ToUnixMillis(game.deadline()));
  const Findings findings = AuditOf(game.evidence, RunOf());
  EXPECT_GT(findings.ViolationsOf(Promise::kEnds), 0) << TextOf(findings);
}

TEST(AuditTest, AGameMayBeAbortedOnlyWhenItsFirstMoveIsOverdue) {
  const auto aborted_after = [](std::int64_t ms) {
    MadeUp game("game1", 1);
    game.evidence.game->mutable_options()->set_first_move_ms(30'000);
    game.EndsBy(common_pb::ENDING_ABORTED, common_pb::OUTCOME_NO_RESULT, game.now() + ms);
    RunEvidence run = RunOf();
    run.rating_rows.clear();
    run.standings.clear();
    return AuditOf(game.evidence, run);
  };
  EXPECT_EQ(TextOf(aborted_after(30'000)), "");
  EXPECT_EQ(TextOf(aborted_after(kMainMs)), "");
  EXPECT_NE(TextOf(aborted_after(29'999)).find("nothing caused it"), std::string::npos);
}

TEST(AuditTest, ACallThatIsNotAnsweredOrRefusedWithoutReasonIsFound) {
  ExpectBroken(Promise::kAnswers, "was never answered",
               [](GameEvidence& game) { game.calls[3].answers.clear(); });
  ExpectBroken(Promise::kAnswers, "was refused: STALE_PLY", [](GameEvidence& game) {
    game.calls[3].answers.clear();
    game.calls[3].refusals = {"STALE_PLY"};
  });
  ExpectBroken(Promise::kAnswers, "was refused: TIME_IS_UP", [](GameEvidence& game) {
    game.calls[3].answers.clear();  // and yet the game went on
    game.calls[3].refusals = {"TIME_IS_UP"};
    game.calls[3].attempts = 1;
  });
  ExpectBroken(Promise::kAnswers, "was refused: TIME_IS_UP", [](GameEvidence& game) {
    game.calls[3].answers.clear();  // and went on with something else
    game.calls[3].refusals = {"TIME_IS_UP"};
    game.calls[3].attempts = 2;
    game.calls[3].move = "9g9f";
  });
  ExpectBroken(Promise::kAnswers, "was refused: GAME_OVER",  // after it had been acknowledged
               [](GameEvidence& game) { game.calls[3].refusals = {"GAME_OVER"}; });
  ExpectBroken(Promise::kAnswers, "was answered differently",
               [](GameEvidence& game) { ++game.calls[3].answers[1].sequence; });
}

}  // namespace
}  // namespace komadai::chaos
