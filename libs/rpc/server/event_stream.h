// EventStream: one subscriber of a server stream. Publish() from any thread; it never blocks.
//
// A bounded queue with one write in flight. A subscriber that reads too slowly is ended with
// RESOURCE_EXHAUSTED/SLOW_CONSUMER (it resumes by sequence number); a draining server ends all
// streams with UNAVAILABLE/DRAINING. The object lives as long as gRPC or anybody's shared_ptr needs
// it; after the stream ended, Publish() does nothing and returns false.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/drain.h"

namespace grpc {
class ByteBuffer;
class CallbackServerContext;
}  // namespace grpc

namespace komadai::rpc {

struct Method;

// 256 events: more than any game's burst, and at a kibibyte each 256 KiB per stalled subscriber.
inline constexpr std::size_t kDefaultStreamQueue = 256;

// What the machinery opens a stream with.
struct StreamOpening {
  const Method& method;
  grpc::CallbackServerContext& context;
  std::size_t queue_limit;
};

// All of a stream but the type of its messages.
class EventStreamBase : public Drainable {
 public:
  class Reactor;  // gRPC's side of it

  explicit EventStreamBase(const StreamOpening& opening);
  ~EventStreamBase() override;

  // Ends with OK once everything queued is written.
  void Complete();
  // Ends with an error at once; what is queued is dropped.
  void Fail(Error error);
  // Runs `fn` once, when the stream ends for whatever reason (at once if it has): unsubscribe
  // there. Not called under the stream's lock.
  void OnEnd(std::function<void()> fn);
  bool Ended() const;
  // Messages not written yet, for publishers that would rather skip one than lose the subscriber.
  std::size_t Queued() const;

  // For the machinery. Admits the call and reads its request, which `serve` then gets. `self` is
  // kept until gRPC has ended the stream.
  using Serve = std::function<void(std::shared_ptr<EventStreamBase> self, Call call,
                                   const grpc::ByteBuffer& request)>;
  Reactor* Receive(std::shared_ptr<EventStreamBase> self, Serve serve);
  void OnDrain() override;

 protected:
  using AnyMessage = std::shared_ptr<const google::protobuf::MessageLite>;
  bool PublishMessage(AnyMessage message);

 private:
  void OnRequest(std::optional<Error> error);
  void OnWriteDone(bool ok);
  void OnCancel();
  void OnDone();
  // Returns what OnEnd() registered, to be run after unlocking.
  [[nodiscard]] std::function<void()> EndLocked(const std::optional<Error>& error)
      KOMADAI_REQUIRES(mutex_);
  void StartNextLocked() KOMADAI_REQUIRES(mutex_);

  const Method& method_;
  const std::size_t queue_limit_;
  const std::shared_ptr<CallState> state_;
  const std::unique_ptr<Reactor> reactor_;

  mutable Mutex mutex_;
  std::deque<AnyMessage> queue_ KOMADAI_GUARDED_BY(mutex_);  // the front is in flight if writing_
  bool writing_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool completing_ KOMADAI_GUARDED_BY(mutex_) = false;  // Finish(OK) when the queue is empty
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;       // Finish was called
  std::function<void()> on_end_ KOMADAI_GUARDED_BY(mutex_);
  std::shared_ptr<EventStreamBase> self_ KOMADAI_GUARDED_BY(mutex_);  // from Receive() to OnDone
  Serve serve_;                                                       // until the request is there
};

template <typename Message>
class EventStream final : public EventStreamBase {
 public:
  using EventStreamBase::EventStreamBase;

  // Queues a message; false if the stream has ended (or ends because its queue is full). One shared
  // message can go to any number of subscribers.
  bool Publish(std::shared_ptr<const Message> message) {
    return PublishMessage(std::move(message));
  }
  bool Publish(Message message) {
    return Publish(std::make_shared<const Message>(std::move(message)));
  }
};

}  // namespace komadai::rpc
