// Subscription: consumes a server stream of another service and reconnects for as long as it lives.
//
//   using Expiries = rpc::Subscription<WatchExpiriesRequest, WatchExpiriesResponse>;
//   expiries_ = std::make_unique<Expiries>(
//       clock_,
//       Expiries::Hooks{.request = [this] { return RequestAfter(last_sequence_); },
//                       .on_message = [this](const WatchExpiriesResponse& response) { ... },
//                       .on_disconnect = [](const Error& error) { ... }});
//
// `request` is asked before each (re)connect, so that the stream resumes where it broke. Hooks run
// one at a time on gRPC threads and must not block; the next message is read when on_message
// returns, so a slow consumer slows its stream. Between attempts it waits 50 ms, doubling up to 2
// s, jittered; a message resets that. The destructor cancels and waits until no hook runs: not to
// be called from a hook.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/client/client.h"

namespace komadai::rpc {

inline constexpr Millis kMinReconnectDelay{50};
inline constexpr Millis kMaxReconnectDelay{2000};

// All of a subscription but the types of its messages.
class SubscriptionBase {
 public:
  struct Hooks {
    std::function<std::unique_ptr<google::protobuf::Message>()> request = {};
    std::function<std::unique_ptr<google::protobuf::Message>()> new_message = {};
    std::function<void(const google::protobuf::Message&)> on_message = {};
    std::function<void(const Error&)> on_disconnect = {};
  };

  SubscriptionBase(const SubscriptionBase&) = delete;
  SubscriptionBase& operator=(const SubscriptionBase&) = delete;

 protected:
  // Connects at once.
  SubscriptionBase(const Client& client, Hooks hooks);
  ~SubscriptionBase();

 private:
  class Core;
  class Reader;

  std::shared_ptr<Core> core_;
};

template <typename Request, typename Message>
class Subscription final : public SubscriptionBase {
 public:
  struct Hooks {
    std::function<Request()> request = {};
    std::function<void(const Message&)> on_message = {};
    std::function<void(const Error&)> on_disconnect = {};  // may be empty
  };

  Subscription(const Client& client, Hooks hooks)
      : SubscriptionBase(
            client,
            {.request = [request = std::move(
                             hooks.request)] { return std::make_unique<Request>(request()); },
             .new_message = [] { return std::make_unique<Message>(); },
             .on_message =
                 [on_message = std::move(hooks.on_message)](const google::protobuf::Message& any) {
                   on_message(static_cast<const Message&>(any));
                 },
             .on_disconnect = std::move(hooks.on_disconnect)}) {}
};

}  // namespace komadai::rpc
