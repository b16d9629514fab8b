// Logger: JSON lines on stderr, one per event: time, level, service, message, then the fields.
//
//   log.Info("game created", {{"game_id", id}, {"ply", 0}});
//
// A cheap handle to copy. Thread-safe. Any bytes are safe as a value (escaped; invalid UTF-8
// replaced). Values of fields whose key names a secret (token, secret, password, authorization) are
// never written.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace komadai::telemetry {

enum class Level { kTrace, kDebug, kInfo, kWarning, kError, kOff };

// "trace", "debug", "info", "warning", "error", "off".
std::optional<Level> ParseLevel(std::string_view name);

// Lives only as long as the Log() call it is an argument of.
struct Field {
  std::string_view key;
  std::variant<std::string_view, std::int64_t, double, bool> value;

  Field(std::string_view k, bool v) : key(k), value(v) {}
  Field(std::string_view k, double v) : key(k), value(v) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Field(std::string_view k, T v)
      : key(k), value(static_cast<std::int64_t>(v)) {}
  template <std::convertible_to<std::string_view> T>
  Field(std::string_view k, const T& v) : key(k), value(std::string_view(v)) {}
};
using Fields = std::initializer_list<Field>;

class Logger {
 public:
  // Writes to stderr.
  Logger(std::string service, Level level);
  // Hands each finished line (without newline) to `sink`, which must be thread-safe.
  Logger(std::string service, Level level, std::function<void(std::string_view line)> sink);
  // A logger that drops everything.
  static Logger Null();

  // The same sink and level under another service name (several services in one process).
  Logger ForService(std::string service) const;

  bool Enabled(Level level) const;
  void Log(Level level, std::string_view message, Fields fields = {}) const;
  void Debug(std::string_view message, Fields fields = {}) const {
    Log(Level::kDebug, message, fields);
  }
  void Info(std::string_view message, Fields fields = {}) const {
    Log(Level::kInfo, message, fields);
  }
  void Warning(std::string_view message, Fields fields = {}) const {
    Log(Level::kWarning, message, fields);
  }
  void Error(std::string_view message, Fields fields = {}) const {
    Log(Level::kError, message, fields);
  }

 private:
  struct Sink;
  Logger(std::shared_ptr<Sink> sink, std::string service);

  std::shared_ptr<Sink> sink_;
  std::string service_;
};

}  // namespace komadai::telemetry
