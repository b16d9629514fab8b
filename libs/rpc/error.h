// Error <-> grpc::Status with google.rpc.Status details in the trailer.
//
// Every failed call carries exactly one ErrorInfo{reason, domain "komadai", metadata}. Two metadata
// keys have a meaning of their own: kRetryAfterMs adds a RetryInfo, kField a BadRequest with that
// field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"

namespace grpc {
class Status;
}

namespace komadai::rpc {

inline constexpr std::string_view kErrorDomain = "komadai";
// Metadata key: after how many milliseconds the same call may succeed.
inline constexpr char kRetryAfterMs[] = "retry_after_ms";
// Metadata key: the path of the request's field that is wrong, e.g. "time_control.main_time".
inline constexpr char kField[] = "field";

// Reasons of the machinery itself.
inline constexpr Reason kServerDraining{Code::kUnavailable, "DRAINING"};
inline constexpr Reason kSlowConsumer{Code::kResourceExhausted, "SLOW_CONSUMER"};
inline constexpr Reason kCallCancelled{Code::kCancelled, "CANCELLED"};
inline constexpr Reason kMalformedRequest{Code::kInvalidArgument, "MALFORMED_REQUEST"};
inline constexpr Reason kUnknownMethod{Code::kUnimplemented, "UNKNOWN_METHOD"};
inline constexpr Reason kRequestTooLarge{Code::kInvalidArgument, "REQUEST_TOO_LARGE"};
inline constexpr Reason kUnauthenticated{Code::kUnauthenticated, "UNAUTHENTICATED"};
inline constexpr Reason kPermissionDenied{Code::kPermissionDenied, "PERMISSION_DENIED"};
// What a peer that sends no reason (a proxy, gRPC itself) failed with; the code is kept.
inline constexpr std::string_view kPeerReasonPrefix = "RPC_";

// The usual error for a bad field of a request.
Error InvalidField(Reason reason, std::string field, std::string message);

// Any bytes are accepted: texts are cut to a bounded length and made valid UTF-8.
grpc::Status ToGrpcStatus(const Error& error);

// The error inside a failed status; for one without ErrorInfo the reason is RPC_<CODE>, e.g.
// RPC_UNAVAILABLE. `status` must not be OK.
Error FromGrpcStatus(const grpc::Status& status);

// "NOT_FOUND" etc.
std::string_view CodeName(Code code);
// In the order of their numbers; the values of metric labels.
const std::vector<std::string>& AllCodeNames();

}  // namespace komadai::rpc
