// Stream: serves one server-streaming call; the twin of Unary().
//
//   grpc::ServerWriteReactor<GameEvent>* WatchGame(grpc::CallbackServerContext* context,
//                                                  const WatchGameRequest* request) override {
//     return rpc::Stream(watch_game_, context, request, this, &GameService::DoWatchGame);
//   }
//   Task<Result<rpc::AfterSetup>> DoWatchGame(rpc::Call call, WatchGameRequest request,
//                                             std::shared_ptr<rpc::EventStream<GameEvent>> stream);
//
// The handler sets the stream up (snapshot, subscription) and says whether it stays open for others
// to publish to, or is complete. The request comes by value: the client may be gone before setup
// ends.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/unary.h"

namespace komadai::rpc {

enum class AfterSetup {
  kStayOpen,  // until somebody calls Complete() or Fail(), the client leaves or the server drains
  kComplete,  // ends with OK when everything published is written
};

namespace internal {

template <typename Request, typename Message, typename Service>
komadai::internal::Detached RunStream(std::shared_ptr<EventStream<Message>> stream,
                                      const Method& method, const Request* request,
                                      Service* service,
                                      Task<Result<AfterSetup>> (Service::*handler)(
                                          Call, Request, std::shared_ptr<EventStream<Message>>)) {
  Result<Call> call = stream->Admit(request->ByteSizeLong());
  if (!call) {
    stream->Fail(std::move(call).error());
    co_return;
  }
  try {
    Task<Result<AfterSetup>> task = (service->*handler)(*call, *request, stream);
    Result<AfterSetup> result = co_await std::move(task);
    if (!result) {
      stream->Fail(std::move(result).error());
    } else if (*result == AfterSetup::kComplete) {
      stream->Complete();
    }
  } catch (const std::exception& e) {
    stream->Fail(UnexpectedException(*call, method, e.what()));
  } catch (...) {
    stream->Fail(UnexpectedException(*call, method, "of unknown type"));
  }
}

}  // namespace internal

template <typename Request, typename Message, typename Service>
grpc::ServerWriteReactor<Message>* Stream(const Method& method,
                                          grpc::CallbackServerContext* context,
                                          const Request* request, Service* service,
                                          Task<Result<AfterSetup>> (Service::*handler)(
                                              Call, Request, std::shared_ptr<EventStream<Message>>),
                                          std::size_t queue_limit = kDefaultStreamQueue) {
  std::shared_ptr<EventStream<Message>> stream =
      EventStream<Message>::Open(method, context, queue_limit);
  internal::RunStream(stream, method, request, service, handler);
  return stream.get();  // lives until OnDone at least
}

}  // namespace komadai::rpc
