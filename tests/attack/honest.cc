#include "tests/attack/honest.h"

#include <utility>

#include "tests/play/people.h"

namespace komadai::attack {

Result<std::unique_ptr<Honest>> Honest::Start(const std::string& server) {
  Result<cli::Targets> targets = cli::Targets::Parse(server);
  if (!targets) return std::move(targets).error();
  std::unique_ptr<Honest> honest(new Honest(*std::move(targets)));
  SystemRandom random;
  play::Replicas<rating::v1::RatingService> rating(honest->targets_.To("rating"));
  Result<std::vector<play::Person>> people =
      play::SignIn(rating, "honest-" + RandomId(random, 6), 2 * kGames, random);
  if (!people) return std::move(people).error();
  honest->watchers_ = std::make_unique<load::Watchers>(honest->targets_, honest->errors_);
  load::Games::Settings settings;
  settings.watchers = 1;
  honest->games_ = std::make_unique<load::Games>(honest->targets_, *std::move(people), settings,
                                                 honest->errors_, *honest->watchers_);
  if (Status opened = honest->games_->Open(); !opened) return std::move(opened).error();
  return honest;
}

Honest::Played Honest::Play(std::chrono::milliseconds duration) {
  const std::map<std::string, std::int64_t> before = errors_.Get();
  Played played;
  std::atomic<std::int64_t> uncounted{0};
  played.moves =
      bench::RunPaced(kGames, kMovesPerSecond, duration, [&](int game, bench::Done done) {
        games_->Next(game, [&uncounted, done = std::move(done)](bench::Ended ended) {
          if (ended == bench::Ended::kUncounted) ++uncounted;
          done(ended);
        });
      });
  for (const auto& [reason, count] : errors_.Get()) {
    const auto earlier = before.find(reason);
    const std::int64_t now = count - (earlier == before.end() ? 0 : earlier->second);
    if (now > 0) played.errors[reason] = now;
  }
  // RunPaced makes every call that was due; what it was late by shows in the time it took.
  const auto good =
      static_cast<double>(played.moves.latencies_ms.size()) + static_cast<double>(uncounted);
  const double due = kMovesPerSecond * played.moves.seconds;
  played.done = due > 0 ? good / due : 0;
  return played;
}

}  // namespace komadai::attack
