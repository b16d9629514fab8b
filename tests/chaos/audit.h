// Auditor: compares what was acknowledged with what is there. Pure: evidence in, findings out.
//
// It trusts no server: the moves of each game are replayed under libs/rules, and what each server
// tells (the game, its journal, the archive, the ratings) is compared with what players and
// watchers wrote down when they heard it.
#pragma once

#include <set>
#include <string>

#include "tests/chaos/evidence.h"
#include "tests/chaos/findings.h"

namespace komadai::chaos {

class Auditor {
 public:
  // One finished game at a time.
  void Add(const GameEvidence& evidence);
  // What concerns the run as a whole; after all games.
  void Finish(const RunEvidence& evidence);

  const Findings& findings() const { return findings_; }

 private:
  // What a game should have left in the rating history.
  struct RatedGame {
    std::string player_ids[2];
    std::int64_t scores[2];
  };

  Findings findings_;
  std::set<std::string> game_ids_;
  std::set<std::string> expected_in_archive_;
  std::map<std::string, RatedGame> expected_ratings_;
};

// The parts of an audit, each in a file of its own.
namespace audit {

// Journal, snapshot and acknowledged moves.
void CheckMoves(const GameEvidence& evidence, Findings& findings);
// The one end of the game, and that it is what the players' calls, the rules or the clock made it.
void CheckEnd(const GameEvidence& evidence, Findings& findings);
void CheckFlag(const GameEvidence& evidence, Findings& findings);
void CheckAnswers(const GameEvidence& evidence, Findings& findings);
void CheckArchive(const GameEvidence& evidence, Findings& findings);
void CheckWatchers(const GameEvidence& evidence, Findings& findings);
// The history of each player and variant, by itself.
void CheckRatingFold(const RunEvidence& evidence, Findings& findings);

bool BelongsInArchive(const game_pb::Game& game);
bool ChangesRatings(const game_pb::Game& game);

// What the rules make of the game's moves: the position after each ply and the verdict at the end.
struct Replay {
  std::vector<std::string> positions;  // [0] is the start
  common_pb::GameResult verdict;       // ENDING_UNSPECIFIED: the rules leave the game open
  std::string problem;                 // why it could not be replayed to its end; empty: it could
};
Replay ReplayOf(const game_pb::Game& game);

// "FIRST_WINS/CHECKMATE after 57 plies"
std::string TextOf(const common_pb::GameResult& result);
bool Same(const common_pb::GameResult& a, const common_pb::GameResult& b);
common_pb::Outcome WinFor(Side side);
// The side that moves first.
Side FirstToMove(const game_pb::Game& game);
Side MoverAt(const game_pb::Game& game, int ply);
bool IsComputer(const game_pb::Game& game, Side side);

}  // namespace audit
}  // namespace komadai::chaos
