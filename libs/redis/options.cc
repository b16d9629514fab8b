#include "libs/redis/options.h"

#include <charconv>
#include <optional>

namespace komadai::redis {
namespace {

constexpr int kMaxDatabase = 1'000'000;

Error BadUrl(std::string_view why) {
  return Error{kBadRedisUrl, "not a Redis URL: " + std::string(why)};
}

std::optional<int> ParseNumber(std::string_view text, int max) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > max) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* digits = text.data() + i + 1;
    const auto [end, error] = std::from_chars(digits, digits + 2, value, 16);
    if (error != std::errc() || end != digits + 2) return std::nullopt;
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

// Takes "user:password@" off the front.
Status ParseCredentials(std::string_view& rest, Options& options) {
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view credentials = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const std::size_t colon = credentials.find(':');
  const auto user = PercentDecode(credentials.substr(0, colon));
  const auto password = colon == std::string_view::npos
                            ? std::optional<std::string>("")
                            : PercentDecode(credentials.substr(colon + 1));
  if (!user || !password) return BadUrl("bad percent-encoding in the credentials");
  options.user = *user;
  options.password = *password;
  return {};
}

Status ParseDatabase(std::string_view text, Options& options) {
  if (text.empty()) return {};
  const std::optional<int> database = ParseNumber(text, kMaxDatabase);
  if (!database) return BadUrl("the database is not a number");
  options.database = *database;
  return {};
}

Result<Options> ParseUnix(std::string_view rest) {
  Options options;
  const std::size_t query = rest.find('?');
  if (query != std::string_view::npos) {
    const std::string_view parameter = rest.substr(query + 1);
    if (parameter.substr(0, 3) != "db=") return BadUrl("the only parameter is db");
    if (Status status = ParseDatabase(parameter.substr(3), options); !status) {
      return std::move(status).error();
    }
    rest = rest.substr(0, query);
  }
  if (Status status = ParseCredentials(rest, options); !status) return std::move(status).error();
  const auto path = PercentDecode(rest);
  if (!path || path->empty() || path->front() != '/') return BadUrl("no absolute socket path");
  options.unix_socket = *path;
  return options;
}

Result<Options> ParseTcp(std::string_view rest) {
  Options options;
  // The path begins behind the credentials, which may contain a slash only when encoded.
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos) {
    if (Status status = ParseDatabase(rest.substr(slash + 1), options); !status) {
      return std::move(status).error();
    }
    rest = rest.substr(0, slash);
  }
  if (Status status = ParseCredentials(rest, options); !status) return std::move(status).error();
  if (!rest.empty() && rest.front() == '[') {  // an IPv6 address
    const std::size_t bracket = rest.find(']');
    if (bracket == std::string_view::npos) return BadUrl("unbalanced bracket");
    options.host = rest.substr(1, bracket - 1);
    rest.remove_prefix(bracket + 1);
  } else {
    options.host = rest.substr(0, rest.find(':'));
    rest.remove_prefix(options.host.size());
  }
  if (options.host.empty()) return BadUrl("no host");
  if (!rest.empty()) {
    const auto port = rest.front() == ':' ? ParseNumber(rest.substr(1), 65535) : std::nullopt;
    if (!port || *port == 0) return BadUrl("bad port");
    options.port = *port;
  }
  return options;
}

}  // namespace

Result<Options> ParseUrl(std::string_view url) {
  constexpr std::string_view kTcp = "redis://";
  constexpr std::string_view kUnix = "unix://";
  if (url.substr(0, kTcp.size()) == kTcp) return ParseTcp(url.substr(kTcp.size()));
  if (url.substr(0, kUnix.size()) == kUnix) return ParseUnix(url.substr(kUnix.size()));
  return BadUrl("it begins with neither redis:// nor unix://");
}

}  // namespace komadai::redis
