#include "cli/serve.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "libs/base/random.h"
#include "services/all_in_one/all_in_one.h"

namespace komadai::cli {
namespace {

constexpr int kSecretLength = 52;  // 260 bits

// The value of `--name VALUE` or `--name=VALUE`, else of the environment.
std::optional<std::string> Given(const std::vector<std::string>& arguments, const std::string& name,
                                 const char* variable) {
  const std::string flag = "--" + name;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == flag && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with(flag + "=")) return arguments[i].substr(flag.size() + 1);
  }
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

// The secret that signs this server's tokens: made once and kept beside its data.
bool KeepSecret(const std::filesystem::path& path) {
  if (std::filesystem::exists(path)) return true;
  SystemRandom random;
  std::ofstream file(path);
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  file << RandomId(random, kSecretLength);
  return static_cast<bool>(file.flush());
}

}  // namespace

int RunServe(const std::vector<std::string>& arguments) {
  const std::filesystem::path data =
      Given(arguments, "data", "KOMADAI_DATA").value_or("komadai-data");
  std::vector<std::string> all = arguments;
  const bool asks = std::any_of(arguments.begin(), arguments.end(), [](const std::string& one) {
    return one == "--help" || one == "-h" || one == "--version";
  });
  if (!asks) {
    std::error_code error;
    std::filesystem::create_directories(data, error);
    if (error) {
      std::fprintf(stderr, "komadai serve: cannot create %s: %s\n", data.c_str(),
                   error.message().c_str());
      return 1;
    }
    if (!Given(arguments, "sqlite-path", "KOMADAI_SQLITE_PATH")) {
      all.insert(all.end(), {"--sqlite-path", (data / "komadai.db").string()});
    }
    if (!Given(arguments, "token-secret", "KOMADAI_TOKEN_SECRET") &&
        !Given(arguments, "token-secret-file", "KOMADAI_TOKEN_SECRET_FILE")) {
      const std::filesystem::path secret = data / "token-secret";
      if (!KeepSecret(secret)) {
        std::fprintf(stderr, "komadai serve: cannot write %s\n", secret.c_str());
        return 1;
      }
      all.insert(all.end(), {"--token-secret-file", secret.string()});
    }
  }
  return all_in_one::Serve(all);
}

}  // namespace komadai::cli
