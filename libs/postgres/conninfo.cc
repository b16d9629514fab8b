#include "libs/postgres/conninfo.h"

#include <libpq-fe.h>

#include <map>
#include <memory>

namespace komadai::postgres {
namespace {

struct OptionsFree {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

std::string Quoted(const std::string& value) {
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string Describe(const std::map<std::string, std::string>& settings) {
  const auto get = [&](const char* key, const char* fallback) {
    const auto found = settings.find(key);
    return found == settings.end() ? std::string(fallback) : found->second;
  };
  return get("dbname", "the default database") + " on " + get("host", "the local socket") + ":" +
         get("port", "5432");
}

}  // namespace

Result<ConnInfo> ParseConnInfo(const std::string& url, Millis connect_timeout) {
  // libpq's own message is dropped: it may quote the URL with its password.
  const std::unique_ptr<PQconninfoOption, OptionsFree> options(
      PQconninfoParse(url.c_str(), nullptr));
  if (options == nullptr) return Error(kInvalidUrl, "the PostgreSQL URL is malformed");

  const auto whole_seconds = std::chrono::ceil<std::chrono::seconds>(connect_timeout);
  std::map<std::string, std::string> settings = {
      {"application_name", "komadai"},
      {"client_encoding", "UTF8"},
      {"connect_timeout", std::to_string(whole_seconds.count())},
      // A peer that vanished is noticed within about 15 s, also while nothing is sent.
      {"keepalives_idle", "5"},
      {"keepalives_interval", "3"},
      {"keepalives_count", "3"},
      {"tcp_user_timeout", "15000"},
  };
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val != nullptr) settings[option->keyword] = option->val;
  }
  settings["options"] +=
      " -c bytea_output=hex -c extra_float_digits=1 -c client_min_messages=error";

  ConnInfo info;
  for (const auto& [key, value] : settings) info.keywords += key + "=" + Quoted(value) + " ";
  info.description = Describe(settings);
  if (const auto found = settings.find("password"); found != settings.end()) {
    info.password = found->second;
  }
  return info;
}

std::string WithoutPassword(std::string message, const ConnInfo& info) {
  if (info.password.empty()) return message;
  for (std::size_t at = 0; (at = message.find(info.password, at)) != std::string::npos;) {
    message.replace(at, info.password.size(), "***");
    at += 3;
  }
  return message;
}

}  // namespace komadai::postgres
