#include "libs/rpc/auth/http_get.h"

#include <curl/curl.h>

#include <memory>
#include <string_view>

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

struct EasyCleanup {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};

struct Body {
  std::string text;
  std::size_t limit;
};

std::size_t Receive(char* data, std::size_t size, std::size_t count, void* user) {
  auto* body = static_cast<Body*>(user);
  const std::size_t bytes = size * count;
  if (body->text.size() + bytes > body->limit) return 0;  // ends the transfer
  body->text.append(data, bytes);
  return bytes;
}

int Progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::atomic<bool>*>(user)->load() ? 1 : 0;
}

bool InitialiseOnce() {
  static const bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return ready;
}

}  // namespace

bool IsSafeUrl(const std::string& url) {
  const std::string_view text(url);
  if (text.substr(0, 8) == "https://") return text.size() > 8;
  for (const std::string_view local : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
    if (text.substr(0, local.size()) != local) continue;
    const std::string_view rest = text.substr(local.size());
    if (rest.empty() || rest.front() == ':' || rest.front() == '/') {
      return rest.find('@') == std::string_view::npos;
    }
  }
  return false;
}

Result<std::string> HttpGet(const std::string& url, const HttpOptions& options,
                            const std::atomic<bool>& stop) {
  KOMADAI_CHECK(IsSafeUrl(url));
  const std::unique_ptr<CURL, EasyCleanup> curl(InitialiseOnce() ? curl_easy_init() : nullptr);
  if (curl == nullptr) return Error(kHttpFailed, "libcurl cannot be used");
  Body body{"", options.max_bytes};
  char problem[CURL_ERROR_SIZE] = "";
  CURL* const handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);  // threads
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "komadai");
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, Receive);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, Progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &stop);
  if (!options.ca_file.empty()) {
    curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
    curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
  }
  const CURLcode code = curl_easy_perform(handle);
  if (code != CURLE_OK) {
    return Error(kHttpFailed, url + ": " + (*problem ? problem : curl_easy_strerror(code)));
  }
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return Error(kHttpFailed, url + ": status " + std::to_string(status));
  return std::move(body.text);
}

}  // namespace komadai::rpc
