// The fields of a record, read strictly, and what a check fails with.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/conformance/judge.h"

namespace komadai::conformance {

using Json = nlohmann::json;

// The one way a check ends early; caught in CheckRecord. Nothing else of the project throws.
struct Mismatch {
  std::string message;
};
[[noreturn]] void Fail(std::string message);

template <typename T>
T Need(Result<T> result) {
  if (!result) Fail(result.error().ToString());
  return std::move(result).value();
}

// Strings in quotes, broken UTF-8 replaced.
std::string Show(const Json& value);

template <typename T>
void ExpectEqual(const T& actual, const T& expected, std::string_view what) {
  if (actual == expected) return;
  Fail(std::string(what) + ": got " + Show(actual) + ", want " + Show(expected));
}

// Each fails where the field is missing or of another kind.
const Json& Field(const Json& record, const char* name);
std::string Text(const Json& record, const char* name);
bool Flag(const Json& record, const char* name);
std::int64_t Integer(const Json& record, const char* name);  // not negative
std::vector<std::int64_t> Integers(const Json& record, const char* name);
const Json& Object(const Json& record, const char* name);
// A text or a list of texts.
std::vector<std::string> Texts(const Json& record, const char* name);

// What several kinds of records begin with.
rules::Variant VariantOf(const Json& record);
Board BoardOf(const Json& record);
// A list of moves, or one text with blanks in between.
std::vector<std::string> MovesOf(const Json& record);
// The field `ruleset`, else the default of the variant.
rules::Ruleset RulesetOf(const Json& record);

}  // namespace komadai::conformance
