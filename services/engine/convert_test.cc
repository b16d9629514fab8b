#include "services/engine/convert.h"

#include <gtest/gtest.h>

#include <functional>

namespace komadai::engine {
namespace {

namespace common_pb = ::komadai::common::v1;

pb::BestMoveRequest Request() {
  pb::BestMoveRequest request;
  request.mutable_position()->set_variant(common_pb::VARIANT_SHOGI);
  request.set_level(common_pb::COMPUTER_LEVEL_MEDIUM);
  return request;
}

void SetClock(pb::BestMoveRequest& request) {
  common_pb::SideTime* time = request.mutable_time_control()->mutable_first();
  time->set_main_ms(300'000);
  time->set_byoyomi_ms(30'000);
  time->set_byoyomi_periods(3);
  request.mutable_clock()->mutable_first()->set_main_left_ms(1'000);
  request.mutable_clock()->mutable_first()->set_period_left_ms(30'000);
  request.mutable_clock()->mutable_second()->set_period_left_ms(12'000);
}

std::string ReasonAfter(const std::function<void(pb::BestMoveRequest&)>& change) {
  pb::BestMoveRequest request = Request();
  change(request);
  const Result<Query> query = QueryOf(request);
  return query ? "" : query.error().reason();
}

TEST(EngineConvertTest, ALevelBecomesItsRowOfTheTable) {
  const Result<Query> query = QueryOf(Request());
  ASSERT_TRUE(query) << query.error().ToString();
  EXPECT_EQ(query->request.skill, 8);
  EXPECT_EQ(query->request.limits.depth, 8);
  EXPECT_FALSE(query->request.clocks);
}

TEST(EngineConvertTest, LimitsMeanFullStrength) {
  pb::BestMoveRequest request = Request();
  request.mutable_limits()->set_nodes(500);
  const Result<Query> query = QueryOf(request);
  ASSERT_TRUE(query);
  EXPECT_FALSE(query->request.skill);
  EXPECT_EQ(query->request.limits.nodes, 500);
  EXPECT_FALSE(query->request.limits.time);
}

TEST(EngineConvertTest, EachSideKeepsItsOwnClock) {
  pb::BestMoveRequest request = Request();
  SetClock(request);
  const Result<Query> query = QueryOf(request);
  ASSERT_TRUE(query) << query.error().ToString();
  ASSERT_TRUE(query->request.clocks);
  EXPECT_EQ((*query->request.clocks)[0].main_left, Millis(1'000));
  EXPECT_EQ((*query->request.clocks)[0].byoyomi, Millis(30'000));
  EXPECT_EQ((*query->request.clocks)[1].main_left, Millis(0));
  EXPECT_EQ((*query->request.clocks)[1].byoyomi, Millis(12'000));
}

TEST(EngineConvertTest, ASideWithoutAClockPlaysByItsLimits) {
  pb::BestMoveRequest request = Request();
  SetClock(request);
  request.mutable_time_control()->mutable_second()->Clear();  // second has no clock
  request.mutable_position()->add_moves("7g7f");
  const Result<Query> query = QueryOf(request);
  ASSERT_TRUE(query) << query.error().ToString();
  EXPECT_FALSE(query->request.clocks);
}

TEST(EngineConvertTest, BadRequestsHaveTheirReasons) {
  using R = pb::BestMoveRequest;
  EXPECT_EQ(ReasonAfter([](R& r) { r.clear_position(); }), "UNKNOWN_VARIANT");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_position()->set_position("x"); }), "INVALID_POSITION");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_position()->add_moves("x"); }), "INVALID_MOVE");
  EXPECT_EQ(ReasonAfter([](R& r) { r.clear_strength(); }), "MISSING_STRENGTH");
  EXPECT_EQ(ReasonAfter([](R& r) { r.set_level(common_pb::COMPUTER_LEVEL_UNSPECIFIED); }),
            "MISSING_STRENGTH");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_limits(); }), "BAD_LIMITS");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_limits()->set_time_ms(-1); }), "BAD_LIMITS");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_limits()->set_time_ms(60'001); }), "BAD_LIMITS");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_limits()->set_nodes(100'000'001); }), "BAD_LIMITS");
  EXPECT_EQ(ReasonAfter([](R& r) { r.mutable_limits()->set_depth(65); }), "BAD_LIMITS");
  EXPECT_EQ(ReasonAfter([](R& r) {
              SetClock(r);
              r.clear_time_control();
            }),
            "BAD_CLOCK");
  EXPECT_EQ(ReasonAfter([](R& r) {
              SetClock(r);
              r.mutable_clock()->mutable_first()->set_main_left_ms(-5);
            }),
            "BAD_CLOCK");
}

TEST(EngineConvertTest, AnalysesHaveOneToFiveLines) {
  pb::AnalyseRequest request;
  request.mutable_position()->set_variant(common_pb::VARIANT_XIANGQI);
  request.mutable_limits()->set_depth(3);
  EXPECT_EQ(QueryOf(request)->request.line_count, 1);
  request.set_line_count(5);
  EXPECT_EQ(QueryOf(request)->request.line_count, 5);
  for (const int count : {-1, 6}) {
    request.set_line_count(count);
    EXPECT_EQ(QueryOf(request).error().reason(), "BAD_LINE_COUNT");
  }
}

TEST(EngineConvertTest, ScoresAreCentipawnsOrMatesOrAbsent) {
  Line line;
  line.moves = {"7g7f"};
  EXPECT_EQ(ToProto(line).score_case(), pb::Line::SCORE_NOT_SET);
  line.score = {Score::Kind::kCentipawns, -30};
  EXPECT_EQ(ToProto(line).centipawns(), -30);
  line.score = {Score::Kind::kMatePlies, 3};
  EXPECT_EQ(ToProto(line).mate_plies(), 3);
}

}  // namespace
}  // namespace komadai::engine
