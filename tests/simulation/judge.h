// Judge: watches a simulated world and says at once when a promise is broken.
//
// It knows what was committed (from the database), what was asked for (from the players), and what
// was answered (from the replicas). An answer counts from the instant a living replica gave it,
// whether or not it arrived.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/livestore/live_store.h"
#include "services/game/app/creation.h"
#include "services/game/app/move_maker.h"
#include "services/game/app/takebacks.h"
#include "tests/simulation/game_truth.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

struct Tally {
  std::int64_t moves = 0;         // committed
  std::int64_t acknowledged = 0;  // answers to moves, repeats included
  std::int64_t games = 0;         // ended
  std::int64_t flags = 0;
  std::int64_t overtaken = 0;  // received in time, and the flag came first
  std::int64_t repairs = 0;    // clocks set back whose press had no move
  std::int64_t restarts = 0;   // turns that began anew, for that or for a move that was held up
  std::int64_t takebacks = 0;
  std::int64_t archived = 0;  // deliveries, repeats included
  std::int64_t rated = 0;
  std::int64_t seen = 0;             // events by watchers
  std::int64_t late_repeats = 0;     // moves made again by a repeat from before a takeback
  std::int64_t contention = 0;       // answers
  std::int64_t repeats_refused = 0;  // of what had been done, other than moves
  Millis latest_flag{0};             // after its deadline
  Millis latest_flag_in_calm{0};     // in schedules without any fault
  std::map<std::string, std::int64_t> endings;

  void Add(const Tally& other);
};

class Judge {
 public:
  explicit Judge(Environment& environment) : environment_(environment) {}

  // ---- the players ----
  void Knows(const std::string& game_id);
  void Asks(const std::string& game_id, Side side, int ply, const std::string& move);
  void Asks(const std::string& game_id, Side side, Act act);
  void AsksGift(const std::string& game_id, const std::string& request_id);
  // An event or, from nullptr, a snapshot reached a watcher whose last one was `after`.
  void Saw(const std::string& game_id, std::int64_t after, const game::pb::GameEvent& event);
  void SawSnapshot(const std::string& game_id, std::int64_t after, const game::pb::Game& snapshot);

  // ---- the replicas ----
  std::int64_t SequenceOf(const std::string& game_id) const;
  // Returns a number for AnsweredMove.
  std::size_t Received(const game::MoveCommand& command, TimePoint at, const Process& replica);
  void AnsweredMove(const std::string& game_id, std::size_t receipt,
                    const Result<game::MoveOutcome>& answer);
  // `known`: the sequence when the call came.
  void AnsweredRead(const std::string& game_id, std::int64_t known,
                    const Result<game::StoredGame>& answer);
  void AnsweredAction(const std::string& game_id, const std::string& player, Act act,
                      const Result<game::StoredGame>& answer);
  void AnsweredTakeback(const std::string& game_id, const std::string& player, Act act,
                        const Result<game::TakebackOutcome>& answer);
  void AnsweredGift(const std::string& game_id, const std::string& request_id,
                    const Result<timecontrol::Reading>& answer);

  // ---- the world ----
  void Committed(const livestore::Transaction& transaction);
  void Archived(const game::Game& game);
  void Rated(const game::Game& game);
  // What is left to be done for a game; empty: nothing.
  std::string Unfinished(const std::string& game_id) const;
  void CheckEnds();
  // Nothing is judged from now on.
  void Rest() { resting_ = true; }

  const std::map<std::string, std::unique_ptr<GameTruth>>& games() const { return games_; }
  const Complaint& complaint() const { return complaint_; }
  const Tally& tally() const { return tally_; }
  void Complain(const std::string& game_id, const std::string& what);

 private:
  GameTruth& Find(const std::string& game_id) const { return *games_.at(game_id); }
  void CommittedGame(const livestore::Change& change);
  void CommittedClock(const livestore::Change& change);
  void CheckFlagTime(const GameTruth& truth);
  void CheckRepairTime(const GameTruth& truth, const clock::LiveClock& next);
  void CheckAcknowledged(GameTruth& truth, const Receipt& receipt,
                         const game::MoveOutcome& outcome);
  void CheckRefused(const GameTruth& truth, const Receipt& receipt, const Error& error);
  // Errors that anybody may get at any time in bad weather; others are complained about.
  bool CheckError(const GameTruth& truth, const Error& error);

  Environment& environment_;
  bool resting_ = false;
  Complaint complaint_;
  Tally tally_;
  std::map<std::string, std::unique_ptr<GameTruth>> games_;
};

}  // namespace komadai::simulation
