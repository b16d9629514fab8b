#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "libs/telemetry/metrics_server.h"
#include "libs/telemetry/process_metrics.h"
#include "libs/telemetry/trace.h"

namespace komadai::telemetry {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class LoggerTest : public ::testing::Test {
 protected:
  std::vector<std::string> lines_;
  Logger log_{"game", Level::kInfo, [this](std::string_view line) { lines_.emplace_back(line); }};
};

TEST_F(LoggerTest, OneEventIsOneJsonLine) {
  log_.Info("game created", {{"game_id", "g1"}, {"ply", 3}, {"rated", true}, {"seconds", 0.5}});
  ASSERT_EQ(lines_.size(), 1u);
  const auto json = nlohmann::json::parse(lines_[0]);
  EXPECT_EQ(json["level"], "info");
  EXPECT_EQ(json["service"], "game");
  EXPECT_EQ(json["message"], "game created");
  EXPECT_EQ(json["game_id"], "g1");
  EXPECT_EQ(json["ply"], 3);
  EXPECT_EQ(json["rated"], true);
  EXPECT_EQ(json["seconds"], 0.5);
  EXPECT_THAT(json["time"].get<std::string>(), MatchesRegex("[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z"));
}

TEST_F(LoggerTest, LevelsBelowTheSettingAreDropped) {
  log_.Debug("no");
  log_.Warning("yes");
  EXPECT_EQ(lines_.size(), 1u);
  EXPECT_FALSE(log_.Enabled(Level::kDebug));
}

TEST_F(LoggerTest, HostileTextCannotBreakOutOfItsLine) {
  log_.Info("{} %s \n\"quoted\"", {{"name", "a\nb\x01\xff\"{}"}});
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_EQ(lines_[0].find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(lines_[0]);
  EXPECT_EQ(json["message"], "{} %s \n\"quoted\"");
  EXPECT_EQ(json["name"], "a\nb\x01\xef\xbf\xbd\"{}");
}

TEST_F(LoggerTest, SecretsAreRedactedByTheirKey) {
  log_.Info("x", {{"token", "abc"}, {"Authorization", "Bearer abc"}, {"db_password", "abc"}});
  EXPECT_THAT(lines_[0], Not(HasSubstr("abc")));
}

TEST_F(LoggerTest, AServiceOfTheSameProcessSharesTheSink) {
  log_.ForService("clock").Info("tick");
  EXPECT_EQ(nlohmann::json::parse(lines_[0])["service"], "clock");
}

TEST(LogLevelTest, NamesAreParsed) {
  EXPECT_EQ(ParseLevel("warning"), Level::kWarning);
  EXPECT_EQ(ParseLevel("loud"), std::nullopt);
}

TEST(MetricsTest, UnknownLabelValuesCountAsOther) {
  Metrics metrics;
  Counters& counters =
      metrics.Counter("komadai_test_total", "Test.", {{"variant", {"shogi", "xiangqi"}}});
  counters.With({"shogi"}).Increment();
  for (int i = 0; i < 100000; ++i) counters.With({"game" + std::to_string(i)}).Increment();
  const std::string text = metrics.Scrape();
  EXPECT_THAT(text, AllOf(HasSubstr("komadai_test_total{variant=\"shogi\"} 1"),
                          HasSubstr("komadai_test_total{variant=\"other\"} 100000")));
  EXPECT_LT(text.size(), 1000u);
}

TEST(MetricsTest, TheSameNameReturnsTheSameHandle) {
  Metrics metrics;
  EXPECT_EQ(&metrics.Gauge("komadai_open", "x").Get(), &metrics.Gauge("komadai_open", "x").Get());
}

TEST(MetricsTest, ConstantLabelsShareAName) {
  Metrics metrics;
  metrics.Counter("komadai_calls_total", "x", {}, {{"method", "A"}}).Get().Increment();
  metrics.Counter("komadai_calls_total", "x", {}, {{"method", "B"}}).Get().Increment(2);
  EXPECT_THAT(metrics.Scrape(), AllOf(HasSubstr("komadai_calls_total{method=\"A\"} 1"),
                                      HasSubstr("komadai_calls_total{method=\"B\"} 2")));
  EXPECT_EQ(metrics.Catalogue(), std::vector<std::string>{"komadai_calls_total counter method"});
}

TEST(MetricsTest, CallbackGaugesAreReadAtScrapeAndForgotten) {
  Metrics metrics;
  double value = 3;
  std::shared_ptr<void> guard = metrics.GaugeCallback("komadai_depth", "x", [&] { return value; });
  EXPECT_THAT(metrics.Scrape(), HasSubstr("komadai_depth 3"));
  guard.reset();
  EXPECT_THAT(metrics.Scrape(), Not(HasSubstr("komadai_depth 3")));
}

TEST(ProcessMetricsTest, TellWhatTheProcessUses) {
  Metrics metrics;
  const auto guards = AddProcessMetrics(metrics);
  const std::string text = metrics.Scrape();
  for (const char* name : {"resident_bytes", "threads", "open_files", "cpu_seconds"}) {
    const std::string key = std::string("\nkomadai_process_") + name + " ";
    const std::size_t at = text.find(key);
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_GT(std::strtod(text.c_str() + at + key.size(), nullptr), 0) << name;
  }
}

TEST(MetricsTest, SeriesMayBeFirstUsedFromManyThreads) {
  Metrics metrics;
  Counters& counters = metrics.Counter("komadai_race_total", "x", {{"n", {"0", "1", "2", "3"}}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) counters.With({std::to_string(i % 4)}).Increment();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char* n : {"0", "1", "2", "3"}) EXPECT_EQ(counters.With({n}).Value(), 1000);
}

TEST(MetricsServerTest, ServesOnAFreePortAndReportsABusyOne) {
  Metrics metrics;
  Result<std::unique_ptr<MetricsServer>> first = MetricsServer::Start("127.0.0.1:0", metrics);
  ASSERT_TRUE(first);
  ASSERT_GT((*first)->port(), 0);
  Result<std::unique_ptr<MetricsServer>> second =
      MetricsServer::Start("127.0.0.1:" + std::to_string((*first)->port()), metrics);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(kMetricsListenFailed));
}

TEST(TraceContextTest, AWellFormedHeaderIsKeptAsItIs) {
  const std::string header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const auto context = TraceContext::Parse(header);
  ASSERT_TRUE(context);
  EXPECT_EQ(context->header(), header);
  EXPECT_EQ(context->trace_id(), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_TRUE(context->sampled());
}

TEST(TraceContextTest, MalformedHeadersAreIgnored) {
  for (const char* bad : {"", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
                          "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                          "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                          "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                          "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
                          "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}) {
    EXPECT_FALSE(TraceContext::Parse(bad)) << bad;
  }
  EXPECT_TRUE(TraceContext::Parse("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"));
}

}  // namespace
}  // namespace komadai::telemetry
