// Reply: what Redis answers, as a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace komadai::redis {

struct Reply {
  enum class Kind : std::uint8_t { kNil, kInteger, kString, kStatus, kError, kArray };

  Kind kind = Kind::kNil;
  std::int64_t integer = 0;
  std::string text = {};  // of kString (any bytes), kStatus and kError
  std::vector<Reply> elements = {};

  bool IsNil() const { return kind == Kind::kNil; }
  bool IsInteger() const { return kind == Kind::kInteger; }
  bool IsString() const { return kind == Kind::kString || kind == Kind::kStatus; }
  bool IsError() const { return kind == Kind::kError; }
  bool IsArray() const { return kind == Kind::kArray; }
};

}  // namespace komadai::redis
