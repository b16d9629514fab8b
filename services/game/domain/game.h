// Game: a live game as a value, and the events it is the fold of.
//
// A game is its record: everything here follows from the journal of its events. Nothing mutates a
// Game but Apply(); decisions (decide.h) return events, the shell commits them and then applies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/time.h"
#include "libs/rules/ruleset.h"
#include "libs/timecontrol/clock.h"
#include "libs/timecontrol/time_control.h"
#include "services/game/domain/offers.h"
#include "services/game/domain/result.h"
#include "services/game/domain/shared_log.h"

namespace komadai::game {

// Same numbers as komadai.common.v1.PlayerKind.
enum class PlayerKind : std::uint8_t {
  kUnspecified = 0,
  kGuest = 1,
  kPerson = 2,
  kBot = 3,
  kComputer = 4
};

struct Player {
  std::string id;  // empty for the computer
  std::string name;
  PlayerKind kind = PlayerKind::kUnspecified;
  int level = 0;   // of the computer: a number of komadai.common.v1.ComputerLevel
  int rating = 0;  // whole points at creation; 0: unrated

  friend bool operator==(const Player&, const Player&) = default;
};

// What is played, with every default spelled out.
struct Setup {
  Variant variant = Variant::kShogi;
  rules::Ruleset ruleset;
  std::string ruleset_base;    // id of the named ruleset that `ruleset` deviates from
  std::string handicap;        // id; empty: none
  std::string start_position;  // SFEN or FEN in normal form
  Side moves_first = Side::kFirst;
};

// What may happen beside the moves, fixed at creation.
struct Options {
  // For each side's first move; who lets it pass aborts the game. 0: no limit, the clock decides.
  Millis first_move{0};
  // How long a player is gone on their own turn before the opponent may claim the game. 0: never.
  Millis claim_after{0};

  friend bool operator==(const Options&, const Options&) = default;
};

struct PlayedMove {
  std::string move;  // USI or UCCI, normal form
  Millis used{0};
  TimePoint at;                  // when the server received it
  std::size_t history_size = 0;  // of Game::history after it: what a takeback cuts back to
  std::int64_t sequence = 0;     // of its event
};

// The board after a ply, as the rules port answered it.
struct BoardState {
  std::string position;
  Side to_move = Side::kFirst;
  bool check = false;
  int occurrences = 1;
};

struct Started {
  Setup setup;
  std::array<Player, 2> players;  // by Index(Side)
  bool rated = false;
  std::optional<timecontrol::TimeControl> time_control;
  bool allow_takeback = false;  // by agreement
  Options options = {};
  std::string replay_of = {};  // id of the drawn game that this one replays; empty: none
};
struct MovePlayed {
  std::string move;
  Millis used{0};
  BoardState board;
  std::string history_entry;  // the rules' memory, appended ply by ply
  std::optional<timecontrol::Reading> clock;
};
struct DrawOffered {
  Side by;
};
struct DrawDeclined {
  Side by;
};
struct TakebackRequested {
  Side by;
};
struct TakebackDeclined {
  Side by;
};
struct TakenBack {
  int ply = 0;  // plies played now
  BoardState board;
  std::optional<timecontrol::Reading> clock;
};
struct TimeAdded {
  Side side;
  Millis add{0};
  std::string request_id;
  std::optional<timecontrol::Reading> clock;
};
struct PauseOffered {
  Side by;
  Millis length{0};  // at most
};
struct PauseDeclined {
  Side by;
};
struct Paused {
  TimePoint until;  // when the game goes on by itself
  std::optional<timecontrol::Reading> clock;
};
struct ResumeWanted {
  Side by;
};
struct Resumed {
  std::optional<timecontrol::Reading> clock;
};
struct ImpasseProposed {
  Side by;
};
// The turn of the side to move begins anew, at the reading's instant.
struct TurnRestarted {
  timecontrol::Reading clock;
};
struct Ended {
  GameResult result;
  std::optional<timecontrol::Reading> clock;
  std::string replayed_by = {};         // id of the game that replays this drawn one; empty: none
  std::optional<Side> aborted_by = {};  // whoever aborted it or did not begin in time
  std::string illegal_move = {};        // the move that lost the game, as it was sent
};

using EventBody =
    std::variant<Started, MovePlayed, DrawOffered, DrawDeclined, TakebackRequested,
                 TakebackDeclined, TakenBack, TimeAdded, PauseOffered, PauseDeclined, Paused,
                 ResumeWanted, Resumed, ImpasseProposed, TurnRestarted, Ended>;

struct Event {
  TimePoint at;
  EventBody body;
};

struct Pause {
  TimePoint since;
  TimePoint until;
  std::optional<Side> resume_wanted_by;

  friend bool operator==(const Pause&, const Pause&) = default;
};

// The last time moves were taken back.
struct Takeback {
  int from = 0;  // plies played before and after
  int to = 0;
  Side by = Side::kFirst;  // who had asked
  TimePoint at;
};

struct TimeGift {
  std::string request_id;
  Side to = Side::kFirst;
  Millis add{0};
  std::int64_t sequence = 0;  // of its event
  bool undone = false;        // by a takeback of the move before it
};

// What the clock has to be told of the game beside the moves, in the order of the events. It is
// told after the event was committed, so that the two never disagree for long.
struct ClockOrder {
  enum class Kind : std::uint8_t { kRewind, kRestart, kPause, kResume };
  std::int64_t sequence = 0;  // of the event
  Kind kind = Kind::kRewind;
  int ply = 0;  // that is open
  Side to_move = Side::kFirst;
  TimePoint at;
};

struct Game {
  std::string id;
  std::int64_t sequence = 0;  // of the last event applied; 0: no event yet
  Setup setup;
  std::array<Player, 2> players;
  bool rated = false;
  std::optional<timecontrol::TimeControl> time_control;
  bool allow_takeback = false;
  Options options;
  std::string replay_of;
  std::string replayed_by;
  TimePoint created_at{};
  TimePoint ended_at{};
  TimePoint turn_began{};  // when the side to move could begin, or go on, to think

  SharedLog<PlayedMove> moves;
  BoardState board;
  std::string history;
  // As of the last event that touched it; the clock service knows the present.
  std::optional<timecontrol::Reading> clock;

  Offers draws;
  Offers takebacks;  // between players: a computer grants them at once
  std::optional<Takeback> last_takeback;
  int takebacks_done = 0;
  Offers pauses;
  Millis pause_offered{0};  // how long the open offer would be
  std::optional<Pause> pause;
  std::optional<Side> impasse_proposed_by;
  std::vector<TimeGift> time_gifts;
  std::vector<ClockOrder> clock_orders;
  std::optional<GameResult> result;
  std::optional<Side> aborted_by;
  std::string illegal_move;  // empty: not lost by one

  int ply() const { return static_cast<int>(moves.size()); }
  bool over() const { return result.has_value(); }
  bool paused() const { return pause.has_value() && !over(); }
  const Player& player(Side side) const {
    return players[static_cast<std::size_t>(rules::Index(side))];
  }
  bool IsComputer(Side side) const { return player(side).kind == PlayerKind::kComputer; }
  // Who made the move of a ply (0 = the first move).
  Side MoverOf(int ply) const {
    return ply % 2 == 0 ? setup.moves_first : rules::Opponent(setup.moves_first);
  }
};

// Applies the next event: the fold's step. The only way a Game changes.
void Apply(Game& game, const Event& event);

}  // namespace komadai::game
