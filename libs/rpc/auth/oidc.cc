#include "libs/rpc/auth/oidc.h"

#include <jwt.h>
#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "libs/names/display_name.h"
#include "libs/rpc/auth/base64url.h"
#include "libs/rpc/auth/http_get.h"

namespace komadai::rpc {
namespace {

using nlohmann::json;

// What Google's tokens may say instead.
constexpr char kGoogleOldIssuer[] = "accounts.google.com";
constexpr std::size_t kMaxSubjectBytes = 255;       // OpenID Connect Core 1.0, section 2
constexpr std::int64_t kLastSecond = 253402300799;  // the year 9999
// How long a verified token is remembered: a key that its issuer withdraws is good for no longer.
constexpr std::chrono::minutes kRememberedFor{5};
constexpr int kIdCharacters = 24;  // 120 bits

std::set<std::string> ListOf(const std::string& text) {
  std::set<std::string> list;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    list.insert(part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return list;
}

Error InvalidIdToken(const char* why) {
  return Error(kTokenInvalid, std::string("ID token: ") + why);
}

struct Parts {
  json header;
  json claims;
};

std::optional<json> ParseObject(std::string_view encoded) {
  const std::optional<std::string> text = DecodeBase64Url(encoded);
  if (!text) return std::nullopt;
  json parsed = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return std::nullopt;
  return parsed;
}

std::optional<Parts> Split(const std::string& token) {
  const std::string_view text(token);
  const std::size_t first = text.find('.');
  const std::size_t second = first == text.npos ? first : text.find('.', first + 1);
  if (second == text.npos || text.find('.', second + 1) != text.npos) return std::nullopt;
  std::optional<json> header = ParseObject(text.substr(0, first));
  std::optional<json> claims = ParseObject(text.substr(first + 1, second - first - 1));
  if (!header || !claims) return std::nullopt;
  return Parts{*std::move(header), *std::move(claims)};
}

std::string ClaimText(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A time in whole seconds; none if it is missing or absurd.
std::optional<TimePoint> TimeOf(const json& claims, const char* name) {
  const auto found = claims.find(name);
  if (found == claims.end() || !found->is_number()) return std::nullopt;
  const double seconds = found->get<double>();
  if (!(seconds > 0 && seconds <= static_cast<double>(kLastSecond))) return std::nullopt;
  return FromUnixMillis(static_cast<std::int64_t>(seconds) * 1000);
}

bool IsSigned(const std::string& token, const Jwk& key) {
  jwt_t* raw = nullptr;
  const auto* pem = reinterpret_cast<const unsigned char*>(key.pem.c_str());
  const int failed = jwt_decode(&raw, token.c_str(), pem, static_cast<int>(key.pem.size()));
  const jwt_alg_t wanted = key.algorithm == "RS256" ? JWT_ALG_RS256 : JWT_ALG_ES256;
  const bool good = failed == 0 && jwt_get_alg(raw) == wanted;
  if (failed == 0) jwt_free(raw);
  return good;
}

bool IsFor(const json& claims, const std::set<std::string>& audiences) {
  const auto audience = claims.find("aud");
  if (audience == claims.end()) return false;
  if (audience->is_string()) return audiences.contains(audience->get<std::string>());
  if (!audience->is_array()) return false;
  const bool named = std::any_of(audience->begin(), audience->end(), [&](const json& one) {
    return one.is_string() && audiences.contains(one.get<std::string>());
  });
  // Of several audiences one is the party it was issued to.
  return named && (audience->size() == 1 || audiences.contains(ClaimText(claims, "azp")));
}

std::string UrlProblem(const std::string& url) {
  return IsSafeUrl(url) ? "" : "must be an https:// address (http:// only for this machine itself)";
}

}  // namespace

std::string PlayerIdOf(std::string_view issuer, std::string_view subject) {
  static constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
  const std::string account = std::string(issuer) + '\n' + std::string(subject);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  KOMADAI_CHECK(EVP_Digest(account.data(), account.size(), digest, &size, EVP_sha256(), nullptr) ==
                1);
  std::string id = "o";
  unsigned bits = 0;
  int count = 0;
  const unsigned char* next = digest;
  while (id.size() <= kIdCharacters) {
    if (count < 5) {
      bits = (bits << 8 | *next++) & 0xFFFF;
      count += 8;
    }
    count -= 5;
    id += kAlphabet[bits >> count & 31];
  }
  return id;
}

void OidcSettings::AddTo(config::Settings& settings) {
  settings.Section("Verified players");
  settings.Add(
      "oidc-audience", &audiences,
      "OAuth client ids whose ID tokens sign players in, separated by commas; empty: none");
  settings.Add("oidc-issuer", &issuer, "issuer claim of those tokens", config::NotEmpty());
  settings.Add("oidc-jwks-url", &jwks_url, "where the issuer lists its keys",
               config::Check<std::string>(UrlProblem));
  settings.Add("oidc-ca", &ca_file,
               "PEM file with the authorities to trust there; empty: the system's",
               config::OptionalReadableFile());
  settings.Add("oidc-refresh", &refresh, "how often the keys are fetched",
               config::Range<Millis>(std::chrono::seconds(1), std::chrono::hours(24)));
  settings.Add("oidc-clock-skew", &clock_skew,
               "how far the clocks of the issuer and of this machine may differ",
               config::Range<Millis>(Millis(0), std::chrono::minutes(5)));
  settings.Add("oidc-bots", &bots, "subject claims of accounts that are programs");
  settings.Add("oidc-admins", &admins, "subject claims of accounts that are operators");
  settings.AddRule([this]() -> std::string {
    if (issuer == kGoogleIssuer || jwks_url != kGoogleJwksUrl) return "";
    return "--oidc-issuer is not Google: say where its keys are (--oidc-jwks-url)";
  });
}

OidcTokenVerifier::OidcTokenVerifier(const OidcSettings& settings,
                                     std::unique_ptr<SigningKeys> keys)
    : issuer_(settings.issuer),
      audiences_(ListOf(settings.audiences)),
      bots_(ListOf(settings.bots)),
      admins_(ListOf(settings.admins)),
      clock_skew_(settings.clock_skew),
      keys_(std::move(keys)) {}

bool OidcTokenVerifier::Claims(std::string_view issuer) const {
  return issuer == issuer_ || (issuer_ == kGoogleIssuer && issuer == kGoogleOldIssuer);
}

Result<VerifiedToken> OidcTokenVerifier::Verify(const std::string& token, TimePoint now) const {
  if (token.size() > kMaxTokenLength || token.find('\0') != std::string::npos) {
    return InvalidIdToken("too long or malformed");
  }
  const std::optional<Parts> parts = Split(token);
  if (!parts) return InvalidIdToken("malformed");
  const std::string algorithm = ClaimText(parts->header, "alg");
  // Before any key is looked at: no "none", and no HMAC with a public key for its secret.
  if (algorithm != "RS256" && algorithm != "ES256") return InvalidIdToken("wrong algorithm");
  if (parts->header.contains("crit")) return InvalidIdToken("it needs an extension");
  const std::string key_id = ClaimText(parts->header, "kid");
  if (key_id.empty()) return InvalidIdToken("it does not say which key signed it");
  const Result<std::shared_ptr<const Jwk>> key = keys_->Find(key_id, now);
  if (!key) return key.error();
  if ((*key)->algorithm != algorithm) return InvalidIdToken("wrong algorithm for its key");
  if (!IsSigned(token, **key)) return InvalidIdToken("its signature is wrong");

  const json& claims = parts->claims;
  if (!Claims(ClaimText(claims, "iss"))) return InvalidIdToken("wrong issuer");
  if (!IsFor(claims, audiences_)) return InvalidIdToken("wrong audience");
  const std::string subject = ClaimText(claims, "sub");
  if (subject.empty() || subject.size() > kMaxSubjectBytes) return InvalidIdToken("no subject");
  const std::optional<TimePoint> expires = TimeOf(claims, "exp");
  const std::optional<TimePoint> issued = TimeOf(claims, "iat");
  if (!expires || !issued) return InvalidIdToken("no expiry or time of issue");
  if (*issued > now + clock_skew_) return InvalidIdToken("issued in the future");
  if (claims.contains("nbf")) {
    const std::optional<TimePoint> from = TimeOf(claims, "nbf");
    if (!from || *from > now + clock_skew_) return InvalidIdToken("not valid yet");
  }
  const TimePoint end = *expires + clock_skew_;
  if (now >= end) return Error(kTokenExpired, "ID token: expired; get a new one");

  VerifiedToken verified;
  verified.caller.kind = admins_.contains(subject) ? CallerKind::kAdmin
                         : bots_.contains(subject) ? CallerKind::kBot
                                                   : CallerKind::kPlayer;
  verified.caller.id = PlayerIdOf(issuer_, subject);
  verified.caller.name = NameFromElsewhere(ClaimText(claims, "name"));
  verified.expires = std::min<TimePoint>(end, now + kRememberedFor);
  return verified;
}

std::unique_ptr<OidcTokenVerifier> MakeOidcTokenVerifier(const OidcSettings& settings,
                                                         const TimeSource& time,
                                                         telemetry::Logger log,
                                                         telemetry::Metrics& metrics) {
  SigningKeysOptions options;
  options.refresh = settings.refresh;
  options.fetch = [url = settings.jwks_url, ca = settings.ca_file](const std::atomic<bool>& stop) {
    HttpOptions http;
    http.ca_file = ca;
    return HttpGet(url, http, stop);
  };
  auto keys = std::make_unique<SigningKeys>(std::move(options), time, std::move(log), metrics);
  return std::make_unique<OidcTokenVerifier>(settings, std::move(keys));
}

}  // namespace komadai::rpc
