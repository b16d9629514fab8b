// SeekDesk: what players do with their seeks. The Matchmaker pairs them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "libs/rpc/call.h"
#include "services/matchmaking/app/pair_finisher.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/metrics.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

struct NewSeek {
  std::string seek_id;  // derived from player and request: a repeat finds the same seek
  common_pb::Player player;
  pb::GameTerms terms;
  std::vector<common_pb::TimeControl> other_controls = {};
  pb::SideWish wish = pb::SIDE_WISH_UNSPECIFIED;
  int rating_range = 0;
  int first_rating_range = 0;
  int exclude_last_opponents = 0;
  bool confirm = false;
  std::optional<pb::ComputerFallback> computer_fallback = {};
};

class SeekDesk {
 public:
  // How long a seek lives that nobody watches.
  static constexpr Millis kGrace{30000};

  SeekDesk(SeekStore& store, PairFinisher& finisher, GamePort& games, RatingPort& ratings,
           const TimeSource& time, MatchMetrics& metrics)
      : store_(store),
        finisher_(finisher),
        games_(games),
        ratings_(ratings),
        time_(time),
        metrics_(metrics) {}

  // Puts the seek into the queue. ALREADY_SEEKING, REQUEST_ID_REUSED, COOLING_DOWN.
  Task<Result<pb::Seek>> Create(rpc::Call call, NewSeek wish);
  // Leaves the queue, or declines what is offered; the seek as it stands: cancelled, or matched if
  // that came first. SEEK_NOT_FOUND, NOT_YOURS.
  Task<Result<pb::Seek>> Cancel(rpc::Call call, std::string seek_id, std::string player_id);
  // Accepts or declines what is offered. SEEK_NOT_FOUND, NOT_YOURS, NO_OFFER.
  Task<Result<pb::Seek>> Answer(std::string seek_id, std::string player_id, std::string match_id,
                                bool accept);
  Task<Result<SeekEntry>> Find(std::string seek_id, std::string player_id);
  // Somebody watches them.
  Task<Status> Touch(std::vector<std::string> seek_ids);

 private:
  // One attempt each; what it is for is said above.
  using SeekAttempt = livestore::Attempt<pb::Seek>;
  Task<SeekAttempt> TryCreate(rpc::Call call, NewSeek wish, SeekEntry entry);
  Task<SeekAttempt> TryCancel(rpc::Call call, std::string seek_id, std::string player_id);
  Task<SeekAttempt> TryAnswer(std::string seek_id, std::string player_id, std::string match_id,
                              bool accept);
  // This seek is cancelled, the other returns to the queue.
  Task<SeekAttempt> TryLeaveOffer(SeekEntry own);
  Task<SeekAttempt> TryAccept(SeekEntry own);

  SeekStore& store_;
  PairFinisher& finisher_;
  GamePort& games_;
  RatingPort& ratings_;
  const TimeSource& time_;
  MatchMetrics& metrics_;
};

}  // namespace komadai::matchmaking
