// What the game service counts, and the log lines that go with it.
#pragma once

#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "services/game/app/chores.h"

namespace komadai::game {

class GameMetrics {
 public:
  GameMetrics(telemetry::Metrics& metrics, telemetry::Logger log);

  void Finished(const Game& game);
  void Flagged(Millis lateness);
  void ClockRepaired();
  void Swept();
  // The archive or the ratings will never take a finished game, or its replay cannot be created, or
  // the clock does not do what the game says.
  void Refused(const std::string& game_id, std::string_view by, const Error& error);
  void ChoreFailed(Chore chore, const std::string& game_id, const Error& error);

 private:
  telemetry::Logger log_;
  telemetry::Counters& finished_;
  prometheus::Histogram& flag_lateness_;
  prometheus::Counter& clock_repairs_;
  prometheus::Counter& swept_;
  telemetry::Counters& chore_failures_;
  telemetry::Counters& refused_;
};

}  // namespace komadai::game
