// RecordBuilder: a GameRecord taking shape while a file is read. Keeps the limits, so that readers
// do not have to.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/records/game_record.h"
#include "libs/notation/records/record_text.h"
#include "libs/rules/position.h"

namespace komadai::notation {

class RecordBuilder {
 public:
  // `nodes_left` counts the moves that the whole file may still have.
  RecordBuilder(rules::Position start, Warnings& warnings, int& nodes_left);

  GameRecord& record() { return record_; }

  // The line of play being read: the game itself until a variation begins.
  bool on_main_line() const { return current_ == 0; }
  // The ply of the next move of this line, from 1.
  int next_ply() const;
  const rules::Position& position() const { return lines_[current_].positions.back(); }
  std::optional<rules::Square> previous_to() const;

  // `move` is legal. RECORD_TOO_LARGE.
  Status AddMove(rules::Move move);
  // Of the move added last; ignored before the first one.
  void SetUsed(std::chrono::milliseconds used);
  // A line of comment on the position reached.
  void AddComment(std::string_view line);
  void AddHeader(std::string_view key, std::string_view value);
  // Cleaned and cut: for names.
  std::string Clean(std::string_view text);

  // A variation whose first move replaces `ply`. It branches off the nearest earlier line that
  // reaches `ply` - 1 and begins before `ply`. False: it is nested too deeply and must be skipped.
  // BAD_RECORD if there is no such line.
  Result<bool> BeginVariation(int ply);

  // A variation that replaces the move added last to this line, until EndVariation. False: it is
  // nested too deeply, or there is no such move.
  bool BranchHere();
  void EndVariation();

  // Assembles the tree.
  GameRecord Finish();

 private:
  struct Line {
    int from_ply = 1;
    std::size_t parent = 0;
    int depth = 0;
    std::vector<RecordedMove> moves;
    // positions[i]: before move i. Only of lines that something can still branch off.
    std::vector<rules::Position> positions;
    std::optional<rules::Square> previous_to;  // before the first move
  };

  bool Reaches(const Line& line, int ply) const;
  // False if nested too deeply.
  bool Branch(std::size_t parent, int ply);
  Variation Assemble(std::size_t line, const std::multimap<std::size_t, std::size_t>& children);

  GameRecord record_;
  Warnings& warnings_;
  int& nodes_left_;
  std::vector<Line> lines_;
  std::vector<std::size_t> open_;  // the lines that can still branch, outermost first
  std::size_t current_ = 0;
  std::optional<int> skipped_from_;  // first ply of the last variation that was nested too deeply
};

}  // namespace komadai::notation
