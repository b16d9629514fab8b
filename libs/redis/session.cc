#include "libs/redis/session.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "libs/base/check.h"

namespace komadai::redis {

namespace {

constexpr std::size_t kMaxHeader = 24;  // a type, a number, an end of line

void AppendHeader(char type, std::size_t number, std::string& out) {
  char digits[kMaxHeader];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  KOMADAI_CHECK(error == std::errc());
  out.push_back(type);
  out.append(digits, end);
  out.append("\r\n");
}

}  // namespace

// By hand, because hiredis prints every length with printf: a few percent of what a move costs.
std::string Format(std::span<const std::string_view> arguments) {
  std::size_t size = kMaxHeader;
  for (const std::string_view argument : arguments) size += argument.size() + kMaxHeader;
  std::string command;
  command.reserve(size);
  AppendHeader('*', arguments.size(), command);
  for (const std::string_view argument : arguments) {
    AppendHeader('$', argument.size(), command);
    command.append(argument);
    command.append("\r\n");
  }
  return command;
}

std::string Format(const Arguments& arguments) {
  const std::vector<std::string_view> views(arguments.begin(), arguments.end());
  return Format(std::span<const std::string_view>(views));
}

Session::Session(EventLoop& loop, Options options, std::vector<Arguments> introductions,
                 Owner& owner)
    : loop_(loop),
      options_(std::move(options)),
      own_introductions_(std::move(introductions)),
      owner_(owner),
      backoff_(options_.min_backoff) {
  if (!options_.password.empty()) {
    Arguments auth{"AUTH"};
    if (!options_.user.empty()) auth.push_back(options_.user);
    auth.push_back(options_.password);
    introductions_.push_back(std::move(auth));
  }
  if (options_.database != 0) {
    introductions_.push_back({"SELECT", std::to_string(options_.database)});
  }
  if (options_.require_primary) introductions_.push_back({"ROLE"});
  // Shows that this is a Redis that answers, also where no other introduction is needed.
  introductions_.push_back({"PING"});
  introductions_.insert(introductions_.end(), own_introductions_.begin(), own_introductions_.end());
}

Session::~Session() { KOMADAI_CHECK(!connection_); }

void Session::Start() {
  running_ = true;
  Connect();
}

void Session::Stop() {
  running_ = false;
  StopTimer(connect_timer_);
  if (connection_) OnClosed("the client is stopping");
}

void Session::StopTimer(std::optional<EventLoop::TimerId>& timer) {
  if (timer) loop_.Cancel(*timer);
  timer.reset();
}

void Session::Connect() {
  connect_timer_.reset();
  std::string why;
  connection_ = Connection::Open(loop_, options_, *this, &why);
  if (!connection_) return OnClosed(why);
  introduced_ = 0;
  connect_timer_ = loop_.After(options_.connect_timeout, [this] {
    connect_timer_.reset();
    Drop("timeout while connecting");
  });
}

void Session::OnConnected() {
  for (const Arguments& introduction : introductions_) connection_->Append(Format(introduction));
}

void Session::OnReply(Reply reply) {
  if (up_) return owner_.OnReply(std::move(reply));
  if (Status status = CheckIntroduction(reply); !status) {
    return connection_->Fail(status.error().message());
  }
  if (++introduced_ == introductions_.size()) BecomeUp();
}

Status Session::CheckIntroduction(const Reply& reply) {
  // Of the command only the name: AUTH carries the password.
  const std::string& name = introductions_[introduced_].front();
  if (reply.IsError()) return Error{kUnavailable, name + ": " + reply.text};
  if (name == "ROLE") {
    const bool primary =
        reply.IsArray() && !reply.elements.empty() && reply.elements[0].text == "master";
    if (!primary) return Error{kUnavailable, "this server is not the primary"};
  }
  const std::size_t common = introductions_.size() - own_introductions_.size();
  if (introduced_ < common) return {};
  return owner_.OnIntroduction(introduced_ - common, reply);
}

void Session::BecomeUp() {
  StopTimer(connect_timer_);
  up_ = true;
  backoff_ = options_.min_backoff;
  owner_.OnUp();
}

std::uint64_t Session::Send(std::string_view formatted) {
  KOMADAI_CHECK(up_);
  connection_->Append(formatted);
  return connection_->appended();
}

void Session::Flush() {
  if (connection_) connection_->Flush();
}

void Session::Drop(std::string why) {
  if (!connection_) return;
  connection_->Fail(std::move(why));
  // Not at once: this may run inside a callback of the connection.
  if (drop_timer_) return;
  drop_timer_ = loop_.After(std::chrono::milliseconds(0), [this] {
    drop_timer_.reset();
    Flush();
  });
}

void Session::OnClosed(const std::string& why) {
  StopTimer(connect_timer_);
  StopTimer(drop_timer_);
  const std::uint64_t written = connection_ ? connection_->written() : 0;
  connection_.reset();
  const bool was_up = std::exchange(up_, false);
  owner_.OnDown(was_up ? why : "cannot connect: " + why, written);
  if (running_) ConnectLater();
}

void Session::ConnectLater() {
  // Half fixed, half random: many clients of one server do not come back all at once.
  const auto half = std::max<std::int64_t>(1, backoff_.count() / 2);
  const std::chrono::milliseconds pause(
      half + static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(half))));
  backoff_ = std::min(backoff_ * 2, options_.max_backoff);
  connect_timer_ = loop_.After(pause, [this] { Connect(); });
}

}  // namespace komadai::redis
