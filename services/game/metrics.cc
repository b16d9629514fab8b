#include "services/game/metrics.h"

namespace komadai::game {
namespace {

std::string_view ChoreName(Chore chore) {
  switch (chore) {
    case Chore::kTimer:
      return "timer";
    case Chore::kStart:
      return "start";
    case Chore::kClock:
      return "clock";
    case Chore::kComputer:
      return "computer";
    case Chore::kFinish:
      return "finish";
    case Chore::kNone:
      break;
  }
  return "none";
}

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFirstWins:
      return "first";
    case Outcome::kSecondWins:
      return "second";
    case Outcome::kDraw:
      return "draw";
    default:
      return "none";
  }
}

}  // namespace

GameMetrics::GameMetrics(telemetry::Metrics& metrics, telemetry::Logger log)
    : log_(std::move(log)),
      finished_(metrics.Counter("komadai_game_finished_total",
                                "Games that ended and were handed on, by outcome.",
                                {{"variant", {"shogi", "minishogi", "xiangqi"}},
                                 {"outcome", {"first", "second", "draw", "none"}}})),
      flag_lateness_(metrics
                         .Histogram("komadai_game_flag_lateness_seconds",
                                    "How long after the deadline a game was ended on time.", {},
                                    {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5})
                         .Get()),
      clock_repairs_(metrics
                         .Counter("komadai_game_clock_repairs_total",
                                  "Clocks found ahead of their game and set back.")
                         .Get()),
      swept_(metrics
                 .Counter("komadai_game_swept_total",
                          "Games the sweep found with something left to be done.")
                 .Get()),
      chore_failures_(metrics.Counter(
          "komadai_game_chore_failures_total", "Chores that failed and will be tried again.",
          {{"chore", {"timer", "start", "clock", "computer", "finish"}}})),
      refused_(metrics.Counter("komadai_game_refused_total",
                               "What was owed to a game and refused for good, by whom.",
                               {{"by", {"archive", "rating", "replay", "clock"}}})) {}

void GameMetrics::Finished(const Game& game) {
  finished_.With({rules::VariantName(game.setup.variant), OutcomeName(game.result->outcome)})
      .Increment();
  log_.Info("game finished", {{"game_id", game.id},
                              {"plies", game.ply()},
                              {"ending", static_cast<int>(game.result->ending)},
                              {"outcome", OutcomeName(game.result->outcome)}});
}

void GameMetrics::Flagged(Millis lateness) {
  flag_lateness_.Observe(static_cast<double>(lateness.count()) / 1000.0);
}

void GameMetrics::ClockRepaired() { clock_repairs_.Increment(); }

void GameMetrics::Swept() { swept_.Increment(); }

void GameMetrics::Refused(const std::string& game_id, std::string_view by, const Error& error) {
  refused_.With({by}).Increment();
  log_.Error(
      "refused for good",
      {{"game_id", game_id}, {"by", by}, {"reason", error.reason()}, {"message", error.message()}});
}

void GameMetrics::ChoreFailed(Chore chore, const std::string& game_id, const Error& error) {
  chore_failures_.With({ChoreName(chore)}).Increment();
  log_.Warning("chore failed", {{"game_id", game_id},
                                {"chore", ChoreName(chore)},
                                {"reason", error.reason()},
                                {"message", error.message()}});
}

}  // namespace komadai::game
