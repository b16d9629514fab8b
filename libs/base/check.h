// KOMADAI_CHECK: aborts on a programmer's error, in every build. Never used on data from outside.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace komadai::internal {
[[noreturn]] inline void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}
}  // namespace komadai::internal

#define KOMADAI_CHECK(condition) \
  (static_cast<bool>(condition)  \
       ? static_cast<void>(0)    \
       : ::komadai::internal::CheckFailed(#condition, __FILE__, __LINE__))
