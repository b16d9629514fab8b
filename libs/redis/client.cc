#include "libs/redis/client.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "libs/base/check.h"

namespace komadai::redis {
namespace {

constexpr std::chrono::milliseconds kCheckInterval{25};

std::vector<Arguments> LoadScripts(const std::vector<std::string>& scripts) {
  std::vector<Arguments> commands;
  for (const std::string& source : scripts) commands.push_back({"SCRIPT", "LOAD", source});
  return commands;
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return StartsWith(text, prefix); });
}

// The code with which an error begins. What a command inside a script failed with is at the end of
// the script's error in Redis 6: "ERR Error running script (call to f_...): ... : -OOM command not
// allowed". Redis 7 passes it on as it is.
std::string_view CodeOf(std::string_view error) {
  if (!StartsWith(error, "ERR Error running script")) return error;
  const std::size_t inner = error.rfind(": -");
  return inner == std::string_view::npos ? error : error.substr(inner + 3);
}

// This server cannot serve anything now; another connection may lead to one that can.
bool IsUselessServer(std::string_view error) {
  return StartsWithAny(CodeOf(error), {"READONLY ", "LOADING ", "MASTERDOWN ", "NOAUTH "});
}

// Refused before execution, for a temporary reason.
bool IsPassing(std::string_view error) {
  return IsUselessServer(error) ||
         StartsWithAny(CodeOf(error), {"OOM ", "MISCONF ", "BUSY ", "NOREPLICAS ", "CLUSTERDOWN ",
                                       "TRYAGAIN ", "MOVED "});
}

}  // namespace

Client::Client(std::shared_ptr<EventLoop> loop, Options options, std::vector<std::string> scripts,
               Observer* observer)
    : loop_(std::move(loop)),
      options_(std::move(options)),
      scripts_(std::move(scripts)),
      observer_(observer),
      script_hashes_(scripts_.size()),
      session_(*loop_, options_, LoadScripts(scripts_), *this) {
  loop_->RunAndWait([this] {
    loop_->AddBatcher(this);
    session_.Start();
  });
}

Client::~Client() {
  KOMADAI_CHECK(!loop_->OnLoopThread());
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  loop_->RunAndWait([this] {
    session_.Stop();
    TakeIncoming();
    FailWaiting(EventLoop::Clock::time_point::max(), "the client is stopping");
    if (check_timer_) loop_->Cancel(*check_timer_);
    loop_->RemoveBatcher(this);
  });
}

void Client::Send(const Arguments& command, Done done) {
  SendFormatted(Format(command), std::move(done));
}

Task<Result<Reply>> Client::Command(Arguments command) {
  co_return co_await FromCallback<Result<Reply>>(
      [this, &command](auto done) { Send(command, std::move(done)); });
}

Task<Result<Reply>> Client::Eval(std::size_t script, Arguments keys, Arguments arguments) {
  Result<Reply> reply = co_await FromCallback<Result<Reply>>([&](auto done) {
    SendFormatted(FormatEval(script, keys, arguments, !scripts_known_), std::move(done));
  });
  const bool forgotten =
      !reply && reply.error().Is(kErrorReply) && StartsWith(reply.error().message(), "NOSCRIPT");
  if (!forgotten) co_return reply;
  co_return co_await FromCallback<Result<Reply>>([&](auto done) {
    SendFormatted(FormatEval(script, keys, arguments, true), std::move(done));
  });
}

std::string Client::FormatEval(std::size_t script, const Arguments& keys,
                               const Arguments& arguments, bool by_source) const {
  const std::string key_count = std::to_string(keys.size());
  std::vector<std::string_view> command;
  command.reserve(3 + keys.size() + arguments.size());
  command.push_back(by_source ? "EVAL" : "EVALSHA");
  command.push_back(by_source ? scripts_.at(script) : script_hashes_.at(script));
  command.push_back(key_count);
  command.insert(command.end(), keys.begin(), keys.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Format(std::span<const std::string_view>(command));
}

void Client::SendFormatted(std::string formatted, Done done) {
  const std::size_t bytes = formatted.size();
  const std::size_t commands_before = pending_commands_.fetch_add(1);
  const std::size_t bytes_before = pending_bytes_.fetch_add(bytes);
  if (commands_before >= options_.max_pending_commands ||
      bytes_before + bytes > options_.max_pending_bytes) {
    --pending_commands_;
    pending_bytes_ -= bytes;
    if (observer_ != nullptr) observer_->OnRefused();
    return done(Error{kOverloaded, "too many commands wait for Redis"});
  }
  Pending pending{std::move(formatted), bytes, 0, EventLoop::Clock::now(), std::move(done)};
  {
    MutexLock lock(mutex_);
    if (stopped_) {
      lock.Unlock();
      return Complete(std::move(pending), Error{kUnavailable, "the client is stopping"});
    }
    incoming_.push_back(std::move(pending));
  }
  loop_->Wake();
}

void Client::Complete(Pending pending, Result<Reply> result) {
  --pending_commands_;
  pending_bytes_ -= pending.bytes;
  if (observer_ != nullptr) {
    observer_->OnCommand(EventLoop::Clock::now() - pending.since,
                         result ? std::string_view() : result.error().reason());
  }
  pending.done(std::move(result));
}

bool Client::HasWork() {
  const MutexLock lock(mutex_);
  return !incoming_.empty();
}

void Client::TakeIncoming() {
  std::vector<Pending> taken;
  {
    const MutexLock lock(mutex_);
    taken.swap(incoming_);
  }
  for (Pending& pending : taken) waiting_.push_back(std::move(pending));
}

void Client::BeforeSleep() {
  TakeIncoming();
  SendWaiting();
  session_.Flush();
  ArmCheck();
}

void Client::SendWaiting() {
  if (!session_.up() || draining_) return;
  for (Pending& pending : waiting_) {
    pending.end = session_.Send(pending.formatted);
    pending.formatted = std::string();
    sent_.push_back(std::move(pending));
  }
  waiting_.clear();
}

void Client::OnUp() {
  draining_ = false;
  scripts_known_ = true;
  if (observer_ != nullptr) observer_->OnConnected();
}

Status Client::OnIntroduction(std::size_t index, const Reply& reply) {
  if (!reply.IsString()) return Error{kUnavailable, "SCRIPT LOAD: an odd reply"};
  if (!scripts_known_) script_hashes_[index] = reply.text;
  return {};
}

Result<Reply> Client::Interpret(Reply reply) {
  if (!reply.IsError()) return reply;
  if (IsUselessServer(reply.text)) draining_ = true;
  if (IsPassing(reply.text)) return Error{kUnavailable, "Redis: " + reply.text};
  return Error{kErrorReply, reply.text};
}

void Client::OnReply(Reply reply) {
  if (sent_.empty()) return session_.Drop("a reply without a command");
  Pending pending = std::move(sent_.front());
  sent_.pop_front();
  Result<Reply> result = Interpret(std::move(reply));
  if (draining_ && sent_.empty()) session_.Drop("the server cannot serve now");
  Complete(std::move(pending), std::move(result));
}

void Client::OnDown(const std::string& why, std::uint64_t written) {
  draining_ = false;
  last_failure_ = why;
  if (observer_ != nullptr) observer_->OnDisconnected(why);
  std::deque<Pending> lost;
  lost.swap(sent_);
  for (Pending& pending : lost) {
    const Reason reason = pending.end <= written ? kInDoubt : kUnavailable;
    Complete(std::move(pending), Error{reason, "the connection to Redis was lost: " + why});
  }
}

void Client::FailWaiting(EventLoop::Clock::time_point older_than, const std::string& why) {
  while (!waiting_.empty() && waiting_.front().since < older_than) {
    Pending pending = std::move(waiting_.front());
    waiting_.pop_front();
    Complete(std::move(pending), Error{kUnavailable, "no connection to Redis: " + why});
  }
}

void Client::ArmCheck() {
  if (check_timer_ || (waiting_.empty() && sent_.empty())) return;
  check_timer_ = loop_->After(kCheckInterval, [this] {
    check_timer_.reset();
    Check();
  });
}

void Client::Check() {
  const auto now = EventLoop::Clock::now();
  if (!sent_.empty() && sent_.front().since + options_.command_timeout < now) {
    session_.Drop("no reply within the command timeout");
  }
  FailWaiting(now - options_.offline_patience, last_failure_);
}

}  // namespace komadai::redis
