// One line of a KIF file, taken apart.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/rules/types.h"

namespace komadai::notation {

struct KifLine {
  enum class Kind : std::uint8_t {
    kUnknown,
    kHeader,     // key：value
    kMove,       // number, a move or a terminal word, perhaps a time
    kNames,      // KI2: moves by their names, each behind its side's mark
    kVariation,  // 変化：number手
    kSentence,   // まで...
    kEdge,       // +---------+
    kRow,        // | cells |
    kSide,       // 後手番
    kIgnored,    // headings, 手数＝, 盤面反転, files above a board
  };
  Kind kind = Kind::kUnknown;
  int number = 0;        // of a move or a variation; 0: none that makes sense
  std::string_view key;  // of a header
  std::string_view value;
  std::string text;  // of a move, without number, time and mark
  std::optional<std::chrono::milliseconds> used;
  bool bad_time = false;
  rules::Side side = rules::Side::kFirst;
};

// `line` is not blank, no comment and no bookmark. The result refers to it.
KifLine ParseKifLine(std::string_view line);

// Whether a text begins with ▲, △ or another mark of a side, which has kMarkBytes bytes.
bool HasSideMark(std::string_view text);
inline constexpr std::size_t kMarkBytes = 3;

// The moves of a KI2 line, each with its mark: "▲７六歩    △３四歩".
std::vector<std::string_view> SplitNames(std::string_view line);

// Whether a text begins as moves do: with a square or 同.
bool StartsLikeMove(std::u32string_view text);

}  // namespace komadai::notation
