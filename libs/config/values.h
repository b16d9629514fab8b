// How settings of each type are read from text, described to people and shown in JSON.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/time.h"

namespace komadai::config {

// A value that is never printed: keys, tokens, passwords.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  const std::string& Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }

 private:
  std::string value_;
};

// A database address; shown with its password masked. Accepts postgresql:// and redis:// addresses
// and libpq's `key=value` form.
class SecretUrl {
 public:
  SecretUrl() = default;
  explicit SecretUrl(std::string value) : value_(std::move(value)) {}
  const std::string& Reveal() const { return value_; }
  std::string Masked() const;
  bool empty() const { return value_.empty(); }

 private:
  std::string value_;
};

using Shown = std::variant<bool, std::int64_t, double, std::string>;

// Read: "" and *out set, or what is wrong with `text`. Durations are written 250ms, 30s, 5m, 1h,
// 1d.
std::string ReadValue(const std::string& text, bool* out);
std::string ReadValue(const std::string& text, std::int64_t* out);
std::string ReadValue(const std::string& text, double* out);
std::string ReadValue(const std::string& text, std::string* out);
std::string ReadValue(const std::string& text, Millis* out);
std::string ReadValue(const std::string& text, std::vector<std::string>* out);
std::string ReadValue(const std::string& text, Secret* out);
std::string ReadValue(const std::string& text, SecretUrl* out);

template <typename T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool> &&
         !std::is_same_v<T, std::int64_t>) std::string ReadValue(const std::string& text, T* out) {
  std::int64_t wide = 0;
  if (std::string wrong = ReadValue(text, &wide); !wrong.empty()) return wrong;
  if (!std::in_range<T>(wide)) return "is out of range";
  *out = static_cast<T>(wide);
  return "";
}

Shown ShowValue(double value);
Shown ShowValue(const std::string& value);
Shown ShowValue(Millis value);
Shown ShowValue(const std::vector<std::string>& value);
Shown ShowValue(const Secret& value);
Shown ShowValue(const SecretUrl& value);
template <typename T>
requires(std::is_integral_v<T>) Shown ShowValue(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else {
    return static_cast<std::int64_t>(value);
  }
}

// The word `--help` shows for the type, e.g. DURATION.
template <typename T>
constexpr std::string_view TypeName() {
  if constexpr (std::is_same_v<T, bool>) {
    return "true|false";
  } else if constexpr (std::is_integral_v<T>) {
    return "NUMBER";
  } else if constexpr (std::is_same_v<T, double>) {
    return "NUMBER";
  } else if constexpr (std::is_same_v<T, Millis>) {
    return "DURATION";
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return "LIST";
  } else if constexpr (std::is_same_v<T, Secret>) {
    return "SECRET";
  } else if constexpr (std::is_same_v<T, SecretUrl>) {
    return "URL";
  } else {
    return "TEXT";
  }
}

}  // namespace komadai::config
