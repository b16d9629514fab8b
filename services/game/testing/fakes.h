// Fakes of what the game service asks of others. Tests only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "libs/base/time.h"
#include "libs/timecontrol/clock.h"
#include "services/game/ports/clock_port.h"
#include "services/game/ports/finish_ports.h"

namespace komadai::game {

class FakeTime final : public TimeSource {
 public:
  TimePoint Now() const override { return now; }
  TimePoint now{Millis(1'700'000'000'000)};
};

inline constexpr Reason kFakeClockNotFound{Code::kNotFound, "CLOCK_NOT_FOUND"};
inline constexpr Reason kFakeStalePly{Code::kAborted, "STALE_PLY"};
inline constexpr Reason kDown{Code::kUnavailable, "DOWN"};

// The arithmetic of libs/timecontrol, in memory, with the clock service's idempotence.
class FakeClock final : public ClockPort {
 public:
  using Reading = timecontrol::Reading;

  explicit FakeClock(const TimeSource& time) : time_(time) {}

  Task<Result<Reading>> Start(rpc::Call, std::string game_id, timecontrol::TimeControl control,
                              Side to_move, TimePoint at) override {
    if (down) co_return Error(kDown, "the clocks are away");
    if (!clocks.contains(game_id)) {
      Result<timecontrol::ClockState> state = timecontrol::Start(control, to_move, at);
      if (!state) co_return std::move(state).error();
      clocks[game_id].state = *state;
    }
    co_return timecontrol::Read(clocks[game_id].state, at);
  }
  Task<Result<PressedClock>> Press(rpc::Call, std::string game_id, int ply, Side side, TimePoint at,
                                   std::optional<Millis> thinking) override {
    if (before_press) std::exchange(before_press, nullptr)();
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    Entry& entry = clocks[game_id];
    if (const auto done = entry.presses.find(ply); done != entry.presses.end()) {
      co_return done->second;
    }
    if (ply != entry.state.turn.ply) co_return Error(kFakeStalePly, "another ply");
    Result<timecontrol::Pressed> pressed = timecontrol::Press(entry.state, side, at, thinking);
    if (!pressed) co_return std::move(pressed).error();
    entry.before[ply] = entry.state;
    entry.state = pressed->state;
    PressedClock answer{timecontrol::Read(entry.state, at), pressed->used};
    entry.presses[ply] = answer;
    co_return answer;
  }
  Task<Result<Reading>> Read(rpc::Call, std::string game_id) override {
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    if (before_read) std::exchange(before_read, nullptr)();
    if (down) co_return Error(kDown, "the clocks are away");
    co_return timecontrol::Read(clocks[game_id].state, time_.Now());
  }
  Task<Result<Reading>> Stop(rpc::Call, std::string game_id, TimePoint at) override {
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    Result<timecontrol::ClockState> state = timecontrol::Stop(clocks[game_id].state, at);
    if (!state) co_return std::move(state).error();
    clocks[game_id].state = *state;
    co_return timecontrol::Read(*state, at);
  }
  Task<Result<Reading>> AddTime(rpc::Call, std::string game_id, std::string request_id, Side side,
                                Millis add, TimePoint at) override {
    return Adjust(game_id, request_id, at,
                  [&](Entry& entry) { return timecontrol::AddTime(entry.state, side, add, at); });
  }
  Task<Result<Reading>> Rewind(rpc::Call, std::string game_id, std::string request_id, int ply,
                               Side, TimePoint at, bool) override {
    return Adjust(game_id, request_id, at, [&](Entry& entry) -> Result<timecontrol::ClockState> {
      if (!entry.BackTo(ply)) return Error(kFakeStalePly, "no such ply");
      return timecontrol::Rewind(entry.state, entry.state.turn, at);
    });
  }
  Task<Result<Reading>> Pause(rpc::Call, std::string game_id, std::string request_id, int ply,
                              TimePoint at) override {
    return Adjust(game_id, request_id, at, [&](Entry& entry) -> Result<timecontrol::ClockState> {
      if (!entry.BackTo(ply)) return Error(kFakeStalePly, "no such ply");
      return timecontrol::Pause(entry.state, at);
    });
  }
  Task<Result<Reading>> Resume(rpc::Call, std::string game_id, std::string request_id, int,
                               TimePoint at) override {
    return Adjust(game_id, request_id, at,
                  [&](Entry& entry) { return timecontrol::Resume(entry.state, at); });
  }

  struct Entry {
    timecontrol::ClockState state;
    std::map<int, PressedClock> presses;
    std::map<int, timecontrol::ClockState> before;  // of the press at a ply
    std::set<std::string> requests;

    // As it was when the turn of `ply` began.
    bool BackTo(int ply) {
      if (ply == state.turn.ply) return true;
      if (!before.contains(ply)) return false;
      state = before[ply];
      presses.erase(presses.lower_bound(ply), presses.end());
      before.erase(before.lower_bound(ply), before.end());
      return true;
    }
  };
  std::map<std::string, Entry> clocks;
  bool down = false;                   // for everything but presses
  std::function<void()> before_press;  // what comes just before the next one
  std::function<void()> before_read;
  std::function<void()> before_adjust;
  int adjusted = 0;  // requests that changed a clock

 private:
  template <typename Change>
  Task<Result<Reading>> Adjust(const std::string& game_id, const std::string& request_id,
                               TimePoint at, Change change) {
    return Done(AdjustNow(game_id, request_id, at, change));
  }
  static Task<Result<Reading>> Done(Result<Reading> reading) { co_return reading; }
  template <typename Change>
  Result<Reading> AdjustNow(const std::string& game_id, const std::string& request_id, TimePoint at,
                            Change& change) {
    if (before_adjust) std::exchange(before_adjust, nullptr)();
    if (down) return Error(kDown, "the clocks are away");
    if (!clocks.contains(game_id)) return Error(kFakeClockNotFound, "no clock");
    Entry& entry = clocks[game_id];
    if (!entry.requests.contains(request_id)) {
      Result<timecontrol::ClockState> state = change(entry);
      if (!state) return std::move(state).error();
      entry.state = *state;
      entry.requests.insert(request_id);
      ++adjusted;
    }
    return timecontrol::Read(entry.state, at);
  }

  const TimeSource& time_;
};

class FakeArchive final : public ArchivePort {
 public:
  Task<Status> Store(rpc::Call, std::shared_ptr<const Game> game) override {
    if (throws) throw std::runtime_error("a bug");
    if (down) co_return Error(kDown, "the archive is away");
    ++stored[game->id];
    co_return Status();
  }
  bool down = false;
  bool throws = false;
  std::map<std::string, int> stored;
};

class FakeRating final : public RatingPort {
 public:
  Task<Status> Apply(rpc::Call, std::shared_ptr<const Game> game) override {
    if (down) co_return Error(kDown, "the ratings are away");
    ++applied[game->id];
    co_return Status();
  }
  bool down = false;
  std::map<std::string, int> applied;
};

class FakeEngine final : public EnginePort {
 public:
  Task<Result<ComputerMove>> Choose(rpc::Call, std::shared_ptr<const Game>) override {
    if (down) co_return Error(kDown, "the engine is away");
    co_return next;
  }
  bool down = false;
  ComputerMove next{"3c3d", false};
};

}  // namespace komadai::game
