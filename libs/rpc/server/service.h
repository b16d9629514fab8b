// Service: one service of the contract, each method served by a coroutine.
//
//   class GameService final : public rpc::Service {
//    public:
//     explicit GameService(rpc::Runtime& runtime)
//         : rpc::Service(runtime, "komadai.game.v1.GameService") {
//       Unary(&GameService::PlayMove, {.allow = rpc::kPersons});
//       Stream(&GameService::WatchGame, {.max_deadline = rpc::kNoDeadline, .allow = rpc::kAnyone});
//     }
//     Task<Result<pb::PlayMoveResponse>> PlayMove(rpc::Call call, const pb::PlayMoveRequest&
//     request); Task<Result<rpc::AfterSetup>> WatchGame(
//         rpc::Call call, pb::WatchGameRequest request,
//         std::shared_ptr<rpc::EventStream<pb::WatchGameResponse>> stream);
//   };
//
// The method is the one of the service whose request the handler takes: every method has a request
// message of its own. The server refuses to start while a method of the contract has no handler.
//
// Before a handler runs, in this order: the receive time is taken, the deadline clamped, the caller
// authenticated and authorised, the size checked, the request parsed. After it: the Error becomes a
// status with details, an exception INTERNAL; metrics and access log are written and the call is
// finished, exactly once. A handler starts on a gRPC thread: it must not block.
//
// gRPC sees bytes only. Messages are parsed and written here, by one piece of code for all methods:
// a malformed request gets a typed error like any other, and a method costs little to compile.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/handlers.h"
#include "libs/rpc/server/method.h"

namespace grpc {
class Service;
}
namespace google::protobuf {
class Descriptor;
}

namespace komadai::rpc {

struct Runtime;

class Service {
 public:
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service();

  // Aborts if a method of the contract has no handler.
  void CheckComplete() const;
  // What gRPC registers.
  grpc::Service& grpc();

 protected:
  // `full_name` as in the .proto: "komadai.game.v1.GameService".
  Service(Runtime& runtime, std::string_view full_name);

  // `request` is valid until the handler's task has ended.
  template <typename S, typename Request, typename Response>
  void Unary(Task<Result<Response>> (S::*handler)(Call, const Request&), MethodOptions options) {
    S* const self = static_cast<S*>(this);
    AddUnary(Request::descriptor(), Response::descriptor(), std::move(options), [self, handler] {
      return std::make_unique<internal::UnaryHandling<S, Request, Response>>(*self, handler);
    });
  }

  // A method whose answer follows from its request alone, at once.
  template <typename Request, typename Response>
  void Unary(Result<Response> (*answer)(const Request&), MethodOptions options) {
    AddUnary(Request::descriptor(), Response::descriptor(), std::move(options), [answer] {
      return std::make_unique<internal::AnswerAtOnce<Request, Response>>(answer);
    });
  }

  // The handler sets the stream up (snapshot, subscription) and says whether it stays open for
  // others to publish to, or is complete. The request comes by value: the client may be gone before
  // the setup ends. A subscriber with more than `queue_limit` unread messages is ended.
  template <typename S, typename Request, typename Message>
  void Stream(Task<Result<AfterSetup>> (S::*handler)(Call, Request,
                                                     std::shared_ptr<EventStream<Message>>),
              MethodOptions options, std::size_t queue_limit = kDefaultStreamQueue) {
    S* const self = static_cast<S*>(this);
    AddStream(Request::descriptor(), Message::descriptor(), std::move(options), queue_limit,
              [self, handler] {
                return std::make_unique<internal::StreamHandling<S, Request, Message>>(*self,
                                                                                       handler);
              });
  }

 private:
  class Grpc;

  void AddUnary(const google::protobuf::Descriptor* request,
                const google::protobuf::Descriptor* response, MethodOptions options,
                internal::MakeUnary make);
  void AddStream(const google::protobuf::Descriptor* request,
                 const google::protobuf::Descriptor* message, MethodOptions options,
                 std::size_t queue_limit, internal::MakeStream make);
  const Method& AddMethod(const google::protobuf::Descriptor* request,
                          const google::protobuf::Descriptor* response, bool streams,
                          MethodOptions options);

  Runtime& runtime_;
  const std::string full_name_;
  std::vector<std::unique_ptr<Method>> methods_;
  std::unique_ptr<Grpc> grpc_;
};

}  // namespace komadai::rpc
