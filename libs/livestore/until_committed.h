// UntilCommitted: load, decide, commit; and the same again while the outcome is open.
//
//   Task<livestore::Attempt<Seek>> TryCancel(std::string seek_id);  // loads, decides, commits once
//
//   Task<Result<Seek>> Cancel(std::string seek_id) {
//     return livestore::UntilCommitted(
//         kMaxAttempts, [this, seek_id](int) { return TryCancel(seek_id); },
//         [seek_id] { return TooMuchContention(seek_id); });
//   }
//
// An attempt must load in itself: after a lost race the document has changed, and after a commit in
// doubt it may have. An attempt that finds its own change in the document answers with its value.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "libs/base/check.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/livestore/live_store.h"

namespace komadai::livestore {

// Nothing was committed, because the decision was made on a version that is not, or may not be, the
// present one.
struct LostRace {};

// What became of one attempt to change a document: exactly one of the four.
template <typename T>
class [[nodiscard]] Attempt {
 public:
  // All implicit on purpose. A value: committed, or found that nothing is left to commit.
  Attempt(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Attempt(LostRace) : state_(LostRace{}) {}
  // kInDoubt means in doubt; every other error means failed for good.
  Attempt(Error error) : state_(std::in_place_index<2>, std::move(error)) {}

  bool committed() const { return state_.index() == 0; }
  bool lost_race() const { return state_.index() == 1; }
  // Committed entirely or not at all, and this process does not know which.
  bool in_doubt() const { return has_error() && error().Is(kInDoubt); }
  // Refused or failed: trying again as it is would be wrong.
  bool failed() const { return has_error() && !error().Is(kInDoubt); }
  // Load, decide and commit once more.
  bool open() const { return lost_race() || in_doubt(); }
  // In doubt or failed: there is an error to report by those who do not try again.
  bool has_error() const { return state_.index() == 2; }

  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T& operator*() const& {
    KOMADAI_CHECK(committed());
    return std::get<0>(state_);
  }
  T* operator->() { return &value(); }
  const T* operator->() const { return &**this; }

  // The same outcome with another value for the case that it is committed.
  template <typename U>
  Attempt<U> With(U value) && {
    if (committed()) return Attempt<U>(std::move(value));
    if (lost_race()) return LostRace{};
    return std::move(*this).error();
  }

  const Error& error() const& {
    KOMADAI_CHECK(has_error());
    return std::get<2>(state_);
  }
  Error&& error() && {
    KOMADAI_CHECK(has_error());
    return std::get<2>(std::move(state_));
  }

 private:
  T& value() {
    KOMADAI_CHECK(committed());
    return std::get<0>(state_);
  }

  std::variant<T, LostRace, Error> state_;  // an error: in doubt or failed
};

namespace internal {

template <typename>
struct AttemptedValue;
template <typename T>
struct AttemptedValue<Task<Attempt<T>>> {
  using type = T;
};

}  // namespace internal

// Calls `attempt(0)`, `attempt(1)`, ... at most `limit` times, until one is neither a lost race nor
// in doubt. The error is `contention()` if the last one lost a race, and kInDoubt if it was in
// doubt: then the store is in trouble, and not busy.
//
// Both are kept until the Task ends; `attempt` returns a Task<Attempt<T>> and is not itself a
// coroutine, so that no coroutine uses captures of a lambda.
template <typename TryOnce, typename Contention>
Task<Result<typename internal::AttemptedValue<std::invoke_result_t<TryOnce&, int>>::type>>
UntilCommitted(int limit, TryOnce attempt, Contention contention) {
  using T = typename internal::AttemptedValue<std::invoke_result_t<TryOnce&, int>>::type;
  for (int number = 0; number < limit; ++number) {
    Attempt<T> outcome = co_await attempt(number);
    if (outcome.committed()) co_return Result<T>(*std::move(outcome));
    if (outcome.failed()) co_return Result<T>(std::move(outcome).error());
    if (outcome.in_doubt() && number + 1 == limit) co_return Result<T>(std::move(outcome).error());
  }
  co_return Result<T>(contention());
}

}  // namespace komadai::livestore
