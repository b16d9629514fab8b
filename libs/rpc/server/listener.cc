#include "libs/rpc/server/listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/rpc/server/peer_address.h"

namespace komadai::rpc {
namespace {

constexpr int kCountMillis = 1000;  // how often closed connections are noticed
constexpr int kRetryMillis = 50;    // after accept failed for lack of memory or descriptors
constexpr int kMostAtOnce = 256;    // taken from one socket before the others get their turn
constexpr char kTooMany[] = "total";
constexpr char kTooManyOfAddress[] = "address";
constexpr char kTooFast[] = "address_rate";
constexpr char kNoDescriptor[] = "descriptors";
constexpr char kBanned[] = "banned";

int OpenReserve() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

Result<std::unique_ptr<Listener>> Listener::Open(const std::string& address,
                                                 const ListenerLimits& limits,
                                                 const TimeSource& time,
                                                 telemetry::Metrics& metrics,
                                                 telemetry::Logger log) {
  Result<ListeningSockets> sockets = ListeningSockets::Open(address);
  if (!sockets) return std::move(sockets).error();
  return std::unique_ptr<Listener>(
      new Listener(*std::move(sockets), limits, time, metrics, std::move(log)));
}

Listener::Listener(ListeningSockets sockets, const ListenerLimits& limits, const TimeSource& time,
                   telemetry::Metrics& metrics, telemetry::Logger log)
    : sockets_(std::move(sockets)),
      time_(time),
      open_gauge_(metrics.Gauge("komadai_connections", "Connections that clients have open.")),
      refused_(
          metrics.Counter("komadai_connections_refused_total", "Connections closed on arrival.",
                          {{"by", {kTooMany, kTooManyOfAddress, kTooFast, kNoDescriptor, kBanned}},
                           {"from", AddressClasses()}})),
      cut_(metrics.Counter("komadai_connections_cut_total",
                           "Connections ended because of resets without end.",
                           {{"from", AddressClasses()}})),
      log_(std::move(log)),
      open_(limits.open),
      arrivals_(limits.per_address_and_second, limits.address_burst),
      reserve_(OpenReserve()),
      wake_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      ban_(limits.ban) {
  KOMADAI_CHECK(wake_event_ >= 0);
}

Listener::~Listener() {
  Stop();
  close(wake_event_);
  if (reserve_ >= 0) close(reserve_);
}

void Listener::Start(Take take) {
  KOMADAI_CHECK(!thread_.joinable());
  take_ = std::move(take);
  thread_ = std::thread([this] { Run(); });
}

void Listener::Stop() {
  if (thread_.joinable()) {
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    Wake();
    thread_.join();
  }
  sockets_.Close();
}

void Listener::Wake() {
  const std::uint64_t one = 1;
  KOMADAI_CHECK(write(wake_event_, &one, sizeof one) == sizeof one);
}

void Listener::Cut(std::string peer) {
  {
    const MutexLock lock(mutex_);
    to_cut_.push_back(std::move(peer));
  }
  Wake();
}

bool Listener::CutConnections() {
  std::uint64_t times = 0;
  KOMADAI_CHECK(read(wake_event_, &times, sizeof times) == sizeof times);
  std::vector<std::string> peers;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return false;
    peers.swap(to_cut_);
  }
  for (const std::string& peer : peers) {
    const std::string address = AddressOfPeer(peer);
    if (!open_.Cut(address, PlainPeer(peer))) continue;
    cut_.With({AddressClass(address)}).Increment();
    log_.Warning("connection cut: it has many more calls than it may have", {{"peer", peer}});
    if (ban_ > Millis(0)) banned_until_[address] = time_.Now() + ban_;
  }
  return true;
}

void Listener::Run() {
  std::vector<pollfd> watched{{.fd = wake_event_, .events = POLLIN, .revents = 0}};
  for (const int descriptor : sockets_.descriptors()) {
    watched.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
  }
  auto next_count = std::chrono::steady_clock::now();
  bool failed = false;
  for (;;) {
    // After a failure the waiting connection would wake the loop at once, again and again.
    if (failed) {
      poll(watched.data(), 1, kRetryMillis);
      for (pollfd& entry : watched)
        entry.revents = entry.fd == wake_event_ ? entry.revents : POLLIN;
    } else {
      poll(watched.data(), watched.size(), kCountMillis);
    }
    if (watched.front().revents != 0 && !CutConnections()) return;
    failed = false;
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents != 0 && !AcceptAll(watched[i].fd)) failed = true;
    }
    if (const auto now = std::chrono::steady_clock::now(); now >= next_count) {
      CountOpen();
      next_count = now + std::chrono::milliseconds(kCountMillis);
    }
  }
}

void Listener::CountOpen() {
  open_.Sweep();
  const TimePoint now = time_.Now();
  std::erase_if(banned_until_, [&](const auto& entry) { return entry.second <= now; });
  open_gauge_.Get().Set(static_cast<double>(open_.size()));
}

bool Listener::AcceptAll(int listening) {
  for (int taken = 0; taken < kMostAtOnce; ++taken) {
    switch (AcceptOne(listening)) {
      case Accepted::kOne:
        break;
      case Accepted::kNothing:
        return true;
      case Accepted::kFailed:
        return false;
    }
  }
  return true;
}

Listener::Accepted Listener::AcceptOne(int listening) {
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  const int connection =
      accept4(listening, reinterpret_cast<sockaddr*>(&peer), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Accepted::kNothing;
    if (errno == EMFILE || errno == ENFILE) {
      RefuseWithoutDescriptor(listening);
      return Accepted::kFailed;
    }
    if (errno == ENOBUFS || errno == ENOMEM) return Accepted::kFailed;
    return Accepted::kOne;  // this one connection was lost already; the next may be fine
  }
  const std::string address = AddressOfSocket(peer);
  if (const char* why = ReasonToRefuse(address)) {
    Refuse(connection, why, address);
    return Accepted::kOne;
  }
  open_.Add(connection, address, PeerOfSocket(peer));
  take_(listening, connection);
  return Accepted::kOne;
}

const char* Listener::ReasonToRefuse(const std::string& address) {
  const TimePoint now = time_.Now();
  const auto banned = banned_until_.find(address);
  if (banned != banned_until_.end() && now < banned->second) return kBanned;
  if (arrivals_.Take(address, now)) return kTooFast;
  switch (open_.RoomFor(address)) {
    case OpenConnections::Room::kNone:
      return kTooMany;
    case OpenConnections::Room::kNoneForAddress:
      return kTooManyOfAddress;
    case OpenConnections::Room::kFree:
      break;
  }
  // gRPC, stores and engines need descriptors too: the last one is not for a stranger.
  if (reserve_ < 0) reserve_ = OpenReserve();
  return reserve_ < 0 ? kNoDescriptor : nullptr;
}

void Listener::Refuse(int connection, const char* why, const std::string& address) {
  refused_.With({why, AddressClass(address)}).Increment();
  close(connection);
  const std::optional<std::int64_t> left_out = repeats_.Pass(why, time_.Now());
  if (!left_out) return;
  log_.Warning("connection refused", {{"by", why},
                                      {"address", address},
                                      {"open", static_cast<std::int64_t>(open_.size())},
                                      {"lines_left_out", *left_out}});
}

// The connection would wait in the kernel, and its client for an answer.
void Listener::RefuseWithoutDescriptor(int listening) {
  if (reserve_ < 0) return;
  close(std::exchange(reserve_, -1));
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  const int connection =
      accept4(listening, reinterpret_cast<sockaddr*>(&peer), &length, SOCK_CLOEXEC);
  if (connection >= 0) Refuse(connection, kNoDescriptor, AddressOfSocket(peer));
  reserve_ = OpenReserve();
}

}  // namespace komadai::rpc
