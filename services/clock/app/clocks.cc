#include "services/clock/app/clocks.h"

#include <optional>
#include <utility>

namespace komadai::clock {
namespace {

// On clocks read from the store. Each lost one means that another caller succeeded; a game has two
// players.
constexpr int kMaxAttempts = 8;

Error NotFound(const std::string& game_id) {
  return Error(kClockNotFound, "this game has no clock", {{"game_id", game_id}});
}

Error Contention(const std::string& game_id) {
  return Error(kContention, "too many concurrent changes of this clock; retry",
               {{"game_id", game_id}});
}

Error OtherControl(const std::string& game_id) {
  return Error(kClockExists, "the game has a clock under another time control",
               {{"game_id", game_id}});
}

}  // namespace

Clocks::Clocks(ClockStore& store, std::size_t cached_clocks, const TimeSource& time,
               ClockMetrics& metrics, OnChange on_change)
    : store_(store),
      cache_(cached_clocks),
      time_(time),
      metrics_(metrics),
      on_change_(std::move(on_change)) {}

Task<Result<Answer>> Clocks::Start(std::string game_id, timecontrol::TimeControl control,
                                   Side to_move, TimePoint at) {
  Result<LiveClock> clock = StartClock(control, to_move, at);
  if (!clock) co_return std::move(clock).error();
  auto attempt = [this, game_id, clock = *std::move(clock), at](int) {
    return TryStart(game_id, clock, at);
  };
  auto contention = [game_id] { return Contention(game_id); };
  Result<Answer> started =
      co_await livestore::UntilCommitted(kMaxAttempts, std::move(attempt), std::move(contention));
  co_return started;
}

Task<Clocks::Attempt> Clocks::TryStart(std::string game_id, LiveClock clock, TimePoint at) {
  StoredClock created;
  created.clock = clock;
  livestore::Attempt<StoredClock> saved =
      co_await store_.Save(game_id, std::move(created), std::nullopt);
  if (saved.failed()) co_return std::move(saved).error();
  if (saved.committed()) {
    Committed(game_id, *saved);
    co_return Answer{.reading = timecontrol::Read(clock.state, at)};
  }
  // It exists, or perhaps this very attempt has made it.
  auto existing = co_await store_.Load(game_id);
  if (!existing) co_return std::move(existing).error();
  if (!existing->has_value()) co_return livestore::LostRace{};
  const StoredClock& stored = **existing;
  if (!(stored.clock.state.control == clock.state.control)) co_return OtherControl(game_id);
  Committed(game_id, stored);
  co_return Answer{.reading = timecontrol::Read(stored.clock.state, time_.Now())};
}

Task<Result<Answer>> Clocks::Press(std::string game_id, PressCommand command) {
  Result<Answer> answer = co_await Execute(std::move(game_id), Command(command));
  if (!answer) {
    const bool late = answer.error().Is(timecontrol::kTimeIsUp);
    (late ? metrics_.presses_too_late : metrics_.presses_refused).Increment();
  }
  co_return answer;
}

Task<Result<Answer>> Clocks::Stop(std::string game_id, StopCommand command) {
  return Execute(std::move(game_id), Command(command));
}

Task<Result<Answer>> Clocks::Adjust(std::string game_id, Command command) {
  return Execute(std::move(game_id), std::move(command));
}

Task<Result<Answer>> Clocks::Get(std::string game_id) {
  Result<StoredClock> stored = co_await LoadExisting(std::move(game_id));
  if (!stored) co_return std::move(stored).error();
  co_return Answer{.reading = timecontrol::Read(stored->clock.state, time_.Now())};
}

Task<Result<Answer>> Clocks::Execute(std::string game_id, Command command) {
  std::optional<StoredClock> cached = cache_.Find(game_id);
  const int limit = cached ? kMaxAttempts + 1 : kMaxAttempts;
  return livestore::UntilCommitted(
      limit,
      [this, game_id, command = std::move(command), cached = std::move(cached)](int number) {
        if (number == 0 && cached) return DecideAndCommit(game_id, command, *cached, From::kCache);
        return TryOnStored(game_id, command);
      },
      [game_id] { return Contention(game_id); });
}

Task<Clocks::Attempt> Clocks::TryOnStored(std::string game_id, Command command) {
  Result<StoredClock> stored = co_await LoadExisting(game_id);
  if (!stored) co_return std::move(stored).error();
  Attempt outcome = co_await DecideAndCommit(std::move(game_id), std::move(command),
                                             *std::move(stored), From::kStore);
  co_return outcome;
}

Task<Clocks::Attempt> Clocks::DecideAndCommit(std::string game_id, Command command,
                                              StoredClock stored, From source) {
  const bool cached = source == From::kCache;
  std::optional<PressRecord> record;
  if (const std::optional<int> ply = RecordNeeded(stored.clock, command)) {
    if (cached) co_return livestore::LostRace{};
    auto found = co_await store_.FindPress(game_id, *ply);
    if (!found) co_return std::move(found).error();
    record = *std::move(found);
  }
  Result<Decision> decision = Decide(stored.clock, command, record);
  if (cached && (!decision || !decision->changed)) co_return livestore::LostRace{};
  if (!decision) co_return std::move(decision).error();
  Answer answer{.reading = decision->reading, .used = decision->used};
  const bool is_press = std::holds_alternative<PressCommand>(command);
  if (!decision->changed) {
    if (is_press) metrics_.presses_repeated.Increment();
    // An earlier attempt of this command may have committed although its answer was lost
    // (kInDoubt).
    Committed(game_id, stored);
    co_return answer;
  }
  stored.clock = std::move(decision->clock);
  livestore::Attempt<StoredClock> saved =
      co_await store_.Save(game_id, std::move(stored), std::move(decision->record));
  if (saved.open()) {
    (saved.lost_race() ? metrics_.conflicts : metrics_.in_doubt).Increment();
    cache_.Erase(game_id);
  }
  if (saved.committed()) {
    if (is_press) metrics_.presses_charged.Increment();
    Committed(game_id, *saved);
  }
  co_return std::move(saved).With(std::move(answer));
}

Task<Result<StoredClock>> Clocks::LoadExisting(std::string game_id) {
  auto stored = co_await store_.Load(game_id);
  if (!stored) co_return std::move(stored).error();
  if (!stored->has_value()) {
    cache_.Erase(game_id);
    co_return NotFound(game_id);
  }
  co_return **std::move(stored);
}

void Clocks::Committed(const std::string& game_id, const StoredClock& stored) {
  if (stored.clock.state.stopped) {
    cache_.Erase(game_id);  // nothing but a late repeat will ask for it
  } else {
    cache_.Put(game_id, stored, [](const StoredClock& there, const StoredClock& given) {
      return there.version < given.version;
    });
  }
  on_change_(game_id, stored);
}

}  // namespace komadai::clock
