// Client: calls another service of ours from coroutines.
//
//   rpc::Client rules_(context, "rules");  // in the component's constructor
//   static constexpr rpc::CallOptions kApply{.timeout = 500ms, .idempotent = true};
//   Result<pb::ApplyMoveResponse> applied =
//       co_await rules_.Call<pb::ApplyMoveResponse>(call, request, kApply);
//
// The method is the one that takes this request: every method of the contracts has a request
// message of its own. A Response that is not that method's aborts at the first call.
//
// Every call has a deadline: the earlier of the incoming call's and the timeout. Request id, trace
// context and credentials go along. Errors of the other side arrive with their reason and metadata.
// Calls are retried after UNAVAILABLE only if they are idempotent (three attempts in all,
// jittered).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/rpc/call.h"

namespace google::protobuf {
class Message;
}

namespace komadai::rpc {

struct BindContext;

enum class ActAs {
  kService,  // this service's own credentials
  kCaller,   // the incoming call's: for what the player may or may not do itself
  kNobody,
};

struct CallOptions {
  Millis timeout{1000};
  bool idempotent = false;          // repeating it changes nothing more
  bool wait_for_ready = false;      // wait for a peer that is not up yet instead of failing at once
  bool cancel_with_caller = false;  // stop when the incoming call's client goes away
  ActAs act_as = ActAs::kService;
};

// Thread-safe. Resolves its channel at the first call, so that it can be made before the server
// runs.
class Client {
 public:
  class Core;

  // `service` is the short name: "rules".
  Client(BindContext& context, std::string service);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  template <typename Response, typename Request>
  Task<Result<Response>> Call(rpc::Call call, Request request, CallOptions options = {}) {
    Response response;
    Status done = co_await Exchange(std::move(call), request, response, options);
    if (!done) co_return std::move(done).error();
    co_return response;
  }

  // For Subscription.
  const std::shared_ptr<Core>& core() const { return core_; }

 private:
  // Both messages must live until the task has ended.
  Task<Status> Exchange(rpc::Call call, const google::protobuf::Message& request,
                        google::protobuf::Message& response, CallOptions options);

  std::shared_ptr<Core> core_;
};

}  // namespace komadai::rpc
