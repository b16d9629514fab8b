// LineBook: the latest principal variation of each rank in one search.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "services/engine/domain/search.h"

namespace komadai::engine {

class LineBook {
 public:
  void Add(Line line) { lines_[line.rank] = std::move(line); }
  bool empty() const { return lines_.empty(); }

  // By rank, best first.
  std::vector<Line> All() const {
    std::vector<Line> all;
    for (const auto& [rank, line] : lines_) all.push_back(line);
    return all;
  }

  // The best line that starts with `move` (weak levels choose a lower rank on purpose); a line of
  // that move alone when the engine showed none.
  Line LineOf(const std::string& move) const {
    for (const auto& [rank, line] : lines_) {
      if (!line.moves.empty() && line.moves.front() == move) return line;
    }
    Line bare;
    bare.moves = {move};
    return bare;
  }

 private:
  std::map<int, Line> lines_;
};

// What a search came to.
struct SearchResult {
  BestMove best;
  LineBook lines;
};

}  // namespace komadai::engine
