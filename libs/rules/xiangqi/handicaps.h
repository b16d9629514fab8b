// Where games of xiangqi start: the even game only.
#pragma once

#include <span>

#include "libs/rules/handicap.h"
#include "libs/rules/setup.h"

namespace komadai::rules::xiangqi {

std::span<const Handicap> Handicaps();
Setup EvenSetup();

}  // namespace komadai::rules::xiangqi
