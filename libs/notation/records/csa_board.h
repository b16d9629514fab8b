// The start position of a CSA file: PI, P1 to P9, P+ and P- lines.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/setup.h"

namespace komadai::notation {

class CsaBoard {
 public:
  explicit CsaBoard(rules::Variant variant);

  // A line that begins with P. BAD_RECORD.
  Status AddLine(std::string_view line);
  // Sets the side to move. BAD_RECORD, or the reason why the position is impossible.
  Result<rules::Position> Finish(rules::Side to_move);

 private:
  Status AddInitial(std::string_view removals);
  Status AddRow(std::string_view line);
  Status AddPieces(rules::Side side, std::string_view pieces);
  void AddRest(rules::Side side);

  rules::Variant even_variant_;  // of a PI line
  rules::Setup setup_;
  bool has_position_ = false;
  bool has_rows_ = false;
};

// The lines for `position`: "PI" with removals where that is enough, else rows and hands.
std::string FormatCsaBoard(const rules::Position& position);

}  // namespace komadai::notation
