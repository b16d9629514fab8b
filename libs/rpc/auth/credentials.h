// TLS and mTLS from PEM files, or none; internal to the server. The files are checked
// regularly: connections made after a replacement use the new ones.
#pragma once

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "libs/base/result.h"
#include "libs/rpc/server/server_settings.h"

namespace komadai::rpc {

// kBadSettings if a file cannot be read, or a key is not that of its certificate.
Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const ServerSettings& settings);
// For calls to other services.
Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const ServerSettings& settings);

}  // namespace komadai::rpc
