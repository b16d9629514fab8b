#include "libs/rpc/testing/certificates.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using CertificatePtr = std::unique_ptr<X509, decltype(&X509_free)>;
using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

std::string TextOf(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return std::string(text, static_cast<std::size_t>(size));
}

template <typename Write>
std::string ToPem(Write write) {
  const BioPtr bio(BIO_new(BIO_s_mem()), BIO_free_all);
  KOMADAI_CHECK(write(bio.get()) == 1);
  return TextOf(bio.get());
}

std::string PrivatePem(EVP_PKEY* key) {
  return ToPem([key](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

std::string CertificatePem(X509* certificate) {
  return ToPem([certificate](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string Encode(std::string_view bytes) {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = (bits << 8 | static_cast<unsigned char>(c)) & 0xFFFFFF;
    for (count += 8; count >= 6;) {
      count -= 6;
      text += kAlphabet[bits >> count & 63];
    }
  }
  if (count > 0) text += kAlphabet[bits << (6 - count) & 63];
  return text;
}

std::string Number(EVP_PKEY* key, const char* name, int bytes) {
  BIGNUM* number = nullptr;
  KOMADAI_CHECK(EVP_PKEY_get_bn_param(key, name, &number) == 1);
  std::string text(static_cast<std::size_t>(bytes > 0 ? bytes : BN_num_bytes(number)), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(text.data()),
               static_cast<int>(text.size()));
  BN_free(number);
  return Encode(text);
}

std::string Signature(EVP_PKEY* key, const std::string& text) {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  KOMADAI_CHECK(EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key) == 1);
  std::size_t size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  KOMADAI_CHECK(EVP_DigestSign(context, nullptr, &size, bytes, text.size()) == 1);
  std::string signature(size, '\0');
  auto* out = reinterpret_cast<unsigned char*>(signature.data());
  KOMADAI_CHECK(EVP_DigestSign(context, out, &size, bytes, text.size()) == 1);
  EVP_MD_CTX_free(context);
  signature.resize(size);
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC) return signature;
  // A JWS has r and s side by side, not as DER.
  const auto* der = reinterpret_cast<const unsigned char*>(signature.data());
  ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(signature.size()));
  std::string flat(64, '\0');
  BN_bn2binpad(ECDSA_SIG_get0_r(pair), reinterpret_cast<unsigned char*>(flat.data()), 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair), reinterpret_cast<unsigned char*>(flat.data()) + 32, 32);
  ECDSA_SIG_free(pair);
  return flat;
}

void AddExtension(X509* certificate, X509* issuer, int id, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, id, value);
  KOMADAI_CHECK(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

CertificatePtr NewCertificate(const std::string& name, EVP_PKEY* key, int serial) {
  CertificatePtr certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86400);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

}  // namespace

struct TestAuthority::Impl {
  KeyPtr key{EVP_EC_gen("P-256"), EVP_PKEY_free};
  CertificatePtr certificate{nullptr, X509_free};
  mutable int next_serial = 2;
};

TestAuthority::TestAuthority(const std::string& name) : impl_(std::make_unique<Impl>()) {
  impl_->certificate = NewCertificate(name, impl_->key.get(), 1);
  X509* const own = impl_->certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  AddExtension(own, own, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  KOMADAI_CHECK(X509_sign(own, impl_->key.get(), EVP_sha256()) > 0);
}

TestAuthority::~TestAuthority() = default;

std::string TestAuthority::Pem() const { return CertificatePem(impl_->certificate.get()); }

PemPair TestAuthority::Issue(const std::string& name) const {
  const KeyPtr key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const CertificatePtr leaf = NewCertificate(name, key.get(), impl_->next_serial++);
  X509* const own = impl_->certificate.get();
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(own));
  AddExtension(leaf.get(), own, NID_basic_constraints, "critical,CA:FALSE");
  AddExtension(leaf.get(), own, NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost");
  AddExtension(leaf.get(), own, NID_ext_key_usage, "serverAuth,clientAuth");
  KOMADAI_CHECK(X509_sign(leaf.get(), impl_->key.get(), EVP_sha256()) > 0);
  return {CertificatePem(leaf.get()), PrivatePem(key.get())};
}

struct TestSigner::Impl {
  std::string key_id;
  std::string algorithm;
  KeyPtr key{nullptr, EVP_PKEY_free};
};

TestSigner::TestSigner(std::string key_id, const std::string& algorithm, int rsa_bits)
    : impl_(std::make_unique<Impl>()) {
  impl_->key_id = std::move(key_id);
  impl_->algorithm = algorithm;
  impl_->key.reset(algorithm == "ES256" ? EVP_EC_gen("P-256")
                                        : EVP_RSA_gen(static_cast<unsigned>(rsa_bits)));
  KOMADAI_CHECK(impl_->key != nullptr);
}

TestSigner::~TestSigner() = default;

nlohmann::json TestSigner::Jwk() const {
  nlohmann::json jwk{{"kid", impl_->key_id}, {"use", "sig"}, {"alg", impl_->algorithm}};
  EVP_PKEY* const key = impl_->key.get();
  if (impl_->algorithm == "ES256") {
    jwk["kty"] = "EC";
    jwk["crv"] = "P-256";
    jwk["x"] = Number(key, OSSL_PKEY_PARAM_EC_PUB_X, 32);
    jwk["y"] = Number(key, OSSL_PKEY_PARAM_EC_PUB_Y, 32);
  } else {
    jwk["kty"] = "RSA";
    jwk["n"] = Number(key, OSSL_PKEY_PARAM_RSA_N, 0);
    jwk["e"] = Number(key, OSSL_PKEY_PARAM_RSA_E, 0);
  }
  return jwk;
}

std::string TestSigner::PublicPem() const {
  return ToPem([this](BIO* bio) { return PEM_write_bio_PUBKEY(bio, impl_->key.get()); });
}

std::string TestSigner::Sign(const nlohmann::json& claims) const {
  return SignAs({{"alg", impl_->algorithm}, {"kid", impl_->key_id}, {"typ", "JWT"}}, claims);
}

std::string TestSigner::SignAs(const nlohmann::json& header, const nlohmann::json& claims) const {
  const std::string text = Encode(header.dump()) + "." + Encode(claims.dump());
  return text + "." + Encode(Signature(impl_->key.get(), text));
}

std::string Assemble(const nlohmann::json& header, const nlohmann::json& claims,
                     const std::string& signature) {
  return Encode(header.dump()) + "." + Encode(claims.dump()) + "." + Encode(signature);
}

std::string HmacSigned(const nlohmann::json& header, const nlohmann::json& claims,
                       const std::string& secret) {
  const std::string text = Encode(header.dump()) + "." + Encode(claims.dump());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
  return text + "." + Encode(std::string_view(reinterpret_cast<const char*>(digest), size));
}

}  // namespace komadai::rpc
