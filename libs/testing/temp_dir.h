// TempDir: a directory of its own for one test, removed with everything in it. Tests only.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "libs/base/check.h"

namespace komadai::testing {

class TempDir {
 public:
  TempDir() {
    // Short on purpose: paths of unix sockets inside it are limited to 107 bytes.
    std::string name = std::filesystem::temp_directory_path() / "komadai.XXXXXX";
    KOMADAI_CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace komadai::testing
