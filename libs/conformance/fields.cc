#include "libs/conformance/fields.h"

#include <sstream>

#include "libs/conformance/words.h"

namespace komadai::conformance {
namespace {

[[noreturn]] void FailKind(const char* name, const char* kind) {
  Fail("malformed record: the field '" + std::string(name) + "' is not " + kind);
}

std::int64_t IntegerOf(const Json& value, const char* name) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0) FailKind(name, "a number");
  return value.get<std::int64_t>();
}

}  // namespace

void Fail(std::string message) { throw Mismatch{std::move(message)}; }

std::string Show(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& Field(const Json& record, const char* name) {
  const auto field = record.find(name);
  if (field == record.end()) {
    Fail("malformed record: the field '" + std::string(name) + "' is missing");
  }
  return *field;
}

std::string Text(const Json& record, const char* name) {
  const Json& field = Field(record, name);
  if (!field.is_string()) FailKind(name, "a text");
  return field.get<std::string>();
}

bool Flag(const Json& record, const char* name) {
  const Json& field = Field(record, name);
  if (!field.is_boolean()) FailKind(name, "true or false");
  return field.get<bool>();
}

std::int64_t Integer(const Json& record, const char* name) {
  return IntegerOf(Field(record, name), name);
}

std::vector<std::int64_t> Integers(const Json& record, const char* name) {
  const Json& field = Field(record, name);
  if (!field.is_array()) FailKind(name, "a list");
  std::vector<std::int64_t> numbers;
  for (const Json& value : field) numbers.push_back(IntegerOf(value, name));
  return numbers;
}

const Json& Object(const Json& record, const char* name) {
  const Json& field = Field(record, name);
  if (!field.is_object()) FailKind(name, "an object");
  return field;
}

std::vector<std::string> Texts(const Json& record, const char* name) {
  const Json& field = Field(record, name);
  std::vector<std::string> texts;
  for (const Json& value : field.is_array() ? field : Json::array({field})) {
    if (!value.is_string()) FailKind(name, "a text or a list of texts");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

rules::Variant VariantOf(const Json& record) {
  const std::string name = Text(record, "variant");
  const auto variant = rules::FindVariant(name);
  if (!variant) Fail("unknown variant " + Show(name));
  return *variant;
}

Board BoardOf(const Json& record) { return {VariantOf(record), Text(record, "position")}; }

std::vector<std::string> MovesOf(const Json& record) {
  if (Field(record, "moves").is_array()) return Texts(record, "moves");
  std::istringstream words(Text(record, "moves"));
  std::vector<std::string> moves;
  for (std::string word; words >> word;) moves.push_back(word);
  return moves;
}

rules::Ruleset RulesetOf(const Json& record) {
  const std::string name = record.contains("ruleset") ? Text(record, "ruleset") : "";
  return Need(NamedRuleset(VariantOf(record), name));
}

}  // namespace komadai::conformance
