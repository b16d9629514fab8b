#include "services/engine/app/analysis_feed.h"

namespace komadai::engine {

pb::AnalyseResponse AnalysisFeed::TakeNews() {
  pb::AnalyseResponse message;
  for (const auto& [rank, line] : changed_) *message.add_lines() = ToProto(line);
  changed_.clear();
  return message;
}

pb::AnalyseResponse AnalysisFeed::Last(const SearchResult& result) const {
  pb::AnalyseResponse message;
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
