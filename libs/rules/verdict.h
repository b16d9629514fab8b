// Verdict: whether a game is over by the rules, how, and who won.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libs/rules/types.h"

namespace komadai::rules {

// Only what the rules decide. Resignation, time and agreed draws are the game's own business.
enum class Ending : std::uint8_t {
  kOngoing,
  kCheckmate,
  kNoLegalMove,  // loses too, in every game here
  kRepetitionDraw,
  kRepetitionLoss,  // minishogi: Sente loses a plain repetition
  kPerpetualCheck,  // the checker loses
  kPerpetualChase,  // the chaser loses
  kNoCaptureDraw,
  kInsufficientMaterial,
  kPlyLimitDraw,
  kPlyLimitPoints,  // the ply limit, judged by points; drawn if both have enough
  kDeclarationWin,  // impasse; win and loss as seen by the declarer
  kDeclarationLoss,
  kDeclarationDraw,
  kIllegalMove,  // where the ruleset says that an illegal move loses
};
inline constexpr int kEndingCount = 15;

struct Verdict {
  Ending ending = Ending::kOngoing;
  std::optional<Side> winner;  // not set: ongoing or drawn

  bool over() const { return ending != Ending::kOngoing; }
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

// "ONGOING", "CHECKMATE", "PERPETUAL_CHECK", ...
std::string_view NameOf(Ending ending);

}  // namespace komadai::rules
