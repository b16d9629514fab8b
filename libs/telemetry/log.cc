#include "libs/telemetry/log.h"

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "libs/base/mutex.h"

namespace komadai::telemetry {
namespace {

constexpr std::array<std::string_view, 6> kLevelNames{"trace",   "debug", "info",
                                                      "warning", "error", "off"};

spdlog::level::level_enum ToSpdlog(Level level) {
  switch (level) {
    case Level::kTrace:
      return spdlog::level::trace;
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
    case Level::kOff:
      break;
  }
  return spdlog::level::off;
}

// Gives each line to a function; the pattern is "%v", so the payload is the whole line.
class FunctionSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit FunctionSink(std::function<void(std::string_view)> function)
      : function_(std::move(function)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const MutexLock lock(mutex_);
    function_(std::string_view(message.payload.data(), message.payload.size()));
  }
  void flush_() override {}

  Mutex mutex_;
  const std::function<void(std::string_view)> function_ KOMADAI_GUARDED_BY(mutex_);
};

// RFC 3339 in UTC with milliseconds.
std::string NowText() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
  char text[48];
  std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(millis));
  return text;
}

// A last line of defence: a secret that is logged by mistake is not published.
bool NamesASecret(std::string_view key) {
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"token", "secret", "password", "authorization", "credential"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::optional<Level> ParseLevel(std::string_view name) {
  const auto found = std::find(kLevelNames.begin(), kLevelNames.end(), name);
  if (found == kLevelNames.end()) return std::nullopt;
  return static_cast<Level>(found - kLevelNames.begin());
}

struct Logger::Sink {
  spdlog::logger logger;

  Sink(spdlog::sink_ptr sink, Level level) : logger("komadai", std::move(sink)) {
    logger.set_pattern("%v");
    logger.set_level(ToSpdlog(level));
    logger.flush_on(spdlog::level::info);
  }
};

Logger::Logger(std::shared_ptr<Sink> sink, std::string service)
    : sink_(std::move(sink)), service_(std::move(service)) {}

Logger::Logger(std::string service, Level level)
    : Logger(std::make_shared<Sink>(std::make_shared<spdlog::sinks::stderr_sink_mt>(), level),
             std::move(service)) {}

Logger::Logger(std::string service, Level level, std::function<void(std::string_view)> sink)
    : Logger(std::make_shared<Sink>(std::make_shared<FunctionSink>(std::move(sink)), level),
             std::move(service)) {}

Logger Logger::Null() {
  return Logger("", Level::kOff, [](std::string_view) {});
}

Logger Logger::ForService(std::string service) const { return Logger(sink_, std::move(service)); }

bool Logger::Enabled(Level level) const { return sink_->logger.should_log(ToSpdlog(level)); }

void Logger::Log(Level level, std::string_view message, Fields fields) const {
  if (!Enabled(level)) return;
  nlohmann::ordered_json line;
  line["time"] = NowText();
  line["level"] = kLevelNames[static_cast<std::size_t>(level)];
  line["service"] = service_;
  line["message"] = message;
  for (const Field& field : fields) {
    const std::string key(field.key);
    if (NamesASecret(key)) {
      line[key] = "[redacted]";
    } else {
      std::visit([&](const auto& value) { line[key] = value; }, field.value);
    }
  }
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  sink_->logger.log(ToSpdlog(level), spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace komadai::telemetry
