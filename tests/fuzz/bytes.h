// Bytes: the input of a fuzz target, read front to back as choices. Past its end every choice is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace komadai::fuzz {

class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}

  bool empty() const { return data_.empty(); }
  int Byte() {
    if (data_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(data_.front());
    data_.remove_prefix(1);
    return byte;
  }
  int Word() {
    const int high = Byte();
    return high << 8 | Byte();
  }
  // Up to the end of the line, which is taken too.
  std::string_view Line() {
    const std::size_t end = std::min(data_.find('\n'), data_.size());
    const std::string_view line = data_.substr(0, end);
    data_.remove_prefix(std::min(end + 1, data_.size()));
    return line;
  }
  std::string_view Rest() const { return data_; }

 private:
  std::string_view data_;
};

}  // namespace komadai::fuzz
