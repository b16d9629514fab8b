// The four parts every xiangqi notation is made of: piece, column or place, direction, number.
//
// Columns count from the mover's right, 1 to 9. The number is the target column for sideways moves
// and for every move of horse, elephant and advisor, else the number of steps.
#pragma once

#include <cstdint>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/types.h"

namespace komadai::notation {

enum class Direction : std::uint8_t { kForward, kBack, kSideways };

// A legal move taken apart.
struct MoveParts {
  rules::Kind kind = rules::Kind::kNone;
  int column = 0;
  int place = 0;   // among the equal pieces on its file, from the front, from 0
  int equals = 1;  // how many of them there are, itself included
  // Soldiers: another file has two or more of them too.
  bool several_files = false;
  Direction direction = Direction::kForward;
  int number = 0;

  // Whether the place is written instead of (or beside) the column. Never for advisors and
  // elephants: their direction tells them apart.
  bool in_tandem() const;
};
MoveParts PartsOf(const rules::Position& position, rules::Move move);

// What a text says of the place of a piece among its equals.
enum class Place : std::uint8_t { kNotSaid, kFront, kMiddle, kRear, kNumbered };

// A move as far as a text says it.
struct SaidParts {
  std::uint32_t kinds = 0;  // bit Index(kind) for each kind that can be meant
  int column = 0;           // 0: not said
  Place place = Place::kNotSaid;
  int place_number = 0;  // from 1, for kNumbered; of a soldier without a column: over all files
  Direction direction = Direction::kForward;
  int number = 0;

  void AddKind(rules::Kind kind) { kinds |= 1U << Index(kind); }
};

// The legal move meant. INVALID_MOVE, AMBIGUOUS_MOVE, or the rule's reason if one move was meant.
Result<rules::Move> FindMove(const rules::Position& position, const SaidParts& said,
                             std::string_view text);

}  // namespace komadai::notation
