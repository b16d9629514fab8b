#include "libs/redis/connection.h"

#include <hiredis/sds.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "libs/redis/reply_reader.h"

namespace komadai::redis {

std::unique_ptr<Connection> Connection::Open(EventLoop& loop, const Options& options, Owner& owner,
                                             std::string* why) {
  Context context(options.unix_socket.empty()
                      ? redisConnectNonBlock(options.host.c_str(), options.port)
                      : redisConnectUnixNonBlock(options.unix_socket.c_str()));
  if (!context || context->err != 0) {
    *why = context ? context->errstr : "out of memory";
    return nullptr;
  }
  context->reader->fn = ReplyFunctions();
  return std::unique_ptr<Connection>(new Connection(loop, owner, std::move(context)));
}

Connection::Connection(EventLoop& loop, Owner& owner, Context context)
    : loop_(loop), owner_(owner), context_(std::move(context)) {
  watch_ = loop_.Watch(context_->fd, EPOLLIN | EPOLLOUT,
                       [this](std::uint32_t events) { OnReady(events); });
}

Connection::~Connection() { loop_.Unwatch(watch_); }

void Connection::Append(std::string_view formatted) {
  appended_ += formatted.size();
  if (redisAppendFormattedCommand(context_.get(), formatted.data(), formatted.size()) != REDIS_OK) {
    Fail(context_->errstr);
  }
}

std::uint64_t Connection::written() const { return appended_ - sdslen(context_->obuf); }

void Connection::Fail(std::string why) {
  if (failed_) return;
  failed_ = true;
  why_ = std::move(why);
}

void Connection::Flush() {
  if (connected_ && !failed_ && sdslen(context_->obuf) > 0) {
    int done = 0;
    if (redisBufferWrite(context_.get(), &done) != REDIS_OK) {
      Fail(context_->errstr);
    } else {
      WantWrite(done == 0);
    }
  }
  if (failed_) Close();
}

void Connection::WantWrite(bool want) {
  if (want == wants_write_) return;
  wants_write_ = want;
  loop_.Rewatch(watch_, want ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Connection::OnReady(std::uint32_t events) {
  if (!connected_ && !FinishConnecting()) return Close();
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
    // Bounded, so that a flood of replies does not starve the rest of the loop.
    for (int i = 0; i < 8 && !failed_ && ReadSome(); ++i) DispatchReplies();
  }
  Flush();
}

bool Connection::FinishConnecting() {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(context_->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) {
    Fail(std::strerror(error));
    return false;
  }
  connected_ = true;
  if (context_->connection_type == REDIS_CONN_TCP) redisEnableKeepAlive(context_.get());
  owner_.OnConnected();
  return true;
}

bool Connection::ReadSome() {
  const std::size_t before = context_->reader->len;
  if (redisBufferRead(context_.get()) != REDIS_OK) {
    Fail(context_->errstr);
    return false;
  }
  return context_->reader->len != before;
}

void Connection::DispatchReplies() {
  while (!failed_) {
    void* raw = nullptr;
    if (redisGetReplyFromReader(context_.get(), &raw) != REDIS_OK) return Fail(context_->errstr);
    if (raw == nullptr) return;
    const std::unique_ptr<Reply> reply(static_cast<Reply*>(raw));
    owner_.OnReply(std::move(*reply));
  }
}

void Connection::Close() {
  const std::string why = std::move(why_);
  owner_.OnClosed(why);  // may destroy this
}

}  // namespace komadai::redis
