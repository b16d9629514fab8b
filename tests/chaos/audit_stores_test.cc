// As audit_test.cc: archive, ratings, watchers and the run as a whole; and what is printed of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/chaos/audit.h"
#include "tests/chaos/made_up.h"
#include "tests/chaos/report.h"

namespace komadai::chaos {
namespace {

TEST(AuditTest, AnArchiveThatHasTheGameTwiceNotOrOtherwiseIsFound) {
  ExpectBroken(Promise::kArchive, "archived 0 times",
               [](GameEvidence& game) { game.archive.clear(); });
  ExpectBroken(Promise::kArchive, "archived 2 times",
               [](GameEvidence& game) { game.archive.push_back(game.archive[0]); });
  ExpectBroken(Promise::kArchive, "another move 3",
               [](GameEvidence& game) { game.archive[0].mutable_moves(2)->set_used_ms(1); });
  ExpectBroken(Promise::kArchive, "7 moves instead of 8",
               [](GameEvidence& game) { game.archive[0].mutable_moves()->RemoveLast(); });
  ExpectBroken(Promise::kArchive, "another result", [](GameEvidence& game) {
    game.archive[0].mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
  });
  ExpectBroken(Promise::kArchive, "other players",
               [](GameEvidence& game) { game.archive[0].mutable_first()->set_player_id("eve"); });
  ExpectBroken(Promise::kArchive, "not served", [](GameEvidence& game) { game.served.reset(); });
  ExpectBroken(Promise::kArchive, "served with",
               [](GameEvidence& game) { game.served->set_ended_at_ms(1); });
  ExpectRunBroken(Promise::kArchive, "should not be",
                  [](RunEvidence& run) { run.archived_ids.emplace_back("game9"); });
}

TEST(AuditTest, ARatingThatChangesTwiceNotOrWronglyIsFound) {
  ExpectRunBroken(Promise::kRatings, "rated 0 times for bob", [](RunEvidence& run) {
    run.rating_rows.pop_back();
    run.standings.erase({"bob", "minishogi"});
  });
  ExpectRunBroken(Promise::kRatings, "rated 2 times for bob", [](RunEvidence& run) {
    run.rating_rows.push_back({"bob", "minishogi", 2, "game1", 1216000, 1230000, 1000000});
    run.standings[{"bob", "minishogi"}] = {1230000, 2};
  });
  ExpectRunBroken(Promise::kRatings, "another score",
                  [](RunEvidence& run) { run.rating_rows[0].score = 500000; });
  ExpectRunBroken(Promise::kRatings, "should not be", [](RunEvidence& run) {
    run.rating_rows.push_back({"bob", "minishogi", 2, "game9", 1216000, 1230000, 1000000});
    run.standings[{"bob", "minishogi"}] = {1230000, 2};
  });
}

TEST(AuditTest, AGameInWhichNotBothHaveMovedChangesNoRating) {
  MadeUp game("game1", 1);
  game.FirstResigns();
  RunEvidence run = RunOf();
  EXPECT_GT(AuditOf(game.evidence, run).ViolationsOf(Promise::kRatings), 0);
  run.rating_rows.clear();
  run.standings.clear();
  EXPECT_EQ(TextOf(AuditOf(game.evidence, run)), "");
}

TEST(AuditTest, ARatingThatIsNotTheFoldOfItsHistoryIsFound) {
  ExpectRunBroken(Promise::kRatings, "not what its history makes it", [](RunEvidence& run) {
    run.standings[{"ann", "minishogi"}].rating = 1;
  });
  ExpectRunBroken(Promise::kRatings, "not what its history makes it", [](RunEvidence& run) {
    run.standings[{"ann", "minishogi"}].games = 2;
  });
  ExpectRunBroken(Promise::kRatings, "does not follow",
                  [](RunEvidence& run) { run.rating_rows[0].before = 1300000; });
  ExpectRunBroken(Promise::kRatings, "does not follow",
                  [](RunEvidence& run) { run.rating_rows[0].number = 2; });
  ExpectRunBroken(Promise::kRatings, "and no rating", [](RunEvidence& run) {
    run.standings.erase({"ann", "minishogi"});
  });
}

TEST(AuditTest, AWatchersGapRepeatOrInventionIsFound) {
  ExpectBroken(Promise::kWatching, "a gap", [](GameEvidence& game) {
    game.watchers[0].seen.erase(game.watchers[0].seen.begin() + 4);
  });
  ExpectBroken(Promise::kWatching, "a repeat", [](GameEvidence& game) {
    game.watchers[0].seen.insert(game.watchers[0].seen.begin() + 4, game.watchers[0].seen[3]);
  });
  ExpectBroken(Promise::kWatching, "is not what was seen",
               [](GameEvidence& game) { ++game.watchers[0].seen[4].digest; });
  ExpectBroken(Promise::kWatching, "was given a snapshot",
               [](GameEvidence& game) { game.watchers[0].seen[4].snapshot = true; });
  ExpectBroken(Promise::kWatching, "without a snapshot", [](GameEvidence& game) {
    game.watchers[0].seen.erase(game.watchers[0].seen.begin());
  });
  ExpectBroken(Promise::kWatching, "which is not in the journal",
               [](GameEvidence& game) { game.watchers[0].seen.push_back({.sequence = 11}); });
  ExpectBroken(Promise::kWatching, "never came to the end",
               [](GameEvidence& game) { game.watchers[0].seen.pop_back(); });
  ExpectBroken(Promise::kWatching, "never came to the end",
               [](GameEvidence& game) { game.watchers[0].finished = false; });
}

TEST(AuditTest, WhatConcernsTheWholeRunIsFound) {
  ExpectRunBroken(Promise::kEnds, "nobody plays",
                  [](RunEvidence& run) { run.live_ids = {"game9"}; });
  ExpectRunBroken(Promise::kEnds, "still in the list",
                  [](RunEvidence& run) { run.live_ids = {"game1"}; });
  ExpectRunBroken(Promise::kAnswers, "answered with INTERNAL",
                  [](RunEvidence& run) { run.errors["INTERNAL"] = 1; });
  ExpectRunBroken(Promise::kAnswers, "answered with CORRUPT_GAME",
                  [](RunEvidence& run) { run.errors["CORRUPT_GAME"] = 1; });
  ExpectRunBroken(Promise::kProcesses, "ended by itself",
                  [](RunEvidence& run) { run.lost_processes = {"game ended by itself"}; });
}

TEST(ReportTest, TheExitStatusFollowsFromTheFindings) {
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  const auto last_line = [out] {
    std::rewind(out);
    char line[1024];
    std::string last;
    while (std::fgets(line, sizeof line, out) != nullptr) last = line;
    std::rewind(out);
    EXPECT_EQ(ftruncate(fileno(out), 0), 0);
    return last;
  };
  EXPECT_EQ(PrintReport(AuditOf(Resigned().evidence, RunOf()), {}, {}, out), 0);
  EXPECT_EQ(last_line(), "chaos: ok games=1 moves=8\n");
  RunEvidence run = RunOf();
  run.live_ids = {"game9"};
  EXPECT_EQ(PrintReport(AuditOf(Resigned().evidence, run), {}, {}, out), 1);
  EXPECT_EQ(last_line(), "chaos: 1 violations\n");
  std::fclose(out);
}

}  // namespace
}  // namespace komadai::chaos
