#include "services/engine/app/analysis_feed.h"

#include <gtest/gtest.h>

namespace komadai::engine {
namespace {

Line LineOf(int rank, int depth, std::vector<std::string> moves) {
  Line line;
  line.rank = rank;
  line.depth = depth;
  line.moves = std::move(moves);
  return line;
}

const rules::Position& Start() {
  static const rules::Position position = CheckGame(rules::Variant::kShogi, "", {})->position;
  return position;
}

TEST(AnalysisFeedTest, BetweenTwoMessagesOnlyTheNewestLineOfARankIsKept) {
  AnalysisFeed feed(Start(), 2);
  feed.Note(LineOf(1, 1, {"7g7f"}));
  feed.Note(LineOf(2, 1, {"2g2f"}));
  feed.Note(LineOf(1, 2, {"2g2f", "8c8d"}));
  const pb::AnalyseResponse news = feed.TakeNews();
  ASSERT_EQ(news.lines_size(), 2);
  EXPECT_EQ(news.lines(0).depth(), 2);
  EXPECT_EQ(news.lines(1).rank(), 2);
  EXPECT_FALSE(news.done());
  EXPECT_FALSE(feed.HasNews());
}

TEST(AnalysisFeedTest, IllegalLinesAndRanksNobodyAskedForAreNoNews) {
  AnalysisFeed feed(Start(), 1);
  feed.Note(LineOf(1, 1, {"5i1a"}));
  feed.Note(LineOf(2, 1, {"7g7f"}));
  EXPECT_FALSE(feed.HasNews());
}

TEST(AnalysisFeedTest, TheLastMessageHasAllLinesAndALegalMove) {
  const AnalysisFeed feed(Start(), 2);
  SearchResult result;
  result.best = {BestMove::Kind::kMove, "5i1a"};
  result.lines.Add(LineOf(1, 9, {"5i1a"}));
  result.lines.Add(LineOf(2, 9, {"7g7f", "3c3d"}));
  const pb::AnalyseResponse last = feed.Last(result);
  EXPECT_TRUE(last.done());
  EXPECT_EQ(last.lines_size(), 1);
  EXPECT_EQ(last.best_move(), "7g7f");
}

}  // namespace
}  // namespace komadai::engine
