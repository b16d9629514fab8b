#include "libs/rpc/client/channels.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

grpc::ChannelArguments RemoteArguments(const ChannelSettings& settings) {
  grpc::ChannelArguments args;
  // A headless Kubernetes service resolves to all replicas; spread the calls over them.
  args.SetLoadBalancingPolicyName("round_robin");
  args.SetMaxReceiveMessageSize(settings.max_message_bytes);
  args.SetMaxSendMessageSize(settings.max_message_bytes);
  // Who may be asked again is known to the caller alone (client.h). gRPC's own retries would also
  // cost every call a copy of its request.
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  args.SetInt(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);
  // Well above the servers' minimum ping interval of a second.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20000);
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10000);
  args.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // A restarted peer is found again within a second, a new replica within a few.
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  args.SetInt(GRPC_ARG_DNS_MIN_TIME_BETWEEN_RESOLUTIONS_MS, 5000);
  return args;
}

}  // namespace

Channels::Channels(ChannelSettings settings) : settings_(std::move(settings)) {}

void Channels::SetLocal(const std::string& service) {
  const MutexLock lock(mutex_);
  local_.insert(service);
}

void Channels::SetTarget(const std::string& service, std::string target) {
  const MutexLock lock(mutex_);
  targets_[service] = std::move(target);
}

void Channels::SetInProcess(std::shared_ptr<grpc::Channel> channel) {
  const MutexLock lock(mutex_);
  in_process_ = std::move(channel);
}

bool Channels::IsLocal(const std::string& service) const {
  const MutexLock lock(mutex_);
  return local_.contains(service);
}

std::shared_ptr<grpc::Channel> Channels::To(const std::string& service) {
  const MutexLock lock(mutex_);
  if (local_.contains(service)) {
    KOMADAI_CHECK(in_process_ != nullptr);
    return in_process_;
  }
  const auto target = targets_.find(service);
  KOMADAI_CHECK(target != targets_.end());
  std::shared_ptr<grpc::Channel>& channel = remote_[service];
  if (channel == nullptr) {
    channel = grpc::CreateCustomChannel(target->second, settings_.credentials,
                                        RemoteArguments(settings_));
  }
  return channel;
}

}  // namespace komadai::rpc
