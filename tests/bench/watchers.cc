#include "tests/bench/watchers.h"

#include "tests/bench/bearer.h"

namespace komadai::bench {
namespace {

namespace game_pb = ::komadai::game::v1;

// Of one connection; a server allows a limited number.
constexpr int kStreamsPerChannel = 100;  // as many as a server takes on a connection

}  // namespace

class Watchers::Watcher final : public grpc::ClientReadReactor<game_pb::WatchGameResponse> {
 public:
  Watcher(Watchers& all, game_pb::GameService::Stub& stub, const std::string& game_id) : all_(all) {
    request_.set_game_id(game_id);
    stub.async()->WatchGame(&context_, &request_, this);
    StartRead(&message_);
    StartCall();
  }
  void Cancel() { context_.TryCancel(); }
  // With all_.mutex_ held.
  std::int64_t seen() const { return seen_; }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    {
      const MutexLock lock(all_.mutex_);
      if (message_.has_snapshot()) seen_ = message_.snapshot().sequence();
      if (message_.has_event()) {
        if (message_.event().sequence() != seen_ + 1) Die("a watcher has missed an event");
        seen_ = message_.event().sequence();
      }
      if (!message_.has_heartbeat() && seen_ >= all_.awaited_ && !counted_) {
        counted_ = true;
        if (++all_.arrived_ == static_cast<int>(all_.watchers_.size())) all_.changed_.NotifyAll();
      }
    }
    StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    if (!status.ok() && status.error_code() != grpc::StatusCode::CANCELLED) {
      Die("a watcher was cut off: " + status.error_message());
    }
    const MutexLock lock(all_.mutex_);
    if (--all_.open_ == 0) all_.changed_.NotifyAll();
  }
  // With all_.mutex_ held: counts from now on for `sequence`.
  bool Await(std::int64_t sequence) { return counted_ = seen_ >= sequence; }

 private:
  Watchers& all_;
  grpc::ClientContext context_;
  game_pb::WatchGameRequest request_;
  game_pb::WatchGameResponse message_;
  std::int64_t seen_ = -1;
  bool counted_ = true;
};

Watchers::Watchers(const std::string& address, const std::string& game_id, int count) {
  for (int i = 0; i < count; ++i) {
    if (i % kStreamsPerChannel == 0) {
      grpc::ChannelArguments own_connection;
      own_connection.SetInt("komadai.bench.connection", i);
      stubs_.push_back(game_pb::GameService::NewStub(
          grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own_connection)));
    }
    auto watcher = std::make_unique<Watcher>(*this, *stubs_.back(), game_id);
    const MutexLock lock(mutex_);
    watchers_.push_back(std::move(watcher));
    ++open_;
  }
  WaitFor(0);
}

Watchers::~Watchers() {
  for (const auto& watcher : watchers_) watcher->Cancel();
  MutexLock lock(mutex_);
  while (open_ != 0) changed_.Wait(lock);
}

void Watchers::WaitFor(std::int64_t sequence) {
  MutexLock lock(mutex_);
  awaited_ = sequence;
  arrived_ = 0;
  for (const auto& watcher : watchers_) arrived_ += watcher->Await(sequence) ? 1 : 0;
  while (arrived_ != static_cast<int>(watchers_.size())) changed_.Wait(lock);
}

}  // namespace komadai::bench
