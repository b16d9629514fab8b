// Value, Params, Row and Rows: what goes into and comes out of a SQL statement.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/check.h"

namespace komadai::sql {

// Binary data, as distinct from text.
struct Bytes {
  std::string data;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// One SQL value: null, 64-bit integer, double, text (UTF-8 without NUL) or bytes. Booleans are the
// integers 0 and 1.
class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}  // NOLINT: implicit, so that parameter lists read as SQL
  template <std::integral T>
  requires(std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t)) Value(T value)
      : data_(static_cast<std::int64_t>(value)) {}              // NOLINT: implicit
  Value(double value) : data_(value) {}                         // NOLINT: implicit
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT: implicit
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT: implicit
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT: implicit
  Value(Bytes value) : data_(std::move(value)) {}               // NOLINT: implicit
  template <typename T>
  Value(std::optional<T> value) {  // NOLINT: implicit; an empty optional is null
    if (value) *this = Value(std::move(*value));
  }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data_); }
  const double* as_double() const { return std::get_if<double>(&data_); }
  const std::string* as_text() const { return std::get_if<std::string>(&data_); }
  const Bytes* as_bytes() const { return std::get_if<Bytes>(&data_); }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, std::int64_t, double, std::string, Bytes> data_;
};

// The values of $1, $2, ... in order.
using Params = std::vector<Value>;

// One result row. Asking a column for a type it does not have is a bug of the store (its schema and
// its statement are both its own) and aborts.
class Row {
 public:
  explicit Row(std::vector<Value> values) : values_(std::move(values)) {}

  std::size_t size() const { return values_.size(); }
  const Value& operator[](std::size_t column) const {
    KOMADAI_CHECK(column < values_.size());
    return values_[column];
  }
  bool IsNull(std::size_t column) const { return (*this)[column].is_null(); }
  std::int64_t Int(std::size_t column) const { return *NotNull((*this)[column].as_int()); }
  // Also takes integers: databases return them for doubles without a fraction.
  double Double(std::size_t column) const {
    const Value& value = (*this)[column];
    if (value.as_int() != nullptr) return static_cast<double>(*value.as_int());
    return *NotNull(value.as_double());
  }
  const std::string& Text(std::size_t column) const { return *NotNull((*this)[column].as_text()); }
  const std::string& Blob(std::size_t column) const {
    return NotNull((*this)[column].as_bytes())->data;
  }

 private:
  template <typename T>
  static const T* NotNull(const T* pointer) {
    KOMADAI_CHECK(pointer != nullptr);
    return pointer;
  }

  std::vector<Value> values_;
};

// The rows of a statement, in order, and how many rows it inserted, updated or deleted.
class Rows {
 public:
  Rows() = default;
  Rows(std::vector<Row> rows, std::int64_t affected)
      : rows_(std::move(rows)), affected_(affected) {}

  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }
  const Row& operator[](std::size_t index) const {
    KOMADAI_CHECK(index < rows_.size());
    return rows_[index];
  }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  // Meaningful after INSERT, UPDATE and DELETE.
  std::int64_t affected() const { return affected_; }

 private:
  std::vector<Row> rows_;
  std::int64_t affected_ = 0;
};

}  // namespace komadai::sql
