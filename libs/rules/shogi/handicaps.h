// Where games of shogi and minishogi start: the even game and its handicaps.
#pragma once

#include <span>

#include "libs/rules/handicap.h"
#include "libs/rules/setup.h"
#include "libs/rules/shogi/geometry.h"

namespace komadai::rules::shogi {

template <class G>
std::span<const Handicap> Handicaps();
template <>
std::span<const Handicap> Handicaps<Nine>();
template <>
std::span<const Handicap> Handicaps<Five>();

template <class G>
Setup EvenSetup();
template <>
Setup EvenSetup<Nine>();
template <>
Setup EvenSetup<Five>();

// The even set-up without the squares that the handicap names, and with the pawns it gives.
Setup WithHandicap(Setup even, const Handicap& handicap);

}  // namespace komadai::rules::shogi
