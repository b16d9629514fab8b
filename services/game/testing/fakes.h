// Fakes of what the game service asks of others. Tests only.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
inline constexpr Reason kFakeClockExists{Code::kAlreadyExists, "CLOCK_EXISTS"};
inline constexpr Reason kFakeStalePly{Code::kAborted, "STALE_PLY"};
inline constexpr Reason kFakeInvalidRequest{Code::kInvalidArgument, "INVALID_REQUEST"};
inline constexpr Reason kDown{Code::kUnavailable, "DOWN"};

// The arithmetic of libs/timecontrol, in memory, with the clock service's idempotence and refusals.
// tests/contract/clock_port_test.cc holds it to the answers of the real service. The one thing it
// lacks is a flag that has fallen: here a press that was received in time always counts.
class FakeClock final : public ClockPort {
 public:
  using Reading = timecontrol::Reading;

  explicit FakeClock(const TimeSource& time) : time_(time) {}

  Task<Result<Reading>> Start(rpc::Call, std::string game_id, timecontrol::TimeControl control,
                              Side to_move, TimePoint at) override {
    if (down) co_return Error(kDown, "the clocks are away");
    Result<timecontrol::ClockState> state = timecontrol::Start(control, to_move, at);
    if (!state) co_return std::move(state).error();
    if (const auto known = clocks.find(game_id); known != clocks.end()) {
      if (!(known->second.state.control == control)) {
        co_return Error(kFakeClockExists, "another time control");
      }
      co_return timecontrol::Read(known->second.state, time_.Now());
    }
    clocks[game_id].state = *state;
    co_return timecontrol::Read(*state, at);
  }
  Task<Result<PressedClock>> Press(rpc::Call, std::string game_id, int ply, Side side, TimePoint at,
                                   std::optional<Millis> thinking) override {
    if (before_press) std::exchange(before_press, nullptr)();
    if (!clocks.contains(game_id)) co_return Error(kFakeClockNotFound, "no clock");
    Entry& entry = clocks[game_id];
    if (ply < entry.state.turn.ply) co_return entry.Repeat(ply, side);
    const bool undone = entry.rewound && at < *entry.rewound;
    if (ply > entry.state.turn.ply || undone) co_return Error(kFakeStalePly, "another ply");
    Result<timecontrol::Pressed> pressed = timecontrol::Press(entry.state, side, at, thinking);
    if (!pressed) co_return std::move(pressed).error();
    entry.presses[ply] = {entry.state, at, thinking};
    entry.state = pressed->state;
    co_return PressedClock{timecontrol::Read(entry.state, at), pressed->used};
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
    return Adjust(game_id, request_id, at, [&](const Entry& entry) {
      return timecontrol::AddTime(entry.state, side, add, at);
    });
  }
  Task<Result<Reading>> Rewind(rpc::Call, std::string game_id, std::string request_id, int ply,
                               Side to_move, TimePoint at, bool restart) override {
    return Adjust(game_id, request_id, at, [&](Entry& entry) -> Result<timecontrol::ClockState> {
      const Result<timecontrol::ClockState> then = entry.AtOpenPly(ply);
      if (!then) return then.error();
      if (then->turn.side != to_move) {
        return Error(timecontrol::kOtherSideToMove, "the other side moves at this ply");
      }
      // From the clock as it is: the turn does not begin before the running one did.
      Result<timecontrol::ClockState> state = timecontrol::Rewind(entry.state, then->turn, at);
      if (state && !restart) entry.rewound = at;
      return state;
    });
  }
  Task<Result<Reading>> Pause(rpc::Call, std::string game_id, std::string request_id, int ply,
                              TimePoint at) override {
    return Adjust(game_id, request_id, at,
                  [&](const Entry& entry) -> Result<timecontrol::ClockState> {
                    const Result<timecontrol::ClockState> then = entry.AtOpenPly(ply);
                    if (!then) return then.error();
                    return timecontrol::Pause(*then, at);
                  });
  }
  Task<Result<Reading>> Resume(rpc::Call, std::string game_id, std::string request_id, int ply,
                               TimePoint at) override {
    return Adjust(game_id, request_id, at,
                  [&](const Entry& entry) -> Result<timecontrol::ClockState> {
                    if (ply != entry.state.turn.ply) return Error(kFakeStalePly, "another ply");
                    return timecontrol::Resume(entry.state, at);
                  });
  }

  struct PressMade {
    timecontrol::ClockState before;
    TimePoint at;
    std::optional<Millis> thinking;
  };
  struct Entry {
    timecontrol::ClockState state;
    std::map<int, PressMade> presses;  // the latest of each ply, also of plies taken back since
    std::deque<std::string> requests;  // the latest adjustments
    std::optional<TimePoint> rewound;  // a press received before was of a turn taken back

    // The answer of the first press of that ply.
    Result<PressedClock> Repeat(int ply, Side side) const {
      const auto made = presses.find(ply);
      if (made == presses.end()) return Error(kFakeStalePly, "another ply");
      const PressMade& press = made->second;
      Result<timecontrol::Pressed> pressed =
          timecontrol::Press(press.before, side, press.at, press.thinking);
      if (!pressed) return std::move(pressed).error();
      return PressedClock{timecontrol::Read(pressed->state, press.at), pressed->used};
    }
    // The clock before it was pressed at `ply`, if it has been.
    Result<timecontrol::ClockState> AtOpenPly(int ply) const {
      if (ply == state.turn.ply) return state;
      const auto made = presses.find(ply);
      if (ply > state.turn.ply || made == presses.end()) return Error(kFakeStalePly, "no such ply");
      timecontrol::ClockState then = state;
      then.turn = made->second.before.turn;
      then.turn_started = made->second.before.turn_started;
      return then;
    }
  };
  std::map<std::string, Entry> clocks;
  bool down = false;                   // for everything but presses
  std::function<void()> before_press;  // what comes just before the next one
  std::function<void()> before_read;
  std::function<void()> before_adjust;
  int adjusted = 0;  // requests that changed a clock

 private:
  static constexpr std::size_t kRememberedRequests = 16;

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
    if (request_id.size() < 8 || request_id.size() > 64) {
      return Error(kFakeInvalidRequest, "a request id has 8 to 64 bytes");
    }
    if (!clocks.contains(game_id)) return Error(kFakeClockNotFound, "no clock");
    Entry& entry = clocks[game_id];
    if (std::find(entry.requests.begin(), entry.requests.end(), request_id) ==
        entry.requests.end()) {
      Result<timecontrol::ClockState> state = change(entry);
      if (!state) return std::move(state).error();
      entry.state = *state;
      entry.requests.push_back(request_id);
      if (entry.requests.size() > kRememberedRequests) entry.requests.pop_front();
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
