// Where exceptions go of tasks that nobody waits for: to a handler that counts and logs them;
// without one to stderr. The process lives on.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "libs/base/mutex.h"

namespace komadai {

using EscapedHandler = std::function<void(const char* what)>;

namespace internal {

struct EscapedExceptions {
  Mutex mutex;
  std::shared_ptr<const EscapedHandler> handler KOMADAI_GUARDED_BY(mutex);

  static EscapedExceptions& Instance() {
    static auto& instance = *new EscapedExceptions();  // outlives the threads at exit
    return instance;
  }
};

inline void ReportEscaped(const char* what) {
  std::shared_ptr<const EscapedHandler> handler;
  {
    const MutexLock lock(EscapedExceptions::Instance().mutex);
    handler = EscapedExceptions::Instance().handler;
  }
  if (handler != nullptr) {
    (*handler)(what);
  } else {
    std::fprintf(stderr, "exception in a task that nobody waits for: %s\n", what);
  }
}

}  // namespace internal

// From any thread.
inline void ReportEscaped(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& e) {
    internal::ReportEscaped(e.what());
  } catch (...) {
    internal::ReportEscaped("of unknown type");
  }
}

// For the whole process; an empty handler restores stderr. A call of the old handler may still be
// running when this returns.
inline void SetEscapedHandler(EscapedHandler handler) {
  std::shared_ptr<const EscapedHandler> made;
  if (handler) made = std::make_shared<const EscapedHandler>(std::move(handler));
  const MutexLock lock(internal::EscapedExceptions::Instance().mutex);
  internal::EscapedExceptions::Instance().handler = std::move(made);
}

}  // namespace komadai
