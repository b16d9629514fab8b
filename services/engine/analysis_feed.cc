#include "services/engine/analysis_feed.h"

namespace komadai::engine {

v1::AnalyseResponse AnalysisFeed::TakeNews() {
  v1::AnalyseResponse message;
  for (const auto& [rank, line] : changed_) *message.add_lines() = ToProto(line);
  changed_.clear();
  return message;
}

v1::AnalyseResponse AnalysisFeed::Last(const SearchResult& result) const {
  v1::AnalyseResponse message;
  message.set_done(true);
  for (const Line& line : LegalLines(position_, result.lines, line_count_)) {
    *message.add_lines() = ToProto(line);
  }
  Decision decision = Judge(position_, result);
  if (decision.kind != Decision::Kind::kMove) decision = JudgeByLines(position_, result);
  if (decision.kind == Decision::Kind::kMove) message.set_best_move(decision.line.moves.front());
  return message;
}

}  // namespace komadai::engine
