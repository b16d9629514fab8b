// FileLock: lets one process at a time use a file, for as long as the object lives. The system
// releases it when the process ends, however it ends.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"

namespace komadai::sqlite {

class FileLock {
 public:
  // Locks PATH-lock, which is made if it is missing. STORE_UNAVAILABLE, with the process that has
  // it, if another one does.
  static Result<std::unique_ptr<FileLock>> Take(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  const int descriptor_;
};

}  // namespace komadai::sqlite
