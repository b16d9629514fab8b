#include "libs/redis/subscriber.h"

#include <utility>

#include "libs/base/check.h"

namespace komadai::redis {
namespace {

// One SUBSCRIBE names at most this many channels, so that no single command is huge.
constexpr std::size_t kChannelsPerCommand = 256;

}  // namespace

Subscriber::Subscriber(std::shared_ptr<EventLoop> loop, Options options, Handlers handlers,
                       Observer* observer)
    : loop_(std::move(loop)),
      options_(std::move(options)),
      handlers_(std::move(handlers)),
      observer_(observer),
      session_(*loop_, options_, {}, *this) {
  loop_->RunAndWait([this] {
    loop_->AddBatcher(this);
    session_.Start();
  });
}

Subscriber::~Subscriber() {
  KOMADAI_CHECK(!loop_->OnLoopThread());
  loop_->RunAndWait([this] {
    session_.Stop();
    if (ping_timer_) loop_->Cancel(*ping_timer_);
    loop_->RemoveBatcher(this);
  });
}

void Subscriber::SendCommand(const Arguments& command) {
  if (session_.up()) session_.Send(Format(command));
}

void Subscriber::Subscribe(const std::string& channel) {
  channels_.insert(channel);
  SendCommand({"SUBSCRIBE", channel});
}

void Subscriber::Unsubscribe(const std::string& channel) {
  if (channels_.erase(channel) > 0) SendCommand({"UNSUBSCRIBE", channel});
}

void Subscriber::SubscribeAll() {
  Arguments command;
  for (const std::string& channel : channels_) {
    if (command.empty()) command.push_back("SUBSCRIBE");
    command.push_back(channel);
    if (command.size() <= kChannelsPerCommand) continue;
    SendCommand(command);
    command.clear();
  }
  if (!command.empty()) SendCommand(command);
}

void Subscriber::BeforeSleep() {
  handlers_.on_batch_end();
  session_.Flush();
}

void Subscriber::OnUp() {
  if (observer_ != nullptr) observer_->OnConnected();
  SubscribeAll();
  heard_something_ = true;
  ArmPing();
}

void Subscriber::OnReply(Reply reply) {
  heard_something_ = true;
  if (reply.IsError()) return session_.Drop("pub/sub: " + reply.text);
  if (!reply.IsArray() || reply.elements.size() != 3) return;  // a pong
  const std::string& what = reply.elements[0].text;
  const std::string& channel = reply.elements[1].text;
  if (what == "message") {
    handlers_.on_message(channel, reply.elements[2].text);
  } else if (what == "subscribe" && channels_.contains(channel)) {
    handlers_.on_live(channel);
  }
}

void Subscriber::OnDown(const std::string& why, std::uint64_t) {
  if (ping_timer_) loop_->Cancel(*ping_timer_);
  ping_timer_.reset();
  if (observer_ != nullptr) observer_->OnDisconnected(why);
  handlers_.on_lost();
}

void Subscriber::ArmPing() {
  ping_timer_ = loop_->After(options_.command_timeout, [this] {
    ping_timer_.reset();
    Ping();
  });
}

// A connection without traffic cannot tell a quiet channel from a dead peer.
void Subscriber::Ping() {
  if (!heard_something_) return session_.Drop("pub/sub: no reply to a ping");
  heard_something_ = false;
  SendCommand({"PING"});
  ArmPing();
}

}  // namespace komadai::redis
