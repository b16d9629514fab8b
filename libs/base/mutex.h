// Mutex, MutexLock and CondVar: the standard's, with clang's thread-safety annotations. A member
// says which mutex guards it, and `./dev lint` finds an access without it:
//
//   Mutex mutex_;
//   int count_ KOMADAI_GUARDED_BY(mutex_) = 0;
//   void GrowLocked() KOMADAI_REQUIRES(mutex_);
//
// The analysis sees one function at a time. A lambda is a function of its own, which holds nothing.
// The annotations are empty for other compilers and cost nothing at run time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "libs/base/no_waiting.h"

#if defined(__clang__)
#define KOMADAI_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define KOMADAI_THREAD_ANNOTATION(attribute)
#endif

// On a member: read and written only while the mutex is held.
#define KOMADAI_GUARDED_BY(mutex) KOMADAI_THREAD_ANNOTATION(guarded_by(mutex))
// On a function: called with the mutex held.
#define KOMADAI_REQUIRES(mutex) KOMADAI_THREAD_ANNOTATION(requires_capability(mutex))
// On a function that takes or releases the mutex itself.
#define KOMADAI_ACQUIRE(...) KOMADAI_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define KOMADAI_ACQUIRE_SHARED(mutex) KOMADAI_THREAD_ANNOTATION(acquire_shared_capability(mutex))
#define KOMADAI_RELEASE(...) KOMADAI_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace komadai {

template <typename Standard>
class KOMADAI_THREAD_ANNOTATION(capability("mutex")) AnyMutex {
 public:
  AnyMutex() = default;
  AnyMutex(const AnyMutex&) = delete;
  AnyMutex& operator=(const AnyMutex&) = delete;

 private:
  template <typename>
  friend class MutexLock;
  friend class ReaderLock;
  Standard mutex_;
};
using Mutex = AnyMutex<std::mutex>;
using RecursiveMutex = AnyMutex<std::recursive_mutex>;
using SharedMutex = AnyMutex<std::shared_mutex>;

// Holds a mutex while it lives. Never held across a co_await: another thread may resume there.
template <typename Standard>
class KOMADAI_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(AnyMutex<Standard>& mutex) KOMADAI_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() KOMADAI_RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // For the rest of a scope, or in between.
  void Unlock() KOMADAI_RELEASE() { lock_.unlock(); }
  void Lock() KOMADAI_ACQUIRE() { lock_.lock(); }

 private:
  friend class CondVar;
  std::unique_lock<Standard> lock_;
};

// Holds a SharedMutex together with other readers.
class KOMADAI_THREAD_ANNOTATION(scoped_lockable) ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) KOMADAI_ACQUIRE_SHARED(mutex) : lock_(mutex.mutex_) {}
  ~ReaderLock() KOMADAI_RELEASE() {}
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

// Waits without a predicate, because a lambda holds nothing for the analysis:
//
//   while (!ready_) changed_.Wait(lock);
//   while (!ready_ && changed_.WaitUntil(lock, until)) {
//   }
class CondVar {
 public:
  void Wait(MutexLock<std::mutex>& lock) {
    NoWaiting::Check();
    condition_.wait(lock.lock_);
  }
  // False once that instant has come. A wait may end before it without a reason.
  template <typename Clock, typename Duration>
  bool WaitUntil(MutexLock<std::mutex>& lock,
                 const std::chrono::time_point<Clock, Duration>& until) {
    NoWaiting::Check();
    return condition_.wait_until(lock.lock_, until) == std::cv_status::no_timeout;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace komadai
