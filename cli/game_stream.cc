#include "cli/game_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "komadai/game/v1/game.pb.h"
#include "libs/base/check.h"

namespace komadai::cli {
namespace {

constexpr Millis kReconnectPause{500};
constexpr int kMaxReconnects = 120;  // a minute without a server

bool Final(const grpc::Status& status) {
  return status.error_code() != grpc::StatusCode::UNAVAILABLE &&
         status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED &&
         status.error_code() != grpc::StatusCode::INTERNAL;  // a stream cut by a killed server
}

}  // namespace

GameStream::GameStream(const Targets& targets, std::string token, std::string game_id)
    : connection_(targets), game_id_(std::move(game_id)) {
  if (!token.empty()) connection_.SetToken(token);
  KOMADAI_CHECK(pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) == 0);
  thread_ = std::thread([this] { Run(); });
}

GameStream::~GameStream() {
  stopping_ = true;
  {
    const MutexLock lock(mutex_);
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
  close(pipe_[0]);
  close(pipe_[1]);
}

void GameStream::Run() {
  for (int attempt = 0; attempt < kMaxReconnects && !stopping_; ++attempt) {
    const std::int64_t before = last_sequence_;
    if (!Watch()) return;
    if (last_sequence_ != before) attempt = 0;
    std::this_thread::sleep_for(kReconnectPause);
  }
  const MutexLock lock(mutex_);
  failure_ = Error(kUnavailable, "the server does not answer");
  Wake();
}

// One connection; true if it is to be tried again.
bool GameStream::Watch() {
  game::v1::WatchGameRequest request;
  request.set_game_id(game_id_);
  request.set_after_sequence(last_sequence_);
  const std::shared_ptr<grpc::ClientContext> context = connection_.StreamContext();
  {
    const MutexLock lock(mutex_);
    context_ = context;
  }
  const auto stream = connection_.Open(*context, request);
  game::v1::WatchGameResponse message;
  while (stream->Read(message)) Push(std::move(message));
  const grpc::Status status = stream->Finish();
  const MutexLock lock(mutex_);
  context_ = nullptr;
  if (over_ || stopping_) return false;
  if (!status.ok() && Final(status)) {
    failure_ = Connection::ErrorOf(status);
    Wake();
    return false;
  }
  return true;
}

void GameStream::Push(game::v1::WatchGameResponse message) {
  const MutexLock lock(mutex_);
  if (message.has_snapshot()) {
    last_sequence_ = message.snapshot().sequence();
    over_ = message.snapshot().has_result();
  } else if (message.has_event()) {
    last_sequence_ = message.event().sequence();
    over_ = over_ || message.event().has_ended();
  }
  messages_.push_back(std::move(message));
  Wake();
}

void GameStream::Wake() {
  const char byte = 1;
  // A full pipe is readable already.
  [[maybe_unused]] const ssize_t written = write(pipe_[1], &byte, 1);
}

std::optional<game::v1::WatchGameResponse> GameStream::Take() {
  const MutexLock lock(mutex_);
  if (messages_.empty()) {
    char drain[64];
    while (read(pipe_[0], drain, sizeof drain) > 0) {
    }
    return std::nullopt;
  }
  game::v1::WatchGameResponse message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

std::optional<Error> GameStream::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

}  // namespace komadai::cli
