// TimeGifts: a player adds time to the opponent's clock.
#pragma once

#include <string>

#include "services/game/app/committer.h"
#include "services/game/app/game_clock.h"

namespace komadai::game {

class TimeGifts {
 public:
  TimeGifts(Committer& committer, GameStore& store, GameClock& clock)
      : committer_(committer), store_(store), clock_(clock) {}

  // Once per request id; the clock after it. What DecideAddTime refuses; TIME_IS_UP.
  Task<Result<timecontrol::Reading>> Add(PlayerAction action, std::string request_id, Millis add);

 private:
  Task<livestore::Attempt<timecontrol::Reading>> TryAdd(PlayerAction action, std::string request_id,
                                                        Millis add);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
};

}  // namespace komadai::game
