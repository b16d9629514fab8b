// GameTruth: one game as its commits tell it, every event checked against the law, the clock and
// what the players asked for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "komadai/internal/v1/live_game.pb.h"
#include "libs/rules/game_state.h"
#include "services/game/domain/game.h"
#include "tests/simulation/clock_truth.h"

namespace komadai::simulation {

// What a player may ask for beside moves.
enum class Act {
  kResign,
  kAbort,
  kOfferDraw,
  kAcceptDraw,
  kDeclineDraw,
  kAskTakeback,
  kGrantTakeback,
  kDeclineTakeback,
};

// A move request that reached a replica of the game service.
struct Receipt {
  std::string player;
  int ply = 0;
  std::string move;
  TimePoint at;
  std::size_t moment = 0;             // index of the moment it found
  std::shared_ptr<const bool> pulse;  // of the replica
  bool answered = false;
};

struct PlayedMove {
  std::string text;
  Side mover = Side::kFirst;
  Millis used{0};
};

// The game between two commits.
struct Moment {
  int ply = 0;
  Side to_move = Side::kFirst;
  bool over = false;
  std::int64_t sequence = 0;
  std::string position;
};

// What the statistics are about.
struct FlagSeen {
  TimePoint falls_from;  // as ClockTruth::FallsFrom()
  // Moves that a replica had received in time and was still working on.
  int overtaken = 0;
};

class GameTruth {
 public:
  using StoredEvent = ::komadai::internal::v1::StoredEvent;

  explicit GameTruth(std::string game_id) : id(std::move(game_id)) {}

  // A commit appended these events at `now`.
  Complaint Append(const std::vector<StoredEvent>& events, TimePoint now);
  // What must hold when everything is done.
  Complaint AtTheEnd() const;

  bool over() const { return result.has_value(); }
  int ply() const { return static_cast<int>(moves.size()); }
  std::int64_t sequence() const { return static_cast<std::int64_t>(journal.size()); }
  std::optional<Side> SideOf(const std::string& player) const;
  const std::string& PlayerOf(Side side) const { return players[static_cast<std::size_t>(side)]; }
  // In the position as it is.
  bool IsLegal(const std::string& move) const;
  // Whether, ever since `moment`, `side` could have played at `ply`.
  bool OpenEverSince(std::size_t moment, int ply, Side side) const;

  const std::string id;
  std::array<std::string, 2> players;  // ids; empty: the computer
  bool clocked = false;
  bool rated = false;
  std::vector<StoredEvent> journal;
  std::vector<PlayedMove> moves;
  std::vector<Moment> moments = {Moment()};
  std::optional<common::v1::GameResult> result;
  bool ended_by_rules = false;  // with its last move
  bool archived = false;        // says its document
  ClockTruth clock;
  std::optional<FlagSeen> flag;
  int takebacks = 0;
  int restarts = 0;
  int late_repeats = 0;  // moves that a repeat from before a takeback made again

  // What was asked for, and how often.
  std::map<std::tuple<Side, int, std::string>, int> move_requests;
  std::map<std::pair<Side, Act>, int> requests;
  std::set<std::string> gift_requests;
  std::vector<Receipt> receipts;

  // What arrived outside, and how often.
  std::map<std::string, int> records;  // of the archive, by content
  std::map<std::string, int> ratings;

 private:
  Complaint On(const game::v1::GameStarted& event);
  Complaint On(const game::v1::MovePlayed& event);
  Complaint On(const game::v1::TakenBack& event);
  Complaint On(const StoredEvent& stored, const game::v1::TimeAdded& event);
  Complaint On(const game::v1::TurnRestarted& event, bool with_move, TimePoint now);
  Complaint On(const game::v1::GameEnded& event, bool with_move, TimePoint now);
  Complaint Step(const StoredEvent& stored, bool with_move, TimePoint now);
  Complaint CheckMoveClock(const game::v1::MovePlayed& event, int ply, Side mover) const;
  Complaint CheckTimeOut(Side loser, TimePoint now);
  Complaint CheckNotBegun(TimePoint now);
  bool Asked(Side side, Act act) const { return requests.contains({side, act}); }

  std::optional<rules::GameState> state_;
  Millis first_move_{0};  // how long each side has for it; 0: as long as it likes
  TimePoint turn_opened_;
  std::optional<TimePoint> told_deadline_;  // of the last reading that players were told
  std::map<std::tuple<Side, int, std::string>, int> played_;
  std::set<std::string> gifts_;
  std::optional<Side> draw_offered_by_;
  std::array<int, 2> draw_offers_{0, 0};
  std::optional<Side> takeback_asked_by_;
  std::size_t last_takeback_ = 0;  // the moment since which the plies are what they are
};

}  // namespace komadai::simulation
