// World: the servers as all players of a run see them.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "tests/play/attempts.h"
#include "tests/play/people.h"
#include "tests/play/replicas.h"

namespace komadai::chaos {

struct World {
  play::Replicas<game::v1::GameService> game;
  play::Replicas<matchmaking::v1::MatchmakingService> matchmaking;
  std::vector<play::Person> people;
  std::string service_authorization;  // creates games as matchmaking does
  std::string run;                    // part of request ids
  play::Patience patience;

  play::ErrorCounts errors = {};
  std::atomic<bool> closing{false};    // no new games; those in progress are given up
  std::atomic<bool> abandoned{false};  // all waiting ends
};

}  // namespace komadai::chaos
