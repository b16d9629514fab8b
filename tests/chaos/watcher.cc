#include "tests/chaos/watcher.h"

#include <algorithm>
#include <utility>

namespace komadai::chaos {
namespace {

constexpr Millis kReconnectPause{50};
constexpr Millis kLongestPause{800};
constexpr std::uint64_t kLeavesOneIn = 60;  // after how many events on average it breaks the stream

}  // namespace

Watcher::Watcher(World& world, std::string game_id, std::uint64_t seed,
                 std::function<void(const Message&)> on_message)
    : world_(world),
      game_id_(std::move(game_id)),
      random_(seed),
      on_message_(std::move(on_message)),
      thread_([this] { Run(); }) {}

Watcher::~Watcher() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void Watcher::Stop() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  if (context_ != nullptr) context_->TryCancel();
  changed_.NotifyAll();
}

void Watcher::Join(Millis patience) {
  {
    const auto until = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (!done_ && changed_.WaitUntil(lock, until)) {
    }
  }
  Stop();
  thread_.join();
}

void Watcher::Run() {
  Millis pause = kReconnectPause;
  for (;;) {
    const std::int64_t before = last_;
    Watch();
    pause = last_ == before ? std::min(pause * 2, kLongestPause) : kReconnectPause;
    MutexLock lock(mutex_);
    if (list_.finished) done_ = true;
    changed_.NotifyAll();
    if (done_ || stopping_) return;
    const auto until = std::chrono::steady_clock::now() + pause;
    while (!stopping_ && changed_.WaitUntil(lock, until)) {
    }
  }
}

void Watcher::Watch() {
  const auto context = std::make_shared<grpc::ClientContext>();
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    context_ = context;
  }
  game_pb::WatchGameRequest request;
  request.set_game_id(game_id_);
  request.set_after_sequence(last_);
  ++list_.connections;
  const auto stream = world_.game.at(random_.Below(1024)).WatchGame(context.get(), request);
  Message message;
  bool left = false;
  while (stream->Read(&message)) {
    if (left) continue;  // what was under way when the stream was broken is not looked at
    See(message);
    if (message.has_event() && !over_ && random_.Below(kLeavesOneIn) == 0) {
      left = true;
      context->TryCancel();
    }
  }
  const grpc::Status status = stream->Finish();
  const MutexLock lock(mutex_);
  context_ = nullptr;
  if (status.ok()) {
    // A stream that ends well has shown the end; if not, there is no use in asking again.
    list_.finished = true;
  } else if (!left && !stopping_) {
    world_.errors.Count(rpc::FromGrpcStatus(status).reason());
  }
}

void Watcher::See(const Message& message) {
  Seen seen;
  seen.at = SystemTimeSource().Now();
  if (message.has_snapshot()) {
    seen.snapshot = true;
    seen.sequence = message.snapshot().sequence();
    seen.end = message.snapshot().has_result();
  } else if (message.has_event()) {
    seen.sequence = message.event().sequence();
    seen.digest = DigestOf(message.event());
    seen.end = message.event().has_ended();
  } else {
    return;  // a heartbeat
  }
  last_ = seen.sequence;
  over_ = over_ || seen.end;
  list_.seen.push_back(seen);
  on_message_(message);
}

}  // namespace komadai::chaos
