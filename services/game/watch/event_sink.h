// EventSink: where a watcher's messages go: the stream of a gRPC call, or what a test puts there.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "libs/base/result.h"

namespace komadai::game {

// Same meaning as the methods of rpc::EventStream. Thread-safe.
template <typename Message>
class EventSink {
 public:
  virtual ~EventSink() = default;
  // False: whoever watched has gone, or is cut off because it reads too slowly.
  virtual bool Publish(Message message) = 0;
  virtual void Complete() = 0;
  virtual void Fail(Error error) = 0;
  // Runs `fn` once, when the stream ends for whatever reason (at once if it has).
  virtual void OnEnd(std::function<void()> fn) = 0;
};

// `Stream` is rpc::EventStream<Message>.
template <typename Message, typename Stream>
class StreamSink final : public EventSink<Message> {
 public:
  // `held` is let go when the stream ends.
  explicit StreamSink(std::shared_ptr<Stream> stream, std::shared_ptr<void> held = nullptr)
      : stream_(std::move(stream)), held_(std::move(held)) {}
  bool Publish(Message message) override { return stream_->Publish(std::move(message)); }
  void Complete() override { stream_->Complete(); }
  void Fail(Error error) override { stream_->Fail(std::move(error)); }
  void OnEnd(std::function<void()> fn) override {
    stream_->OnEnd([fn = std::move(fn), held = std::move(held_)]() mutable {
      fn();
      held.reset();
    });
  }

 private:
  const std::shared_ptr<Stream> stream_;
  std::shared_ptr<void> held_;
};

}  // namespace komadai::game
