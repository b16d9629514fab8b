// The pieces of shogi and minishogi. Promoting sets bit 3, so that kinds pair up.
#pragma once

#include "libs/rules/types.h"

namespace komadai::rules::shogi {

inline constexpr Kind kPawn{1};
inline constexpr Kind kLance{2};
inline constexpr Kind kKnight{3};
inline constexpr Kind kSilver{4};
inline constexpr Kind kBishop{5};
inline constexpr Kind kRook{6};
inline constexpr Kind kGold{7};
inline constexpr Kind kKing{8};
inline constexpr Kind kTokin{9};  // promoted pawn
inline constexpr Kind kPromotedLance{10};
inline constexpr Kind kPromotedKnight{11};
inline constexpr Kind kPromotedSilver{12};
inline constexpr Kind kHorse{13};   // promoted bishop
inline constexpr Kind kDragon{14};  // promoted rook

// The kinds that can be in hand.
inline constexpr Kind kHandKinds[] = {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn};

constexpr bool IsPromoted(Kind kind) { return Index(kind) > Index(kKing); }
constexpr bool CanPromote(Kind kind) { return kind != Kind::kNone && Index(kind) <= Index(kRook); }
constexpr Kind Promoted(Kind kind) { return static_cast<Kind>(Index(kind) | 8); }
// The kind a piece has in hand after its capture; itself for king and gold.
constexpr Kind Unpromoted(Kind kind) {
  return IsPromoted(kind) ? static_cast<Kind>(Index(kind) & 7) : kind;
}

}  // namespace komadai::rules::shogi
