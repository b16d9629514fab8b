// Ready-made checks for settings: each returns "" or what is wrong with the value.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/time.h"
#include "libs/config/values.h"

namespace komadai::config {

template <typename T>
using Check = std::function<std::string(const T&)>;

std::string ShownText(const Shown& shown);

template <typename T>
Check<T> Range(T min, T max) {
  return [min, max](const T& value) -> std::string {
    if (value >= min && value <= max) return "";
    return "must be between " + ShownText(ShowValue(min)) + " and " + ShownText(ShowValue(max));
  };
}

inline Check<std::string> NotEmpty() {
  return [](const std::string& value) { return value.empty() ? "must not be empty" : ""; };
}
inline Check<std::string> OneOf(std::vector<std::string> allowed) {
  return [allowed = std::move(allowed)](const std::string& value) -> std::string {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return "";
    std::string list;
    for (const std::string& one : allowed) list += (list.empty() ? "" : ", ") + one;
    return "must be one of: " + list;
  };
}
// HOST:PORT, [IPV6]:PORT or unix:/PATH. Port 0 means any free port.
Check<std::string> ListenAddress();
// The same or "".
Check<std::string> OptionalListenAddress();
// A file that can be opened for reading, or "".
Check<std::string> OptionalReadableFile();
inline Check<Secret> MinLength(std::size_t min) {
  return [min](const Secret& value) -> std::string {
    if (value.empty() || value.Reveal().size() >= min) return "";
    return "must have at least " + std::to_string(min) + " characters";
  };
}

}  // namespace komadai::config
