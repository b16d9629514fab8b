#include "libs/rpc/error.h"

#include <grpcpp/support/status.h>

#include <array>
#include <charconv>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "libs/rpc/status_proto.h"

namespace komadai::rpc {
namespace {

// Everything travels in one HTTP/2 header block, whose customary limit is 8 KiB.
constexpr std::size_t kMaxMessageBytes = 1024;
constexpr std::size_t kMaxValueBytes = 256;
constexpr std::size_t kMaxEntries = 16;

constexpr std::array<std::string_view, 17> kCodeNames{
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

// The length of the UTF-8 sequence at `text[i]`, 0 if there is no valid one.
std::size_t SequenceLength(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool too_large = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

// Valid UTF-8 of at most `limit` bytes; bytes that are not UTF-8 become '?'.
std::string Clean(std::string_view text, std::size_t limit) {
  std::string clean;
  clean.reserve(std::min(text.size(), limit));
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = SequenceLength(text, i);
    if (clean.size() + std::max<std::size_t>(length, 1) > limit) break;
    if (length == 0) {
      clean += '?';
      ++i;
    } else {
      clean.append(text, i, length);
      i += length;
    }
  }
  return clean;
}

void AddErrorInfo(const Error& error, google::rpc::Status& status) {
  google::rpc::ErrorInfo info;
  info.set_reason(Clean(error.reason(), kMaxValueBytes));
  info.set_domain(std::string(kErrorDomain));
  for (const auto& [key, value] : error.metadata()) {
    if (static_cast<std::size_t>(info.metadata_size()) == kMaxEntries) break;
    (*info.mutable_metadata())[Clean(key, kMaxValueBytes)] = Clean(value, kMaxValueBytes);
  }
  status.add_details()->PackFrom(info);
}

void AddRetryInfo(const std::string& millis_text, google::rpc::Status& status) {
  std::int64_t millis = 0;
  const char* end = millis_text.data() + millis_text.size();
  if (std::from_chars(millis_text.data(), end, millis).ptr != end || millis < 0) return;
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(millis / 1000);
  retry.mutable_retry_delay()->set_nanos(static_cast<int>(millis % 1000) * 1000000);
  status.add_details()->PackFrom(retry);
}

}  // namespace

std::string_view CodeName(Code code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kCodeNames.size() ? kCodeNames[index] : "UNKNOWN";
}

const std::vector<std::string>& AllCodeNames() {
  static const std::vector<std::string> kNames(kCodeNames.begin(), kCodeNames.end());
  return kNames;
}

Error InvalidField(Reason reason, std::string field, std::string message) {
  std::map<std::string, std::string> metadata;
  metadata[kField] = field;
  return Error(reason, field + ": " + message, std::move(metadata));
}

google::rpc::Status ToStatusProto(const Error& error) {
  google::rpc::Status status;
  status.set_code(static_cast<int>(error.code()));
  status.set_message(Clean(error.message(), kMaxMessageBytes));
  AddErrorInfo(error, status);
  if (const auto retry = error.metadata().find(kRetryAfterMs); retry != error.metadata().end()) {
    AddRetryInfo(retry->second, status);
  }
  if (const auto field = error.metadata().find(kField); field != error.metadata().end()) {
    google::rpc::BadRequest bad;
    auto* violation = bad.add_field_violations();
    violation->set_field(Clean(field->second, kMaxValueBytes));
    violation->set_description(status.message());
    status.add_details()->PackFrom(bad);
  }
  return status;
}

grpc::Status ToGrpcStatus(const Error& error) {
  const google::rpc::Status status = ToStatusProto(error);
  return grpc::Status(static_cast<grpc::StatusCode>(error.code()), status.message(),
                      status.SerializeAsString());
}

Error FromStatusProto(const google::rpc::Status& status) {
  const int number = status.code();
  const Code code = number > 0 && number <= 16 ? static_cast<Code>(number) : Code::kUnknown;
  for (const google::protobuf::Any& detail : status.details()) {
    google::rpc::ErrorInfo info;
    if (!detail.UnpackTo(&info)) continue;
    std::map<std::string, std::string> metadata(info.metadata().begin(), info.metadata().end());
    return Error::FromWire(code, info.reason(), status.message(), std::move(metadata));
  }
  std::string reason(kPeerReasonPrefix);
  reason += CodeName(code);
  return Error::FromWire(code, std::move(reason), status.message(), {});
}

Error FromGrpcStatus(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();
  details.set_code(status.error_code());
  details.set_message(status.error_message());
  return FromStatusProto(details);
}

}  // namespace komadai::rpc
