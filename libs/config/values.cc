#include "libs/config/values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace komadai::config {
namespace {

struct Unit {
  std::string_view suffix;
  std::int64_t millis;
};
constexpr std::array<Unit, 5> kUnits{
    {{"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}}};

template <typename T>
bool ReadWhole(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// scheme://user:PASSWORD@host. The password may hold an unescaped '@': the last one before the path
// ends it.
std::string MaskUserInfo(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const std::size_t begin = scheme + 3;
  const std::size_t at = url.rfind('@', url.find('/', begin));
  const std::size_t colon = url.find(':', begin);
  if (at == std::string::npos || at < begin || colon == std::string::npos || colon > at) return url;
  return url.substr(0, colon + 1) + "***" + url.substr(at);
}

// password=VALUE or password='VALUE' as a query parameter or a keyword of libpq.
std::string MaskPasswordKey(const std::string& text) {
  static constexpr std::string_view kKey = "password=";
  const auto found =
      std::search(text.begin(), text.end(), kKey.begin(), kKey.end(),
                  [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  if (found == text.end()) return text;
  const std::size_t begin = static_cast<std::size_t>(found - text.begin()) + kKey.size();
  std::size_t end = std::min(text.find_first_of("& ", begin), text.size());
  if (begin < text.size() && text[begin] == '\'') {
    for (end = begin + 1; end < text.size() && text[end] != '\''; ++end) {
      if (text[end] == '\\') ++end;
    }
    end = std::min(end + 1, text.size());
  }
  return text.substr(0, begin) + "***" + text.substr(end);
}

}  // namespace

std::string SecretUrl::Masked() const { return MaskPasswordKey(MaskUserInfo(value_)); }

std::string ReadValue(const std::string& text, bool* out) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") {
    *out = true;
  } else if (text == "false" || text == "0" || text == "no" || text == "off") {
    *out = false;
  } else {
    return "must be true or false";
  }
  return "";
}

std::string ReadValue(const std::string& text, std::int64_t* out) {
  return ReadWhole(text, out) ? "" : "must be a whole number";
}

std::string ReadValue(const std::string& text, double* out) {
  return ReadWhole(text, out) ? "" : "must be a number";
}

std::string ReadValue(const std::string& text, std::string* out) {
  *out = text;
  return "";
}

std::string ReadValue(const std::string& text, Millis* out) {
  if (text == "0") {
    *out = Millis(0);
    return "";
  }
  const std::size_t digits = text.find_first_not_of("0123456789");
  std::int64_t count = 0;
  if (digits != std::string::npos && digits > 0 &&
      ReadWhole(std::string_view(text).substr(0, digits), &count)) {
    for (const Unit& unit : kUnits) {
      if (text.substr(digits) != unit.suffix) continue;
      if (count > INT64_MAX / 2 / unit.millis) return "is too long";
      *out = Millis(count * unit.millis);
      return "";
    }
  }
  return "must be a duration such as 250ms, 30s, 5m, 1h or 1d";
}

std::string ReadValue(const std::string& text, std::vector<std::string>* out) {
  out->clear();
  std::size_t begin = 0;
  while (begin <= text.size() && !text.empty()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) out->push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return "";
}

std::string ReadValue(const std::string& text, Secret* out) {
  *out = Secret(text);
  return "";
}

std::string ReadValue(const std::string& text, SecretUrl* out) {
  *out = SecretUrl(text);
  return "";
}

Shown ShowValue(double value) { return value; }
Shown ShowValue(const std::string& value) { return value; }
Shown ShowValue(const Secret& value) { return std::string(value.empty() ? "" : "***"); }
Shown ShowValue(const SecretUrl& value) { return value.Masked(); }

Shown ShowValue(Millis value) {
  for (const Unit& unit : kUnits) {
    if (value.count() != 0 && value.count() % unit.millis == 0) {
      return std::to_string(value.count() / unit.millis) + std::string(unit.suffix);
    }
  }
  return std::string("0");
}

Shown ShowValue(const std::vector<std::string>& value) {
  std::string joined;
  for (const std::string& one : value) joined += (joined.empty() ? "" : ",") + one;
  return joined;
}

}  // namespace komadai::config
