// SeekDesk: seeks from creation to game.
//
// Two waiting seeks are paired by one commit that changes both (or neither), so nobody is matched
// twice; a cancellation is a commit on the same document, so exactly one of the two happens. A
// pair's game is created under the pair's match id, again and again until the game service has
// answered: whichever replica asks, it is the same game.
#pragma once

#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/rpc/call.h"
#include "services/matchmaking/app/terms.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/match_store.h"

namespace komadai::matchmaking {

struct NewSeek {
  std::string seek_id;  // derived from player and request: a repeat finds the same seek
  common_pb::Player player;
  pb::GameTerms terms;
  std::vector<common_pb::TimeControl> other_controls;
  pb::SideWish wish = pb::SIDE_WISH_UNSPECIFIED;
  int rating_range = 0;
};

class SeekDesk {
 public:
  // How long a seek nobody watches stays.
  static constexpr Millis kGrace{30000};

  SeekDesk(MatchStore& store, GamePort& games, RatingPort& ratings, Random& random,
           const TimeSource& time)
      : store_(store), games_(games), ratings_(ratings), random_(random), time_(time) {}

  // Puts the seek into the queue and tries to pair it at once. ALREADY_SEEKING, REQUEST_ID_REUSED.
  Task<Result<pb::Seek>> Create(rpc::Call call, NewSeek wish);
  // The seek as it stands, its game created if it is paired. SEEK_NOT_FOUND, NOT_YOURS.
  Task<Result<pb::Seek>> Cancel(rpc::Call call, std::string seek_id, std::string player_id);
  Task<Result<SeekEntry>> Find(std::string seek_id, std::string player_id);
  Task<Status> Touch(std::string seek_id);

  // Creates games of pairs that were left waiting for one, expires unwatched seeks, pairs again.
  Task<void> Sweep();

 private:
  Task<Result<bool>> Enter(SeekEntry entry);
  Task<Result<SeekEntry>> TryPair(rpc::Call call, std::string seek_id);
  Task<Result<bool>> Pair(SeekEntry first_named, SeekEntry other);
  // Creates the game of a paired seek and closes both seeks.
  Task<Result<SeekEntry>> FinishPair(rpc::Call call, SeekEntry entry);
  Task<Result<bool>> Close(std::string seek_id, std::string match_id, std::string game_id);
  // Cancels both seeks of a pair whose game was refused.
  Task<void> Dissolve(SeekEntry entry);
  Task<void> Expire(std::string seek_id);

  MatchStore& store_;
  GamePort& games_;
  RatingPort& ratings_;
  Random& random_;
  const TimeSource& time_;
};

}  // namespace komadai::matchmaking
