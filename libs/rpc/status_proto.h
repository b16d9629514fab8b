// Error <-> google.rpc.Status, for answers that carry the outcomes of several things.
#pragma once

#include "google/rpc/status.pb.h"
#include "libs/base/result.h"

namespace komadai::rpc {

// The same details as a failed call has in its trailer.
google::rpc::Status ToStatusProto(const Error& error);

// `status.code` must not be 0. Like FromGrpcStatus.
Error FromStatusProto(const google::rpc::Status& status);

}  // namespace komadai::rpc
