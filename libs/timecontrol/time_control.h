// TimeControl: how much thinking time each side of a game gets. Pure values, nothing runs here.
#pragma once

#include <cstdint>

#include "libs/base/result.h"
#include "libs/base/side.h"
#include "libs/base/time.h"

namespace komadai::timecontrol {

using komadai::Opponent;
using komadai::Side;
using komadai::SideName;

// The thinking time of one side.
//
// Main time runs first. After it, with byo-yomi, every move has a full period: a move that ends
// inside its period costs nothing, each overrun uses one period up, and when none is left the side
// has lost. The last period thus recurs for ever as long as it is kept.
//
// Per-move time is byo-yomi (or a delay) without main time. A side with nothing set has no clock:
// its thinking is measured and never ends the game.
struct SideTime {
  Millis main{0};
  Millis byoyomi{0};        // length of a period; 0: none
  int byoyomi_periods = 0;  // with byoyomi, 0 means 1
  // Professional style. It says how the control is named and shown; the arithmetic is the same,
  // because a period that is not overrun is never used up in any style.
  bool last_period_recurs = false;
  Millis increment{0};  // added after each completed move (Fischer), never before the first
  Millis delay{0};      // of every move, free before anything else runs (simple delay)

  friend bool operator==(const SideTime&, const SideTime&) = default;
};

// Lag that is not charged to a side: at most this much, so that a player who lies about their
// connection gains no more than one whose connection is bad. Per game and side. Both 0: none.
struct LagCompensation {
  Millis per_move{0};
  Millis per_game{0};

  friend bool operator==(const LagCompensation&, const LagCompensation&) = default;
};

struct TimeControl {
  SideTime first;
  SideTime second;
  LagCompensation lag = {};

  const SideTime& of(Side side) const { return side == Side::kFirst ? first : second; }
  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

// Limits of a control, all inclusive; the least of each is 0.
inline constexpr Millis kMaxMainTime{std::int64_t{7} * 24 * 3600 * 1000};
inline constexpr Millis kMaxByoyomi{std::int64_t{24} * 3600 * 1000};
inline constexpr int kMaxByoyomiPeriods = 1000;
inline constexpr Millis kMaxIncrement{std::int64_t{3600} * 1000};
inline constexpr Millis kMaxDelay{std::int64_t{3600} * 1000};
inline constexpr Millis kMaxLagPerMove{2000};
inline constexpr Millis kMaxLagPerGame{120 * 1000};

// Metadata: "side" ("first", "second"), "value" and, for the ranges, "max".
inline constexpr Reason kMainTimeOutOfRange{Code::kInvalidArgument, "MAIN_TIME_OUT_OF_RANGE"};
inline constexpr Reason kByoyomiOutOfRange{Code::kInvalidArgument, "BYOYOMI_OUT_OF_RANGE"};
inline constexpr Reason kPeriodsOutOfRange{Code::kInvalidArgument, "BYOYOMI_PERIODS_OUT_OF_RANGE"};
inline constexpr Reason kIncrementOutOfRange{Code::kInvalidArgument, "INCREMENT_OUT_OF_RANGE"};
inline constexpr Reason kDelayOutOfRange{Code::kInvalidArgument, "DELAY_OUT_OF_RANGE"};
// Periods, or a last period that recurs, of a control without byo-yomi.
inline constexpr Reason kPeriodsWithoutByoyomi{Code::kInvalidArgument, "PERIODS_WITHOUT_BYOYOMI"};
// Metadata: "value", "max". A game's quota is at least a move's, and there are both or neither.
inline constexpr Reason kLagOutOfRange{Code::kInvalidArgument, "LAG_COMPENSATION_OUT_OF_RANGE"};

// Success, or the first thing wrong with the control.
Status Validate(const TimeControl& control);

// Whether the side's thinking can end the game at all.
bool HasClock(const SideTime& time);

// How many byo-yomi periods the side starts with.
int Periods(const SideTime& time);

// Main time at the start. A side that would otherwise have no time at all for its first move (only
// an increment is set) starts with one increment's worth.
Millis InitialMainTime(const SideTime& time);

}  // namespace komadai::timecontrol
