#include "libs/rpc/auth/jwk.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/rpc/auth/base64url.h"

namespace komadai::rpc {
namespace {

constexpr std::size_t kMaxKeys = 64;
constexpr std::size_t kMaxIdBytes = 256;
constexpr int kMinRsaBits = 2048;
constexpr int kMaxRsaBits = 8192;  // larger ones cost more than a token is worth
constexpr int kMaxExponentBits = 64;
constexpr std::size_t kP256Bytes = 32;

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using BigNumber = std::unique_ptr<BIGNUM, Freer<BN_free>>;
using ParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, Freer<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, Freer<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freer<EVP_PKEY_CTX_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Freer<BIO_free_all>>;

const unsigned char* BytesOf(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

BigNumber ToNumber(const std::string& bytes) {
  return BigNumber(BN_bin2bn(BytesOf(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::string TextOf(const nlohmann::json& key, const char* name) {
  const auto found = key.find(name);
  return found != key.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Empty if the member is missing or no base64url.
std::string BytesOf(const nlohmann::json& key, const char* name) {
  return DecodeBase64Url(TextOf(key, name)).value_or("");
}

Key MakeKey(const char* type, OSSL_PARAM_BLD* builder) {
  const Params params(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (params == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) {
    return nullptr;
  }
  Key made(key);
  const KeyContext check(EVP_PKEY_CTX_new_from_pkey(nullptr, made.get(), nullptr));
  if (check == nullptr || EVP_PKEY_public_check(check.get()) != 1) return nullptr;
  return made;
}

Key RsaKey(const nlohmann::json& key) {
  const BigNumber modulus = ToNumber(BytesOf(key, "n"));
  const BigNumber exponent = ToNumber(BytesOf(key, "e"));
  if (modulus == nullptr || exponent == nullptr) return nullptr;
  const int bits = BN_num_bits(modulus.get());
  if (bits < kMinRsaBits || bits > kMaxRsaBits || !BN_is_odd(exponent.get()) ||
      BN_is_one(exponent.get()) || BN_num_bits(exponent.get()) > kMaxExponentBits) {
    return nullptr;
  }
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
    return nullptr;
  }
  return MakeKey("RSA", builder.get());
}

Key EcKey(const nlohmann::json& key) {
  const std::string x = BytesOf(key, "x");
  const std::string y = BytesOf(key, "y");
  if (TextOf(key, "crv") != "P-256" || x.size() != kP256Bytes || y.size() != kP256Bytes) {
    return nullptr;
  }
  const std::string point = "\x04" + x + y;  // uncompressed
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return nullptr;
  }
  return MakeKey("EC", builder.get());
}

std::string ToPem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_PUBKEY(bio.get(), key) != 1) return "";
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<std::size_t>(size));
}

std::optional<Jwk> ParseKey(const nlohmann::json& key) {
  if (!key.is_object()) return std::nullopt;
  const std::string type = TextOf(key, "kty");
  const std::string use = TextOf(key, "use");
  const std::string algorithm = TextOf(key, "alg");
  Jwk jwk;
  jwk.id = TextOf(key, "kid");
  jwk.algorithm = type == "RSA" ? "RS256" : type == "EC" ? "ES256" : "";
  if (jwk.algorithm.empty() || jwk.id.empty() || jwk.id.size() > kMaxIdBytes) return std::nullopt;
  if (!use.empty() && use != "sig") return std::nullopt;
  if (!algorithm.empty() && algorithm != jwk.algorithm) return std::nullopt;
  const Key made = type == "RSA" ? RsaKey(key) : EcKey(key);
  if (made == nullptr) return std::nullopt;
  jwk.pem = ToPem(made.get());
  if (jwk.pem.empty()) return std::nullopt;
  return jwk;
}

}  // namespace

Result<std::vector<Jwk>> ParseJwks(std::string_view json) {
  const auto parsed = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  const auto listed = parsed.is_object() ? parsed.find("keys") : parsed.end();
  if (!parsed.is_object() || listed == parsed.end() || !listed->is_array()) {
    return Error(kBadKeySet, "this is not a JSON Web Key Set");
  }
  std::vector<Jwk> keys;
  for (const auto& key : *listed) {
    if (keys.size() == kMaxKeys) break;
    if (std::optional<Jwk> jwk = ParseKey(key)) keys.push_back(*std::move(jwk));
  }
  if (keys.empty()) return Error(kBadKeySet, "the key set has no key for RS256 or ES256");
  return keys;
}

}  // namespace komadai::rpc
