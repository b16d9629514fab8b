// GamePlan: what is to happen in one game, decided from the run's seed before it begins.
#pragma once

#include <cstdint>

#include "komadai/common/v1/time_control.pb.h"
#include "libs/base/random.h"
#include "libs/base/side.h"
#include "libs/base/time.h"
#include "libs/rules/types.h"

namespace komadai::chaos {

namespace common_pb = ::komadai::common::v1;

enum class Style : std::uint8_t {
  kPlayOut,      // to mate, repetition or another end by the rules
  kResign,       // `finisher` gives up from `finish_ply` on
  kAgreeDraw,    // `finisher` offers draws from `finish_ply` on
  kLetFlagFall,  // `finisher` stops moving at `finish_ply`, on a short clock
  kBrink,        // both move within a moment of their deadlines
};

struct GamePlan {
  int number = 0;
  rules::Variant variant = rules::Variant::kMinishogi;
  bool rated = false;
  bool by_challenge = false;  // created by matchmaking; otherwise asked of the game service itself
  bool against_computer = false;  // `finisher` is the person
  common_pb::TimeControl control = {};
  Style style = Style::kPlayOut;
  Side finisher = Side::kFirst;
  int finish_ply = 0;
  int max_plies = 0;                // somebody gives up then
  std::uint64_t seed = 0;           // of the players' whims
  std::size_t players[2] = {0, 1};  // of the pool, first side first
};

// `pool` players, at least two.
GamePlan MakePlan(std::uint64_t seed, int number, std::size_t pool);

// What a player does at random, drawn from the game's seed.
class Whims {
 public:
  Whims(const GamePlan& plan, Side side);

  bool OneIn(std::uint64_t n) { return random_.Below(n) == 0; }
  Millis Between(Millis low, Millis high);
  Random& random() { return random_; }

 private:
  SeededRandom random_;
};

}  // namespace komadai::chaos
