// Channels: how a service reaches the others, by name: in the same process or over the network.
//
// The name is the service's short name ("rules"). One channel per peer and process; remote ones
// connect lazily, balance round robin over all addresses of the target and keep themselves alive.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/security/credentials.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "libs/base/mutex.h"

namespace komadai::rpc {

struct ChannelSettings {
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  int max_message_bytes = 4 * 1024 * 1024;
};

// Thread-safe.
class Channels {
 public:
  explicit Channels(ChannelSettings settings);

  // Before the server starts: which services this process serves itself, and where the others are.
  void SetLocal(const std::string& service);
  void SetTarget(const std::string& service, std::string target);
  // Once the server has started.
  void SetInProcess(std::shared_ptr<grpc::Channel> channel);

  // Aborts for a service that is neither local nor has a target, and for a local one before the
  // server has started: components make calls from Start() on, not in Bind.
  std::shared_ptr<grpc::Channel> To(const std::string& service);
  bool IsLocal(const std::string& service) const;

 private:
  ChannelSettings settings_;
  mutable Mutex mutex_;
  std::set<std::string> local_ KOMADAI_GUARDED_BY(mutex_);
  std::map<std::string, std::string> targets_ KOMADAI_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<grpc::Channel>> remote_ KOMADAI_GUARDED_BY(mutex_);
  std::shared_ptr<grpc::Channel> in_process_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rpc
