#include "libs/sqlite/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "libs/sql/errors.h"

namespace komadai::sqlite {
namespace {

std::string OwnerOf(int descriptor) {
  char text[32] = "";
  const ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  return length > 0 ? "process " + std::string(text, static_cast<std::size_t>(length))
                    : "another process";
}

}  // namespace

Result<std::unique_ptr<FileLock>> FileLock::Take(const std::string& path) {
  const std::string name = path + "-lock";
  const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Error(sql::kStoreUnavailable, "cannot open " + name + ": " + std::strerror(errno));
  }
  std::unique_ptr<FileLock> lock(new FileLock(descriptor));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Error(sql::kStoreUnavailable,
                 path + " is in use by " + OwnerOf(descriptor) + ": one server at a time");
  }
  const std::string owner = std::to_string(getpid());
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    return Error(sql::kStoreUnavailable, "cannot write " + name + ": " + std::strerror(errno));
  }
  return lock;
}

FileLock::~FileLock() { close(descriptor_); }

}  // namespace komadai::sqlite
