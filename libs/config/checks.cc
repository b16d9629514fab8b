#include "libs/config/checks.h"

#include <fstream>

namespace komadai::config {
namespace {

std::string WrongListenAddress(const std::string& value) {
  static constexpr char kWrong[] = "must be HOST:PORT, [IPV6]:PORT or unix:/PATH";
  if (value.rfind("unix:", 0) == 0) return value.size() > 5 ? "" : kWrong;
  const std::size_t colon = value.rfind(':');
  if (colon == std::string::npos || colon == 0) return kWrong;
  std::int64_t port = -1;
  if (!ReadValue(value.substr(colon + 1), &port).empty() || port < 0 || port > 65535) return kWrong;
  const std::string host = value.substr(0, colon);
  if (host.find(':') != std::string::npos && (host.front() != '[' || host.back() != ']')) {
    return kWrong;
  }
  return "";
}

}  // namespace

std::string ShownText(const Shown& shown) {
  if (const auto* text = std::get_if<std::string>(&shown)) return *text;
  if (const auto* flag = std::get_if<bool>(&shown)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&shown)) return std::to_string(*whole);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", std::get<double>(shown));
  return buffer;
}

Check<std::string> ListenAddress() { return WrongListenAddress; }

Check<std::string> OptionalListenAddress() {
  return [](const std::string& value) { return value.empty() ? "" : WrongListenAddress(value); };
}

Check<std::string> OptionalReadableFile() {
  return [](const std::string& value) -> std::string {
    if (value.empty() || std::ifstream(value).good()) return "";
    return "cannot be read";
  };
}

}  // namespace komadai::config
