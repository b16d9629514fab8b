// The start position of a KIF file: 手合割 (the handicap by name) and the board diagram.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/handicap.h"
#include "libs/rules/position.h"
#include "libs/rules/setup.h"

namespace komadai::notation {

// A name for 手合割. Minishogi has names of its own (5五将棋). Nothing for an unknown one: a board
// must follow then.
struct KifHandicap {
  rules::Variant variant = rules::Variant::kShogi;
  std::string id;  // of rules::HandicapsOf; empty where the catalogue has no such handicap
  rules::Position start = rules::StartPosition(rules::Variant::kShogi);
};
std::optional<KifHandicap> FindKifHandicap(std::string_view name);
// "平手", "二枚落ち", ...; empty if only a board can say it.
std::string_view KifNameOf(rules::Variant variant, std::string_view handicap_id);

// Collects a board diagram (BOD) line by line.
class KifBoard {
 public:
  bool started() const { return rows_ > 0 || open_; }
  bool open() const { return open_; }

  // A line that begins with "+--": the edge above or below the rows.
  Status AddEdge();
  // A row, "|" cells "|".
  Status AddRow(std::string_view line);
  // The pieces in hand: "飛二　歩三", "なし".
  Status AddHand(rules::Side side, std::string_view text);
  void SetSide(rules::Side side) { setup_.side_to_move = side; }

  // BAD_RECORD, or the reason why the position is impossible.
  Result<rules::Position> Finish() const;

 private:
  rules::Setup setup_;
  int rows_ = 0;
  bool open_ = false;
};

std::string FormatKifBoard(const rules::Position& position);

}  // namespace komadai::notation
