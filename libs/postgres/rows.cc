#include "libs/postgres/rows.h"

#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

namespace komadai::postgres {
namespace {

// Built-in type identifiers (pg_type.dat); they never change.
constexpr pqxx::oid kBool = 16;
constexpr pqxx::oid kBytea = 17;
constexpr pqxx::oid kInt8 = 20;
constexpr pqxx::oid kInt2 = 21;
constexpr pqxx::oid kInt4 = 23;
constexpr pqxx::oid kFloat4 = 700;
constexpr pqxx::oid kFloat8 = 701;
constexpr pqxx::oid kNumeric = 1700;

std::optional<std::string> ToText(const sql::Value& value) {
  if (const auto* number = value.as_int()) return std::to_string(*number);
  if (const auto* number = value.as_double()) {
    char buffer[32];  // the shortest text that reads back as the same double has at most 24
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, *number).ptr;
    return std::string(buffer, end);
  }
  if (const auto* text = value.as_text()) return *text;
  if (const auto* bytes = value.as_bytes()) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string text = "\\x";
    text.reserve(2 + 2 * bytes->data.size());
    for (const char c : bytes->data) {
      const auto byte = static_cast<unsigned char>(c);
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    }
    return text;
  }
  return std::nullopt;
}

sql::Value ToNumber(std::string_view text) {
  std::int64_t whole = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (problem == std::errc() && end == text.data() + text.size()) return sql::Value(whole);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return sql::Value(number);
}

sql::Value ToDouble(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return sql::Value(number);
}

sql::Value ToValue(const pqxx::field& field, pqxx::oid type) {
  if (field.is_null()) return sql::Value();
  const std::string_view text(field.c_str(), field.size());
  switch (type) {
    case kBool:
      return sql::Value(text == "t" ? 1 : 0);
    case kInt2:
    case kInt4:
    case kInt8:
    case kNumeric:  // what SUM(BIGINT) gives
      return ToNumber(text);
    case kFloat4:
    case kFloat8:
      return ToDouble(text);
    case kBytea:
      return sql::Value(sql::Bytes{pqxx::binarystring(field).str()});
    default:
      return sql::Value(text);
  }
}

}  // namespace

TextParams::TextParams(const sql::Params& params) {
  texts_.reserve(params.size());
  for (const sql::Value& value : params) texts_.push_back(ToText(value));
  pointers_.reserve(params.size());
  for (const auto& text : texts_) pointers_.push_back(text ? text->c_str() : nullptr);
}

sql::Rows ToRows(const pqxx::result& result) {
  std::vector<pqxx::oid> types;
  for (pqxx::row_size_type column = 0; column < result.columns(); ++column) {
    types.push_back(result.column_type(column));
  }
  std::vector<sql::Row> rows;
  rows.reserve(result.size());
  for (const pqxx::row& row : result) {
    std::vector<sql::Value> values;
    values.reserve(types.size());
    for (std::size_t column = 0; column < types.size(); ++column) {
      values.push_back(ToValue(row[static_cast<pqxx::row_size_type>(column)], types[column]));
    }
    rows.emplace_back(std::move(values));
  }
  return sql::Rows(std::move(rows), static_cast<std::int64_t>(result.affected_rows()));
}

}  // namespace komadai::postgres
