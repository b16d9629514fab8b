// Settings of the rating service.
#pragma once

#include <chrono>

#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/stores/stores.h"

namespace komadai::rating {

struct RatingConfig {
  stores::SqlSettings store;
  bool allow_test_players = false;
  Millis guest_session_lifetime = std::chrono::days(7);
  int guest_sessions_per_minute = 60;
  Millis guest_memory = std::chrono::days(30);
  int rated_games_per_pair = 20;

  void AddTo(config::Settings& settings) {
    settings.Section("Rating");
    store.AddTo(settings);
    settings.Add("allow-test-players", &allow_test_players,
                 "let anyone open a verified session under any name; for development only");
    settings.Add("guest-session-lifetime", &guest_session_lifetime,
                 "how long a guest's token is valid",
                 config::Range<Millis>(std::chrono::minutes(5), std::chrono::days(90)));
    settings.Add(
        "guest-sessions-per-minute", &guest_sessions_per_minute,
        "guest sessions that one network address may open, at once and per minute; 0: no limit",
        config::Range(0, 1'000'000));
    settings.Add("guest-memory", &guest_memory,
                 "delete guests after this time; not less than guest-session-lifetime",
                 config::Range<Millis>(std::chrono::hours(1), std::chrono::days(3650)));
    settings.Add("rated-games-per-pair", &rated_games_per_pair,
                 "rated games that the same two players may begin in 24 hours; 0: no limit",
                 config::Range(0, 1000));
    settings.AddRule([this]() -> std::string {
      if (guest_memory >= guest_session_lifetime) return "";
      return "guest-memory must not be shorter than guest-session-lifetime";
    });
  }
};

}  // namespace komadai::rating
