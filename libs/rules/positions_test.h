// Positions and moves as text, for the tests of libs/rules.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "libs/notation/shogi/sfen.h"
#include "libs/notation/shogi/usi.h"
#include "libs/notation/xiangqi/fen.h"
#include "libs/notation/xiangqi/ucci.h"
#include "libs/rules/game_state.h"
#include "libs/rules/position.h"

namespace komadai::rules {

inline Setup SetupOf(Variant variant, std::string_view text) {
  auto setup =
      variant == Variant::kXiangqi ? notation::ParseFen(text) : notation::ParseSfen(variant, text);
  EXPECT_TRUE(setup) << text;
  return setup ? *setup : Setup{};
}

inline Position PositionOf(Variant variant, std::string_view text, Kings kings = Kings::kOptional) {
  auto position = Position::From(SetupOf(variant, text), kings);
  EXPECT_TRUE(position) << text << ": " << position.error().ToString();
  return std::move(position).value();
}
inline Position Shogi(std::string_view sfen) { return PositionOf(Variant::kShogi, sfen); }
inline Position Minishogi(std::string_view sfen) { return PositionOf(Variant::kMinishogi, sfen); }
inline Position Xiangqi(std::string_view fen) { return PositionOf(Variant::kXiangqi, fen); }

inline Move MoveOf(Variant variant, std::string_view text) {
  auto move =
      variant == Variant::kXiangqi ? notation::ParseUcci(text) : notation::ParseUsi(variant, text);
  EXPECT_TRUE(move) << text;
  return move ? *move : Move{};
}

inline std::optional<Illegal> Why(const Position& position, std::string_view move) {
  return position.WhyIllegal(MoveOf(position.variant(), move));
}

// The reason a setup is refused for; empty if it is accepted.
inline std::string FaultOf(Variant variant, std::string_view text, Kings kings = Kings::kBoth) {
  const auto position = Position::From(SetupOf(variant, text), kings);
  return position ? "" : position.error().reason();
}

// Plays the moves (separated by spaces) `times` times; stops with a test failure at a refused one.
inline void PlayAll(GameState& state, std::string_view moves, int times = 1) {
  for (int i = 0; i < times; ++i) {
    for (std::size_t at = 0; at < moves.size();) {
      const std::size_t end = std::min(moves.find(' ', at), moves.size());
      const std::string_view text = moves.substr(at, end - at);
      const auto played = state.Play(MoveOf(state.position().variant(), text));
      ASSERT_TRUE(played) << text << " at ply " << state.ply() << ": " << played.error().ToString();
      at = end + 1;
    }
  }
}

inline GameState StartFrom(const Position& start, std::string_view ruleset = "standard",
                           int plies_before = 0) {
  auto rules = FindRuleset(start.variant(), ruleset);
  EXPECT_TRUE(rules);
  auto state = GameState::Start(*rules, start, plies_before);
  EXPECT_TRUE(state);
  return std::move(state).value();
}

}  // namespace komadai::rules
