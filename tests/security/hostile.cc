#include "tests/security/hostile.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace komadai {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kDepth = 4;
constexpr int kManyElements = 2000;
constexpr std::size_t kMostText = 6'000'000;  // in one message: more than any server reads

// Sets or adds one value of a field that is not a message.
void Put(const Filling& filling, Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  const auto put = [&](auto set, auto add, auto value) {
    if (field.is_repeated()) {
      (reflection.*add)(&message, &field, value);
    } else {
      (reflection.*set)(&message, &field, value);
    }
  };
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return put(
          &Reflection::SetInt32, &Reflection::AddInt32,
          static_cast<std::int32_t>(std::clamp<std::int64_t>(filling.whole, INT32_MIN, INT32_MAX)));
    case FieldDescriptor::CPPTYPE_INT64:
      return put(&Reflection::SetInt64, &Reflection::AddInt64, filling.whole);
    case FieldDescriptor::CPPTYPE_UINT32:
      return put(&Reflection::SetUInt32, &Reflection::AddUInt32,
                 static_cast<std::uint32_t>(filling.whole));
    case FieldDescriptor::CPPTYPE_UINT64:
      return put(&Reflection::SetUInt64, &Reflection::AddUInt64,
                 static_cast<std::uint64_t>(filling.whole));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return put(&Reflection::SetDouble, &Reflection::AddDouble, filling.real);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return put(&Reflection::SetFloat, &Reflection::AddFloat, static_cast<float>(filling.real));
    case FieldDescriptor::CPPTYPE_BOOL:
      return put(&Reflection::SetBool, &Reflection::AddBool, filling.flag);
    case FieldDescriptor::CPPTYPE_ENUM:
      return put(&Reflection::SetEnumValue, &Reflection::AddEnumValue, filling.enumerator);
    case FieldDescriptor::CPPTYPE_STRING:
      if (field.is_repeated()) {
        reflection.AddString(&message, &field, filling.text);
      } else {
        reflection.SetString(&message, &field, filling.text);
      }
      return;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return;
  }
}

// Calls `fill` for each field with the message it is in; messages are made on the way.
void Visit(Message& message, int depth,
           const std::function<void(Message&, const FieldDescriptor&)>& fill, int repeated) {
  const auto& descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const bool inner = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (inner && depth == 0) continue;
    // Of huge repeated fields one level is enough.
    const int times =
        field.is_repeated() ? (depth == kDepth ? repeated : std::min(repeated, 3)) : 1;
    for (int n = 0; n < times; ++n) {
      if (!inner) {
        fill(message, field);
        continue;
      }
      Message& child = field.is_repeated()
                           ? *message.GetReflection()->AddMessage(&message, &field)
                           : *message.GetReflection()->MutableMessage(&message, &field);
      Visit(child, n < 3 ? depth - 1 : 0, fill, repeated);
    }
  }
}

std::string Nested(int depth) { return std::string(static_cast<std::size_t>(depth), '['); }

// What could be meant: names and positions that the services know.
const std::vector<std::string>& Plausible() {
  static const std::vector<std::string> texts{
      "",
      "startpos",
      "7g7f",
      "P*5e",
      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
      "rbsgk/4p/5/P4/KGSBR b - 1",
      "2_piece",
      "standard",
      "mallory",
      "request-1",
      "g1",
      "▲７六歩",
      "C2=5",
      "1~p1"};
  return texts;
}

}  // namespace

const std::vector<Filling>& HostileFillings() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  static const std::vector<Filling> fillings{
      {.name = "zeros", .text = "", .repeated = 0},
      {.name = "huge texts", .text = std::string(20'000, 'A')},
      {.name = "texts over every limit", .text = std::string(3'000'000, 'B')},
      {.name = "most", .text = "x", .whole = kMost, .real = 1e308, .enumerator = 1, .flag = true},
      {.name = "least", .text = "x", .whole = kLeast, .real = -1e308, .enumerator = 1},
      {.name = "minus one", .text = "-1", .whole = -1, .real = -1, .enumerator = 1},
      {.name = "no number", .text = "NaN", .whole = 1, .real = std::nan(""), .enumerator = 1},
      {.name = "infinite",
       .text = "Infinity",
       .whole = 1,
       .real = std::numeric_limits<double>::infinity(),
       .enumerator = 2},
      {.name = "unknown enumerators", .text = "x", .whole = 1, .enumerator = 12'345},
      {.name = "negative enumerators", .text = "x", .whole = 1, .enumerator = -1},
      {.name = "many elements",
       .text = "7g7f",
       .whole = 1,
       .enumerator = 1,
       .repeated = kManyElements},
      {.name = "SQL", .text = "'; DROP TABLE players; --", .whole = 1, .enumerator = 1},
      {.name = "paths", .text = "../../../../etc/passwd", .whole = 1, .enumerator = 1},
      {.name = "NUL", .text = std::string("a\0b", 3), .whole = 1, .enumerator = 1},
      {.name = "control characters", .text = "\r\n\t\x1b[31m\x7f", .whole = 1, .enumerator = 1},
      {.name = "directions", .text = "\u202e\u2066\ufeff", .whole = 1, .enumerator = 1},
      {.name = "brackets", .text = Nested(5000), .whole = 1, .enumerator = 1},
      {.name = "formats", .text = "%s%n%x{}{0}${HOME}", .whole = 1, .enumerator = 1},
      {.name = "Redis", .text = "x\r\nFLUSHALL\r\n", .whole = 1, .enumerator = 1},
      {.name = "hash tags", .text = "{game:1}{", .whole = 1, .enumerator = 1},
  };
  return fillings;
}

void Fill(const Filling& filling, Message& message) {
  std::size_t left = kMostText;
  Filling without_text = filling;
  without_text.text.clear();
  const auto fill = [&](Message& inside, const FieldDescriptor& field) {
    const bool text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (text && filling.text.size() > left) return Put(without_text, inside, field);
    if (text) left -= filling.text.size();
    Put(filling, inside, field);
  };
  Visit(message, kDepth, fill, filling.repeated);
}

void FillAtRandom(Random& random, Message& message) {
  const auto fill = [&random](Message& inside, const FieldDescriptor& field) {
    if (random.Below(3) == 0) return;
    Filling filling;
    const auto& texts = Plausible();
    filling.text = texts[random.Below(texts.size())];
    filling.whole = random.Below(4) == 0 ? static_cast<std::int64_t>(random.Below(UINT64_MAX))
                                         : static_cast<std::int64_t>(random.Below(200)) - 5;
    filling.real = static_cast<double>(random.Below(5000)) / 7;
    filling.enumerator = static_cast<int>(random.Below(8));
    filling.flag = random.Below(2) == 0;
    Put(filling, inside, field);
  };
  Visit(message, kDepth, fill, static_cast<int>(random.Below(4)));
}

std::string Mutated(Random& random, std::string bytes) {
  const std::uint64_t changes = 1 + random.Below(8);
  for (std::uint64_t i = 0; i < changes; ++i) {
    const std::size_t at = bytes.empty() ? 0 : random.Below(bytes.size());
    const char any = static_cast<char>(random.Below(256));
    switch (random.Below(4)) {
      case 0:
        if (!bytes.empty()) bytes[at] = any;
        break;
      case 1:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), any);
        break;
      case 2:
        if (!bytes.empty()) bytes.erase(at, 1 + random.Below(4));
        break;
      default:
        bytes.insert(at, bytes.substr(at, random.Below(16)));
        break;
    }
  }
  return bytes;
}

}  // namespace komadai
