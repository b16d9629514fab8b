#include "libs/notation/records/record_builder.h"

#include "libs/notation/records/record_file.h"
#include "libs/notation/text.h"

namespace komadai::notation {

using rules::Move;
using rules::Position;
using rules::Square;

RecordBuilder::RecordBuilder(Position start, Warnings& warnings, int& nodes_left)
    : warnings_(warnings), nodes_left_(nodes_left), lines_(1), open_{0} {
  record_.start = start;
  lines_[0].positions.push_back(start);
}

int RecordBuilder::next_ply() const {
  const Line& line = lines_[current_];
  return line.from_ply + static_cast<int>(line.moves.size());
}

std::optional<Square> RecordBuilder::previous_to() const {
  const Line& line = lines_[current_];
  return line.moves.empty() ? line.previous_to : line.moves.back().move.to;
}

Status RecordBuilder::AddMove(Move move) {
  if (--nodes_left_ < 0 || next_ply() > kMaxRecordPlies) {
    return Error(kRecordTooLarge, "the record has too many moves");
  }
  Line& line = lines_[current_];
  Position next = line.positions.back();
  next.PlayUnchecked(move);
  line.positions.push_back(next);
  line.moves.push_back({.move = move});
  return {};
}

void RecordBuilder::SetUsed(std::chrono::milliseconds used) {
  if (!lines_[current_].moves.empty()) lines_[current_].moves.back().used = used;
}

std::string RecordBuilder::Clean(std::string_view text) {
  bool dropped = false;
  std::string clean = CleanText(text, dropped);
  if (dropped) warnings_.Add("control characters were dropped");
  if (clean.size() > kMaxHeaderBytes) warnings_.Add("a text that is too long was cut");
  return std::string(CutText(TrimWide(clean), kMaxHeaderBytes));
}

void RecordBuilder::AddComment(std::string_view text) {
  Line& line = lines_[current_];
  // What is said before the first move of a variation belongs to its first move; there is no other
  // place for it.
  std::string& comment = !line.moves.empty() ? line.moves.back().comment : record_.comment;
  if (line.moves.empty() && !on_main_line()) return;
  bool dropped = false;
  const std::string clean = CleanText(text, dropped);
  if (dropped) warnings_.Add("control characters were dropped");
  const std::size_t separator = comment.empty() ? 0 : 1;
  if (comment.size() + separator + clean.size() > kMaxCommentBytes) {
    warnings_.Add("a comment that is too long was cut");
    if (comment.size() + separator >= kMaxCommentBytes) return;
  }
  if (separator > 0) comment += '\n';
  comment += CutText(clean, kMaxCommentBytes - comment.size());
}

void RecordBuilder::AddHeader(std::string_view key, std::string_view value) {
  std::string clean_key = Clean(key);
  if (clean_key.empty()) return;
  if (record_.headers.size() >= kMaxHeaders && !record_.headers.contains(clean_key)) {
    warnings_.Add("there are too many headers: the rest is left out");
    return;
  }
  record_.headers[std::move(clean_key)] = Clean(value);
}

bool RecordBuilder::Reaches(const Line& line, int ply) const {
  return line.from_ply < ply && line.from_ply + static_cast<int>(line.moves.size()) >= ply;
}

Result<bool> RecordBuilder::BeginVariation(int ply) {
  if (skipped_from_ && ply > *skipped_from_) return false;  // part of what is skipped
  skipped_from_.reset();
  if (ply < 1) return Error(kBadRecord, "a variation begins at move 1 or later");
  while (open_.size() > 1 && !Reaches(lines_[open_.back()], ply)) {
    std::vector<Position>().swap(lines_[open_.back()].positions);
    open_.pop_back();
  }
  const std::size_t parent = open_.back();
  const bool from_start = parent == 0 && ply == 1;
  if (!from_start && !Reaches(lines_[parent], ply)) {
    return Error(kBadRecord, "a variation begins after the end of the game");
  }
  if (Branch(parent, ply)) return true;
  skipped_from_ = ply;
  return false;
}

bool RecordBuilder::Branch(std::size_t parent, int ply) {
  if (lines_[parent].depth >= kMaxVariationDepth) {
    warnings_.Add("variations that are nested too deeply were left out");
    return false;
  }
  Line line;
  line.from_ply = ply;
  line.parent = parent;
  line.depth = lines_[parent].depth + 1;
  const auto index = static_cast<std::size_t>(ply - lines_[parent].from_ply);
  line.positions.push_back(lines_[parent].positions[index]);
  line.previous_to = index > 0 ? std::optional<Square>(lines_[parent].moves[index - 1].move.to)
                               : lines_[parent].previous_to;
  lines_.push_back(std::move(line));
  current_ = lines_.size() - 1;
  open_.push_back(current_);
  return true;
}

bool RecordBuilder::BranchHere() {
  const int ply = next_ply() - 1;
  return !lines_[current_].moves.empty() && Branch(current_, ply);
}

void RecordBuilder::EndVariation() {
  if (on_main_line()) return;
  std::vector<Position>().swap(lines_[current_].positions);
  open_.pop_back();
  current_ = lines_[current_].parent;
}

Variation RecordBuilder::Assemble(std::size_t line,
                                  const std::multimap<std::size_t, std::size_t>& children) {
  Variation variation;
  variation.from_ply = lines_[line].from_ply;
  variation.moves = std::move(lines_[line].moves);
  const auto [first, last] = children.equal_range(line);
  for (auto child = first; child != last; ++child) {
    Variation inner = Assemble(child->second, children);  // at most kMaxVariationDepth deep
    if (!inner.moves.empty()) variation.variations.push_back(std::move(inner));
  }
  return variation;
}

GameRecord RecordBuilder::Finish() {
  std::multimap<std::size_t, std::size_t> children;
  for (std::size_t line = 1; line < lines_.size(); ++line) {
    children.emplace(lines_[line].parent, line);
  }
  Variation game = Assemble(0, children);
  record_.moves = std::move(game.moves);
  record_.variations = std::move(game.variations);
  return std::move(record_);
}

}  // namespace komadai::notation
