// Result<T>: a value or an Error that names its reason. The one way functions of the project fail.
//
// An Error always carries a Reason from a catalogue (a `constexpr Reason` near its user), so the
// canonical code and the machine-readable reason of a failure cannot disagree or be left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "libs/base/check.h"

namespace komadai {

// Same numbers as google.rpc.Code, so that an adapter can cast.
enum class Code : std::uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// A catalogue entry. `name` is UPPER_SNAKE_CASE and reaches clients as google.rpc.ErrorInfo.reason.
struct Reason {
  Code code;
  std::string_view name;

  friend bool operator==(const Reason& a, const Reason& b) {
    return a.code == b.code && a.name == b.name;
  }
};

class [[nodiscard]] Error {
 public:
  // `metadata` holds every variable the message mentions, for clients that build their own text.
  Error(Reason reason, std::string message, std::map<std::string, std::string> metadata = {})
      : code_(reason.code),
        reason_(reason.name),
        message_(std::move(message)),
        metadata_(std::move(metadata)) {}

  // For adapters that rebuild an error they received over the wire.
  static Error FromWire(Code code, std::string reason, std::string message,
                        std::map<std::string, std::string> metadata) {
    Error error({code, ""}, std::move(message), std::move(metadata));
    error.reason_ = std::move(reason);
    return error;
  }

  Code code() const { return code_; }
  const std::string& reason() const { return reason_; }
  const std::string& message() const { return message_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  bool Is(const Reason& reason) const { return code_ == reason.code && reason_ == reason.name; }
  std::string ToString() const { return reason_ + ": " + message_; }

 private:
  Code code_;
  std::string reason_;
  std::string message_;
  std::map<std::string, std::string> metadata_;
};

// API named like std::expected, so that it can become an alias for it when the compilers allow.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // implicit on purpose

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    KOMADAI_CHECK(has_value());
    return std::get<0>(state_);
  }
  const T& value() const& {
    KOMADAI_CHECK(has_value());
    return std::get<0>(state_);
  }
  T&& value() && {
    KOMADAI_CHECK(has_value());
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T value_or(T fallback) const { return has_value() ? value() : std::move(fallback); }

  Error& error() & {
    KOMADAI_CHECK(!has_value());
    return std::get<1>(state_);
  }
  const Error& error() const& {
    KOMADAI_CHECK(!has_value());
    return std::get<1>(state_);
  }
  Error&& error() && {
    KOMADAI_CHECK(!has_value());
    return std::get<1>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // implicit on purpose

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  void value() const { KOMADAI_CHECK(has_value()); }
  const Error& error() const& {
    KOMADAI_CHECK(!has_value());
    return *error_;
  }
  Error&& error() && {
    KOMADAI_CHECK(!has_value());
    return std::move(*error_);
  }

 private:
  std::optional<Error> error_;
};

// Success or an Error, nothing to carry.
using Status = Result<void>;

// Reasons that several libraries share.
inline constexpr Reason kInternal{Code::kInternal, "INTERNAL"};
inline constexpr Reason kUnavailable{Code::kUnavailable, "UNAVAILABLE"};
inline constexpr Reason kInvalidArgument{Code::kInvalidArgument, "INVALID_ARGUMENT"};
inline constexpr Reason kDeadlinePassed{Code::kDeadlineExceeded, "DEADLINE_PASSED"};
inline constexpr Reason kOverloaded{Code::kResourceExhausted, "OVERLOADED"};

}  // namespace komadai
