#include "libs/telemetry/trace.h"

#include <algorithm>

namespace komadai::telemetry {
namespace {

bool IsLowerHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}
bool IsAllZero(std::string_view text) {
  return text.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

std::optional<TraceContext> TraceContext::Parse(std::string_view traceparent) {
  // A later version may append fields after another dash; version 00 has exactly this length.
  constexpr std::size_t kLength = 55;
  if (traceparent.size() < kLength || traceparent.size() > 256) return std::nullopt;
  const std::string_view version = traceparent.substr(0, 2);
  const std::string_view trace_id = traceparent.substr(3, 32);
  const std::string_view parent_id = traceparent.substr(36, 16);
  const std::string_view flags = traceparent.substr(53, 2);
  if (traceparent[2] != '-' || traceparent[35] != '-' || traceparent[52] != '-') {
    return std::nullopt;
  }
  if (!IsLowerHex(version) || !IsLowerHex(trace_id) || !IsLowerHex(parent_id) ||
      !IsLowerHex(flags)) {
    return std::nullopt;
  }
  if (version == "ff" || IsAllZero(trace_id) || IsAllZero(parent_id)) return std::nullopt;
  if (traceparent.size() > kLength && (version == "00" || traceparent[kLength] != '-')) {
    return std::nullopt;
  }
  TraceContext context;
  context.header_ = traceparent;
  return context;
}

bool TraceContext::sampled() const {
  if (empty()) return false;
  const char low = header_[54];
  const int digit = low <= '9' ? low - '0' : low - 'a' + 10;
  return (digit & 1) != 0;
}

}  // namespace komadai::telemetry
