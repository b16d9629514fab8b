// Fakes of what the game service asks of others. Tests only.
#pragma once

#include <map>
#include <memory>
#include <string>

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

  Task<Result<Reading>> Start(rpc::Call, std::string game_id, timecontrol::TimeControl control,
                              Side to_move, TimePoint at) override {
    if (!clocks.contains(game_id)) {
      Result<timecontrol::ClockState> state = timecontrol::Start(control, to_move, at);
      if (!state) co_return std::move(state).error();
      clocks[game_id].state = *state;
    }
    co_return timecontrol::Read(clocks[game_id].state, at);
  }
  Task<Result<PressedClock>> Press(rpc::Call, std::string game_id, int ply, Side side,
                                   TimePoint at) override {
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    Entry& entry = clocks[game_id];
    if (const auto done = entry.presses.find(ply); done != entry.presses.end()) {
      co_return done->second;
    }
    if (ply != entry.state.turn.ply) co_return Error(kFakeStalePly, "another ply");
    Result<timecontrol::Pressed> pressed = timecontrol::Press(entry.state, side, at);
    if (!pressed) co_return std::move(pressed).error();
    entry.turns[ply] = entry.state.turn;
    entry.state = pressed->state;
    PressedClock answer{timecontrol::Read(entry.state, at), pressed->used};
    entry.presses[ply] = answer;
    co_return answer;
  }
  Task<Result<Reading>> Read(rpc::Call, std::string game_id) override {
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    co_return timecontrol::Read(clocks[game_id].state, clocks[game_id].state.turn_started);
  }
  Task<Result<Reading>> Stop(rpc::Call, std::string game_id, TimePoint at) override {
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    Result<timecontrol::ClockState> state = timecontrol::Stop(clocks[game_id].state, at);
    if (!state) co_return std::move(state).error();
    clocks[game_id].state = *state;
    co_return timecontrol::Read(*state, at);
  }
  Task<Result<Reading>> AddTime(rpc::Call, std::string game_id, std::string, Side side, Millis add,
                                TimePoint at) override {
    Result<timecontrol::ClockState> state =
        timecontrol::AddTime(clocks[game_id].state, side, add, at);
    if (!state) co_return std::move(state).error();
    clocks[game_id].state = *state;
    co_return timecontrol::Read(*state, at);
  }
  Task<Result<Reading>> Rewind(rpc::Call, std::string game_id, std::string, int ply, Side,
                               TimePoint at) override {
    Entry& entry = clocks[game_id];
    if (!entry.turns.contains(ply)) co_return Error(kFakeStalePly, "no such ply");
    Result<timecontrol::ClockState> state = timecontrol::Rewind(entry.state, entry.turns[ply], at);
    if (!state) co_return std::move(state).error();
    entry.state = *state;
    entry.presses.erase(entry.presses.lower_bound(ply), entry.presses.end());
    co_return timecontrol::Read(*state, at);
  }

  struct Entry {
    timecontrol::ClockState state;
    std::map<int, PressedClock> presses;
    std::map<int, timecontrol::TurnStart> turns;
  };
  std::map<std::string, Entry> clocks;
};

class FakeArchive final : public ArchivePort {
 public:
  Task<Status> Store(rpc::Call, std::shared_ptr<const Game> game) override {
    if (down) co_return Error(kDown, "the archive is away");
    ++stored[game->id];
    co_return Status();
  }
  bool down = false;
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
