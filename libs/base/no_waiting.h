// NoWaiting: marks a thread that completes other work (a gRPC callback, a store's loop) and must
// not wait: what it would wait for may need this very thread.
#pragma once

#include "libs/base/check.h"

// What ships waits rather than ends: only tests, which have a sanitizer, are to find the mistake.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KOMADAI_CHECKS_WAITS
#endif

namespace komadai {

// While one lives, nothing waits on this thread. Scopes nest. Stands in the function that another
// library calls, never in a coroutine: that may end on another thread.
class NoWaiting {
 public:
  NoWaiting() : outer_(forbidden_) { forbidden_ = true; }
  ~NoWaiting() { forbidden_ = outer_; }
  NoWaiting(const NoWaiting&) = delete;
  NoWaiting& operator=(const NoWaiting&) = delete;

  static bool Active() { return forbidden_; }
  // Called by everything that waits for another thread. Checks in builds with sanitizers only.
  static void Check() {
#ifdef KOMADAI_CHECKS_WAITS
    const bool waits_where_nothing_may_wait = forbidden_;
    KOMADAI_CHECK(!waits_where_nothing_may_wait);
#endif
  }

 private:
  inline static thread_local bool forbidden_ = false;
  const bool outer_;
};

}  // namespace komadai
