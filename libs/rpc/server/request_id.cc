#include "libs/rpc/server/request_id.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "libs/rpc/error.h"

namespace komadai::rpc {
namespace {

constexpr std::size_t kIdLength = 16;
constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

}  // namespace

Status CheckRequestId(const std::string& request_id) {
  const bool printable =
      std::all_of(request_id.begin(), request_id.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (request_id.size() >= 8 && request_id.size() <= 64 && printable) return {};
  return InvalidField(kBadRequestId, "request_id", "must have 8 to 64 printable ASCII characters");
}

namespace {

std::string RequestText(const std::string& creator_id, const std::string& request_id) {
  return std::to_string(creator_id.size()) + ":" + creator_id + request_id;
}

std::string Letters(const unsigned char* digest) {
  std::string id;
  for (std::size_t i = 0; i < kIdLength; ++i) id += kAlphabet[digest[i] & 31];
  return id;
}

}  // namespace

std::string IdFromRequest(const std::string& creator_id, const std::string& request_id) {
  const std::string text = RequestText(creator_id, request_id);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  return Letters(digest);
}

std::string SecretIdFromRequest(const std::string& key, const std::string& creator_id,
                                const std::string& request_id) {
  const std::string text = RequestText(creator_id, request_id);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
  return Letters(digest);
}

}  // namespace komadai::rpc
