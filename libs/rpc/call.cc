#include "libs/rpc/call.h"

#include <algorithm>
#include <optional>

#include "libs/rpc/call_state.h"
#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/peer_address.h"
#include "libs/rpc/server/rate_limits.h"

namespace komadai::rpc {
namespace {

constexpr std::size_t kMaxRequestIdLength = 64;

std::optional<std::string_view> Find(const grpc::CallbackServerContext& context, const char* name) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(name);
  if (found == metadata.end()) return std::nullopt;
  return std::string_view(found->second.data(), found->second.size());
}

bool IsPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
         c == ':';
}

// What goes into log lines and other services' headers: short and plain.
bool IsGoodRequestId(std::string_view id) {
  if (id.empty() || id.size() > kMaxRequestIdLength) return false;
  return std::all_of(id.begin(), id.end(), IsPlain);
}

// The same made of anything. gRPC aborts the process that puts other bytes into a header.
std::string PlainRequestId(std::string id) {
  if (id.size() > kMaxRequestIdLength) id.resize(kMaxRequestIdLength);
  std::replace_if(
      id.begin(), id.end(), [](char c) { return !IsPlain(c); }, '_');
  return id.empty() ? "_" : id;
}

const std::shared_ptr<const Caller>& Anonymous() {
  static const auto& caller = *new std::shared_ptr<const Caller>(std::make_shared<const Caller>());
  return caller;
}

// Failures that are not the caller's doing.
bool IsOurs(Code code) {
  return code == Code::kInternal || code == Code::kUnavailable || code == Code::kDataLoss ||
         code == Code::kUnknown;
}

Error Expired() { return Error(kDeadlinePassed, "the deadline had passed on arrival"); }

Error Draining() { return Error(kServerDraining, "the server is stopping; try again elsewhere"); }

Error Unauthenticated() {
  return Error(kUnauthenticated, "this method needs a bearer token in the authorization header");
}

Error PermissionDenied(const Caller& caller, const Method& method) {
  const std::string kind(KindName(caller.kind));
  return Error(kPermissionDenied, "callers of kind " + kind + " may not call " + method.full_name,
               {{"kind", kind}, {"method", method.full_name}});
}

Error TooLarge(std::size_t bytes, std::size_t limit) {
  const std::string size = std::to_string(bytes);
  const std::string most = std::to_string(limit);
  return Error(kRequestTooLarge, "the request has " + size + " bytes, the limit is " + most,
               {{"bytes", size}, {"limit", most}});
}

}  // namespace

CallState::CallState(const Method& m, const TimeSource& t)
    : method(&m), time(&t), received_at(t.Now()), started(std::chrono::steady_clock::now()) {}

CallState::CallState(std::string id, const TimeSource& t, Deadline latest)
    : time(&t),
      received_at(t.Now()),
      started(std::chrono::steady_clock::now()),
      deadline(latest),
      caller(Anonymous()),
      request_id(std::move(id)) {}

void CallState::ReadMetadata(const grpc::CallbackServerContext& context) {
  peer = context.peer();
  if (const auto header = Find(context, "authorization")) authorization = *header;
  if (method->runtime->limits != nullptr && method->runtime->limits->trusted_proxies() > 0) {
    forwarded = ForwardedHeader(context.client_metadata());
  }
  const auto id = Find(context, "x-request-id");
  request_id = id && IsGoodRequestId(*id) ? std::string(*id) : method->runtime->NewRequestId();
  if (const auto header = Find(context, "traceparent")) {
    if (auto parsed = telemetry::TraceContext::Parse(*header)) trace = *std::move(parsed);
  }
}

Status CallState::AdmitCall(const grpc::CallbackServerContext& context) {
  caller = Anonymous();
  // Read before the call is counted: a counted call that was admitted is waited for by the drain.
  const bool draining = method->runtime->drain->IsDraining();
  method->in_flight->Increment();
  method->runtime->open_calls.fetch_add(1, std::memory_order_relaxed);
  ReadMetadata(context);
  // The wall clock, not the injected one: gRPC's deadlines are in the machine's time.
  const Deadline now = std::chrono::system_clock::now();
  deadline = context.deadline();
  if (method->options.max_deadline != kNoDeadline) {
    deadline = std::min(deadline, now + method->options.max_deadline);
  }
  if (deadline <= now) return Expired();

  if (Status known = AdmitCaller(); !known) return known;
  // Calls that are running may still need other services of this process; nothing new is begun.
  if (draining && !caller->IsService()) return Draining();
  if (!method->options.allow.Contains(caller->kind)) {
    if (caller->kind == CallerKind::kAnonymous) return Unauthenticated();
    return PermissionDenied(*caller, *method);
  }
  return {};
}

Status CallState::AdmitRequest(std::size_t bytes) {
  // Not when the call was begun: a player could begin the next move early and send it late.
  received_at = time->Now();
  if (deadline <= std::chrono::system_clock::now()) return Expired();
  if (bytes > method->options.max_request_bytes) {
    return TooLarge(bytes, method->options.max_request_bytes);
  }
  return Count(RateLimits::CostOfRequest(bytes));
}

Status CallState::Count(double cost) {
  RateLimits* const limits = method->runtime->limits;
  if (cost <= 0 || limits == nullptr) return {};
  return limits->Take(*caller, Address(), cost, received_at);
}

// Authenticates the caller and counts the call against the limits. A bad token counts too, so that
// guessing is limited.
Status CallState::AdmitCaller() {
  RateLimits* const limits = method->runtime->limits;
  std::optional<std::string_view> header;
  if (!authorization.empty()) header = authorization;
  Result<std::shared_ptr<const Caller>> who =
      method->runtime->authenticator->Authenticate(header, received_at);
  if (!who) {
    Status allowed = limits == nullptr
                         ? Status()
                         : limits->TakeUnknown(Address(), method->options.cost, received_at);
    return allowed ? std::move(who).error() : allowed;
  }
  caller = *std::move(who);
  return Count(method->options.cost);
}

std::string CallState::Address() const {
  if (!forwarded.empty()) {
    std::string address = ForwardedAddress(forwarded, method->runtime->limits->trusted_proxies());
    // A header that no trusted proxy wrote: the call came past them.
    if (!address.empty()) return address;
  }
  return AddressOfPeer(peer);
}

void CallState::SetCancelled() {
  std::function<void()> fn;
  {
    const MutexLock lock(mutex_);
    cancelled.store(true, std::memory_order_release);
    if (!ended_) fn = std::exchange(on_cancel_, nullptr);
  }
  if (fn) fn();
}

void CallState::OnCancel(std::function<void()> fn) {
  {
    const MutexLock lock(mutex_);
    if (ended_) return;
    if (!cancelled.load(std::memory_order_acquire)) {
      on_cancel_ = std::move(fn);
      return;
    }
  }
  fn();
}

Error CallState::ForCaller(const Error& error) const {
  if (!IsOurs(error.code()) || error.Is(kServerDraining)) return error;
  if (kServices.Contains(caller->kind)) return error;
  std::map<std::string, std::string> metadata{{"request_id", request_id}};
  const auto retry = error.metadata().find(kRetryAfterMs);
  if (retry != error.metadata().end()) metadata.insert(*retry);
  const char* const message = error.code() == Code::kUnavailable
                                  ? "a part of the server cannot be reached; try again in a moment"
                                  : "internal error; the request id names it in the log";
  return Error::FromWire(error.code(), error.reason(), message, std::move(metadata));
}

void CallState::Finished(const Error* error) {
  std::function<void()> dropped;
  {
    const MutexLock lock(mutex_);
    KOMADAI_CHECK(!ended_);
    ended_ = true;
    dropped = std::exchange(on_cancel_, nullptr);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  method->in_flight->Decrement();
  method->runtime->open_calls.fetch_sub(1, std::memory_order_relaxed);
  method->HandledWith(error == nullptr ? Code::kOk : error->code()).Increment();
  method->duration->Observe(seconds);
  WriteAccessLog(error, seconds);
}

void CallState::WriteAccessLog(const Error* error, double seconds) const {
  const Code code = error == nullptr ? Code::kOk : error->code();
  const AccessLog mode = method->runtime->access_log;
  if (mode == AccessLog::kOff || (mode == AccessLog::kErrors && code == Code::kOk)) return;
  const std::string_view why = error == nullptr ? std::string_view() : error->reason();
  std::int64_t left_out = 0;
  if (code != Code::kOk && method->runtime->repeats != nullptr) {
    std::string kind = method->full_name;
    kind += ' ';
    kind += why;
    const std::optional<std::int64_t> passed = method->runtime->repeats->Pass(kind, received_at);
    if (!passed) return;
    left_out = *passed;
  }
  // INTERNAL is our bug; everything else comes from the caller or the network.
  const telemetry::Level level =
      code == Code::kInternal ? telemetry::Level::kError : telemetry::Level::kInfo;
  method->runtime->log.Log(level, "call",
                           {{"method", method->full_name},
                            {"code", CodeName(code)},
                            {"reason", why},
                            {"what", IsOurs(code) ? error->message() : std::string()},
                            {"seconds", seconds},
                            {"request_id", request_id},
                            {"trace_id", trace.trace_id()},
                            {"caller_kind", KindName(caller->kind)},
                            {"caller_id", caller->id},
                            {"address", Address()},
                            {"lines_left_out", left_out}});
}

Call Call::Background(std::string request_id, const TimeSource& time, Millis timeout) {
  return Background(std::move(request_id), time, std::chrono::system_clock::now() + timeout);
}

Call Call::Background(std::string request_id, const TimeSource& time, Deadline deadline) {
  return Call(std::make_shared<CallState>(PlainRequestId(std::move(request_id)), time, deadline));
}

TimePoint Call::received_at() const { return state_->received_at; }
const Caller& Call::caller() const { return *state_->caller; }
Deadline Call::deadline() const { return state_->deadline; }
Millis Call::Remaining() const {
  if (state_->deadline == Deadline::max()) return Millis::max();
  const auto left = state_->deadline - std::chrono::system_clock::now();
  return std::max(Millis(0), std::chrono::duration_cast<Millis>(left));
}
const std::string& Call::request_id() const { return state_->request_id; }
const telemetry::TraceContext& Call::trace() const { return state_->trace; }
std::string_view Call::method() const {
  return state_->method == nullptr ? std::string_view() : state_->method->full_name;
}
const std::string& Call::authorization() const { return state_->authorization; }
const std::string& Call::peer() const { return state_->peer; }
std::string Call::address() const { return state_->Address(); }
bool Call::IsCancelled() const { return state_->cancelled.load(std::memory_order_acquire); }
void Call::OnCancel(std::function<void()> fn) const { state_->OnCancel(std::move(fn)); }

}  // namespace komadai::rpc
