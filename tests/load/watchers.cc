#include "tests/load/watchers.h"

#include <algorithm>
#include <utility>

#include "libs/base/time.h"
#include "libs/rpc/error.h"

namespace komadai::load {

namespace game_pb = ::komadai::game::v1;

// One stream; deletes itself when gRPC is through with it.
class Watchers::Stream final : public grpc::ClientReadReactor<game_pb::WatchGameResponse> {
 public:
  Stream(Watchers& watchers, const std::string& game_id) : watchers_(watchers) {
    request_.set_game_id(game_id);
  }

  void Begin(game_pb::GameService::Stub& stub) {
    stub.async()->WatchGame(&context_, &request_, this);
    StartRead(&message_);
    StartCall();
  }
  void Cancel() { context_.TryCancel(); }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (message_.has_snapshot()) last_ = message_.snapshot().sequence();
    if (message_.has_event()) {
      const std::int64_t before = std::exchange(last_, message_.event().sequence());
      watchers_.Saw(message_.event(), last_ == before + 1);
    }
    StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    watchers_.Ended(this, status);
    delete this;
  }

  Watchers& watchers_;
  grpc::ClientContext context_;
  game_pb::WatchGameRequest request_;
  game_pb::WatchGameResponse message_;
  std::int64_t last_ = 0;
};

Watchers::Watchers(const cli::Targets& targets, play::ErrorCounts& errors)
    : targets_(targets), errors_(errors) {}

Watchers::~Watchers() { Stop(); }

void Watchers::Watch(const std::string& game_id) {
  const MutexLock lock(mutex_);
  if (stopping_) return;
  auto* stream = new Stream(*this, game_id);
  open_.insert(stream);
  if (begun_++ % kStreamsPerConnection == 0) {
    stubs_.push_back(game_pb::GameService::NewStub(targets_.NewConnectionTo("game")));
  }
  stream->Begin(*stubs_.back());
}

void Watchers::Saw(const game_pb::GameEvent& event, bool follows) {
  const TimePoint now = SystemTimeSource().Now();
  const MutexLock lock(mutex_);
  ++seen_.events;
  if (!follows) ++seen_.gaps;
  if (event.has_move_played()) {
    const Millis delay = now - FromUnixMillis(event.move_played().move().at_ms());
    seen_.delays_ms.push_back(static_cast<double>(delay.count()));
  }
}

void Watchers::Ended(Stream* stream, const grpc::Status& status) {
  const MutexLock lock(mutex_);
  open_.erase(stream);
  if (!status.ok() && !stopping_) errors_.Count(rpc::FromGrpcStatus(status).reason());
  if (open_.empty()) idle_.NotifyAll();
}

void Watchers::Stop() {
  MutexLock lock(mutex_);
  stopping_ = true;
  for (Stream* stream : open_) stream->Cancel();
  while (!open_.empty()) idle_.Wait(lock);
}

Watchers::Seen Watchers::Result() {
  const MutexLock lock(mutex_);
  std::sort(seen_.delays_ms.begin(), seen_.delays_ms.end());
  return std::move(seen_);
}

}  // namespace komadai::load
