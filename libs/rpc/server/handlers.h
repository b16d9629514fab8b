// One call at work in its handler, without the types of its messages: what lets one coroutine serve
// all methods. Internal to the machinery.
#pragma once

#include <google/protobuf/message_lite.h>

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/event_stream.h"

namespace komadai::rpc {

enum class AfterSetup {
  kStayOpen,  // until somebody calls Complete() or Fail(), the client leaves or the server drains
  kComplete,  // ends with OK when everything published is written
};

namespace internal {

class UnaryWork {
 public:
  virtual ~UnaryWork() = default;
  // To be filled before Begin().
  virtual google::protobuf::MessageLite& request() = 0;
  // Calls the handler. It may throw.
  virtual void Begin(Call call) = 0;
  // The handler's answer or error; its exception is thrown here.
  virtual Result<const google::protobuf::MessageLite*> Answer() = 0;
  // Resumes `waiter` when the handler has ended; false if it has ended already.
  virtual bool ResumeAtEnd(std::coroutine_handle<> waiter) noexcept = 0;
};
// co_await it between Begin() and Answer().
struct EndOf {
  UnaryWork& work;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) noexcept { return work.ResumeAtEnd(waiter); }
  void await_resume() const noexcept {}
};
using MakeUnary = std::function<std::unique_ptr<UnaryWork>()>;

template <typename Response>
Result<const google::protobuf::MessageLite*> Untyped(Result<Response>& answer) {
  if (!answer) return std::move(answer).error();
  return static_cast<const google::protobuf::MessageLite*>(&*answer);
}

template <typename S, typename Request, typename Response>
class UnaryHandling final : public UnaryWork {
 public:
  using Handler = Task<Result<Response>> (S::*)(Call, const Request&);
  UnaryHandling(S& service, Handler handler) : service_(service), handler_(handler) {}

  google::protobuf::MessageLite& request() override { return request_; }
  void Begin(Call call) override { task_.emplace((service_.*handler_)(std::move(call), request_)); }
  bool ResumeAtEnd(std::coroutine_handle<> waiter) noexcept override {
    return task_->await_suspend(waiter);
  }
  Result<const google::protobuf::MessageLite*> Answer() override {
    answer_.emplace(task_->await_resume());
    return Untyped(*answer_);
  }

 private:
  S& service_;
  const Handler handler_;
  Request request_;
  std::optional<Task<Result<Response>>> task_;
  std::optional<Result<Response>> answer_;
};

template <typename Request, typename Response>
class AnswerAtOnce final : public UnaryWork {
 public:
  using Handler = Result<Response> (*)(const Request&);
  explicit AnswerAtOnce(Handler handler) : handler_(handler) {}

  google::protobuf::MessageLite& request() override { return request_; }
  void Begin(Call) override { answer_.emplace(handler_(request_)); }
  bool ResumeAtEnd(std::coroutine_handle<>) noexcept override { return false; }
  Result<const google::protobuf::MessageLite*> Answer() override { return Untyped(*answer_); }

 private:
  const Handler handler_;
  Request request_;
  std::optional<Result<Response>> answer_;
};

class StreamWork {
 public:
  virtual ~StreamWork() = default;
  virtual std::shared_ptr<EventStreamBase> Open(const StreamOpening& opening) = 0;
  // To be filled after Open() and before Begin().
  virtual google::protobuf::MessageLite& request() = 0;
  // Calls the handler. It may throw.
  virtual Task<Result<AfterSetup>> Begin(Call call) = 0;
};
using MakeStream = std::function<std::unique_ptr<StreamWork>()>;

template <typename S, typename Request, typename Message>
class StreamHandling final : public StreamWork {
 public:
  using Handler = Task<Result<AfterSetup>> (S::*)(Call, Request,
                                                  std::shared_ptr<EventStream<Message>>);
  StreamHandling(S& service, Handler handler) : service_(service), handler_(handler) {}

  std::shared_ptr<EventStreamBase> Open(const StreamOpening& opening) override {
    stream_ = std::make_shared<EventStream<Message>>(opening);
    return stream_;
  }
  google::protobuf::MessageLite& request() override { return request_; }
  Task<Result<AfterSetup>> Begin(Call call) override {
    return (service_.*handler_)(std::move(call), std::move(request_), std::move(stream_));
  }

 private:
  S& service_;
  const Handler handler_;
  Request request_;
  std::shared_ptr<EventStream<Message>> stream_;
};

}  // namespace internal
}  // namespace komadai::rpc
