// OIDC: verified players by the ID tokens of an identity provider (Google's, unless set otherwise).
//
// A player's id is made of issuer and subject, so that the same account is the same player on every
// server and the provider's own id of a person stays with the provider.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/rpc/auth/signing_keys.h"
#include "libs/rpc/auth/token.h"

namespace komadai::rpc {

inline constexpr char kGoogleIssuer[] = "https://accounts.google.com";
inline constexpr char kGoogleJwksUrl[] = "https://www.googleapis.com/oauth2/v3/certs";

struct OidcSettings {
  std::string audiences;  // client ids, separated by commas; empty: no ID tokens
  std::string issuer = kGoogleIssuer;
  std::string jwks_url = kGoogleJwksUrl;
  std::string ca_file;  // PEM; empty: the system's authorities
  Millis refresh{3'600'000};
  Millis clock_skew{30'000};
  std::string bots;    // subjects, separated by commas
  std::string admins;  // the same

  bool enabled() const { return !audiences.empty(); }
  void AddTo(config::Settings& settings);
};

// Checks algorithm (RS256, ES256: the key's own), signature, issuer, audience, expiry, not-before
// and issue time, within the clock skew. Thread-safe.
class OidcTokenVerifier final : public TokenVerifier {
 public:
  OidcTokenVerifier(const OidcSettings& settings, std::unique_ptr<SigningKeys> keys);

  bool Claims(std::string_view issuer) const override;
  // Also kTokenKeysUnavailable.
  Result<VerifiedToken> Verify(const std::string& token, TimePoint now) const override;

 private:
  const std::string issuer_;
  const std::set<std::string> audiences_;
  const std::set<std::string> bots_;
  const std::set<std::string> admins_;
  const Millis clock_skew_;
  const std::unique_ptr<SigningKeys> keys_;
};

// The verifier with keys fetched over HTTPS. `time` and `metrics` must outlive it.
std::unique_ptr<OidcTokenVerifier> MakeOidcTokenVerifier(const OidcSettings& settings,
                                                         const TimeSource& time,
                                                         telemetry::Logger log,
                                                         telemetry::Metrics& metrics);

// The id of the player behind an account: "o" and 24 characters.
std::string PlayerIdOf(std::string_view issuer, std::string_view subject);

}  // namespace komadai::rpc
