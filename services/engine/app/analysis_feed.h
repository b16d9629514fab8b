// AnalysisFeed: turns the lines of a search into the messages of an analysis. Between two messages
// only the newest line of each rank is kept, so a slow reader misses steps, never the end.
#pragma once

#include <map>

#include "komadai/engine/v1/engine.pb.h"
#include "libs/rules/position.h"
#include "services/engine/convert.h"
#include "services/engine/domain/arbiter.h"
#include "services/engine/domain/line_book.h"

namespace komadai::engine {

class AnalysisFeed {
 public:
  AnalysisFeed(const rules::Position& position, int line_count)
      : position_(position), line_count_(line_count) {}

  // Notes a line as the engine gave it; what is illegal in it is cut off.
  void Note(Line line) {
    if (line.rank > line_count_) return;
    line = LegalPart(position_, std::move(line));
    if (!line.moves.empty()) changed_[line.rank] = std::move(line);
  }
  bool HasNews() const { return !changed_.empty(); }
  // The lines that changed since the last call.
  pb::AnalyseResponse TakeNews();
  // The last message: every line as it stands at the end, and the best legal move.
  pb::AnalyseResponse Last(const SearchResult& result) const;

 private:
  const rules::Position position_;
  const int line_count_;
  std::map<int, Line> changed_;
};

}  // namespace komadai::engine
