// Evidence: what the players, the watchers and the stores say about a run, for the audit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "komadai/common/v1/game_record.pb.h"
#include "komadai/game/v1/game.pb.h"
#include "libs/base/side.h"
#include "libs/base/time.h"

namespace komadai::chaos {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;

// An acknowledgement: what the server answered to a player's call.
struct Answer {
  int ply = 0;  // the rest of these only of moves
  std::string move = {};
  std::string position = {};
  std::int64_t sequence = 0;
  std::optional<common_pb::GameResult> result = {};
};

// One intention of a player with all its repeats: the call is sent until it has an answer.
struct PlayerCall {
  enum class Kind : std::uint8_t { kMove, kResign, kOfferDraw, kAnswerDraw };
  Kind kind = Kind::kMove;
  Side by = Side::kFirst;
  int ply = 0;                             // plies played when it was sent
  std::string move = {};                   // of a move
  bool accepts = false;                    // of an answer to a draw offer
  std::vector<Answer> answers = {};        // every acknowledgement
  std::vector<std::string> refusals = {};  // reasons of final refusals
  int attempts = 0;

  bool acknowledged() const { return !answers.empty(); }
};

// One message of a watcher's stream, events as a digest: thousands of games are kept.
struct Seen {
  bool snapshot = false;
  std::int64_t sequence = 0;
  std::uint64_t digest = 0;  // of an event
  bool end = false;          // the game was over in it
  TimePoint at = {};         // when it arrived
};

struct WatchList {
  std::vector<Seen> seen = {};
  int connections = 0;
  bool finished = false;  // the server ended the stream after the last event
};

std::uint64_t DigestOf(const game_pb::GameEvent& event);

struct GameEvidence {
  std::string game_id = {};
  // The ids that repeated creations of this game answered.
  std::vector<std::string> created_as = {};
  std::vector<PlayerCall> calls = {};
  std::vector<WatchList> watchers = {};
  std::optional<game_pb::Game> game = {};            // GetGame, at the end
  std::vector<game_pb::GameEvent> journal = {};      // all events but the first (GameStarted)
  std::vector<common_pb::GameRecord> archive = {};   // the archive's rows of this game
  std::optional<common_pb::GameRecord> served = {};  // by KifuService
};

// A row of a player's rating history.
struct RatingRow {
  std::string player_id = {};
  std::string variant = {};
  std::int64_t number = 0;
  std::string game_id = {};
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t score = 0;  // millionths: win 1000000, draw 500000
};

// A player's rating in a variant as it stands.
struct RatingStanding {
  std::int64_t rating = 0;
  std::int64_t games = 0;
};

struct RunEvidence {
  std::vector<RatingRow> rating_rows = {};  // of each player and variant by number
  std::map<std::pair<std::string, std::string>, RatingStanding> standings = {};  // player, variant
  std::vector<std::string> archived_ids = {};       // game ids of all rows of the archive
  std::vector<std::string> live_ids = {};           // games that the server still lists as live
  std::map<std::string, std::int64_t> errors = {};  // every failed attempt, by reason
  std::vector<std::string> lost_processes = {};     // servers that ended without being killed
};

}  // namespace komadai::chaos
