// W3C trace context (the `traceparent` header): read, checked and passed on unchanged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace komadai::telemetry {

// "00-<32 hex trace id>-<16 hex parent id>-<2 hex flags>". Not empty only if valid.
class TraceContext {
 public:
  TraceContext() = default;
  // Nothing for anything malformed: version ff, all-zero ids, upper case, wrong lengths.
  static std::optional<TraceContext> Parse(std::string_view traceparent);

  bool empty() const { return header_.empty(); }
  const std::string& header() const { return header_; }
  std::string_view trace_id() const {
    return empty() ? std::string_view() : std::string_view(header_).substr(3, 32);
  }
  bool sampled() const;

 private:
  std::string header_;
};

}  // namespace komadai::telemetry
