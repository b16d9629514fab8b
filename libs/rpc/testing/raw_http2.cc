#include "libs/rpc/testing/raw_http2.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace komadai::rpc {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// RFC 9113.
constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::uint8_t kData = 0, kHeaders = 1, kReset = 3, kSettings = 4, kPing = 6, kWindow = 8;
constexpr std::uint8_t kEndStream = 1, kAck = 1, kEndHeaders = 4;
constexpr std::uint16_t kHeaderTableSize = 1, kInitialWindowSize = 4;
constexpr std::size_t kFrameHeader = 9;
constexpr std::size_t kLargestFrame = 16384;

std::string BigEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift & 0xFF);
  }
  return text;
}

std::uint32_t NumberAt(std::string_view bytes, std::size_t at, int size) {
  std::uint32_t value = 0;
  for (int i = 0; i < size; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

// RFC 7541: a length with a prefix of seven bits and text that is not compressed.
std::string HpackText(std::string_view text) {
  std::string out;
  std::size_t length = text.size();
  if (length < 127) {
    out += static_cast<char>(length);
  } else {
    out += static_cast<char>(127);
    for (length -= 127; length >= 128; length /= 128) {
      out += static_cast<char>(length % 128 + 128);
    }
    out += static_cast<char>(length);
  }
  return out + std::string(text);
}

std::string HpackField(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + HpackText(name) + HpackText(value);
}

// The headers are not decoded: without a table for them, gRPC writes this one in plain text. The
// length of its name is in front: other names begin like it.
int GrpcStatusIn(std::string_view headers) {
  constexpr std::string_view kName = "\x0bgrpc-status";
  const std::size_t at = headers.find(kName);
  if (at == std::string_view::npos || at + kName.size() + 1 >= headers.size()) return -1;
  const auto length = static_cast<std::size_t>(headers[at + kName.size()]);
  const std::string digits(headers.substr(at + kName.size() + 1, length));
  return std::atoi(digits.c_str());
}

bool ParseAddress(const std::string& text, sockaddr_in& address) {
  const std::size_t colon = text.rfind(':');
  address.sin_family = AF_INET;
  if (colon != std::string::npos) {
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(text.c_str() + colon + 1)));
  }
  return inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr) == 1;
}

Error Failed(const std::string& what) {
  return Error(kRawConnectionFailed, what + ": " + std::strerror(errno));
}

}  // namespace

Result<std::unique_ptr<RawHttp2>> RawHttp2::Connect(const std::string& server,
                                                    const Options& options) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return Failed("socket");
  std::unique_ptr<RawHttp2> raw(new RawHttp2(descriptor, options));
  sockaddr_in address{};
  if (!options.source.empty()) {
    if (!ParseAddress(options.source, address) ||
        bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      return Failed("bind to " + options.source);
    }
  }
  address = {};
  if (!ParseAddress(server, address) ||
      connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return Failed("connect to " + server);
  }
  if (options.greet && !raw->Greet()) return Failed("greet " + server);
  return raw;
}

RawHttp2::~RawHttp2() { close(descriptor_); }

bool RawHttp2::Greet() {
  const std::string settings = BigEndian(kHeaderTableSize, 2) + BigEndian(0, 4) +
                               BigEndian(kInitialWindowSize, 2) + BigEndian(options_.window, 4);
  bool sent = Send(kPreface) && SendFrame(kSettings, 0, 0, settings);
  if (options_.window > 65535)
    sent = sent && SendFrame(kWindow, 0, 0, BigEndian(options_.window, 4));
  return sent;
}

bool RawHttp2::Send(std::string_view bytes) {
  const auto until = steady_clock::now() + options_.send_patience;
  while (!broken_ && !bytes.empty()) {
    const ssize_t sent = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) broken_ = true;
    if (steady_clock::now() > until) broken_ = true;
    pollfd writable{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    poll(&writable, 1, 100);
  }
  return !broken_;
}

bool RawHttp2::SendFrame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                         std::string_view payload) {
  std::string frame = BigEndian(payload.size(), 3);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  frame += BigEndian(stream, 4);
  frame += payload;
  return Send(frame);
}

std::uint32_t RawHttp2::Begin(const std::string& path, const Headers& headers) {
  std::string block = HpackField(":method", "POST") + HpackField(":scheme", "http") +
                      HpackField(":path", path) + HpackField(":authority", "localhost") +
                      HpackField("content-type", "application/grpc") + HpackField("te", "trailers");
  for (const auto& [name, value] : headers) block += HpackField(name, value);
  const std::uint32_t stream = std::exchange(next_stream_, next_stream_ + 2);
  if (!SendFrame(kHeaders, kEndHeaders, stream, block)) return 0;
  streams_[stream].window = initial_window_;
  return stream;
}

bool RawHttp2::SendMessage(std::uint32_t stream, std::string_view message, bool end,
                           bool compressed) {
  std::string bytes(1, compressed ? '\1' : '\0');
  bytes += BigEndian(message.size(), 4);
  bytes += message;
  return SendData(stream, bytes, end);
}

bool RawHttp2::SendData(std::uint32_t stream, std::string_view bytes, bool end) {
  const auto until = steady_clock::now() + options_.send_patience;
  Stream& state = streams_[stream];
  do {
    const std::int64_t room = std::min(window_, state.window);
    const auto size = static_cast<std::size_t>(std::clamp<std::int64_t>(
        room, 0, static_cast<std::int64_t>(std::min(bytes.size(), kLargestFrame))));
    if (size == 0 && !bytes.empty()) {
      if (!Pump(milliseconds(100)) || state.ended || steady_clock::now() > until) return false;
      continue;
    }
    const bool last = size == bytes.size();
    if (!SendFrame(kData, last && end ? kEndStream : 0, stream, bytes.substr(0, size)))
      return false;
    window_ -= static_cast<std::int64_t>(size);
    state.window -= static_cast<std::int64_t>(size);
    bytes.remove_prefix(size);
  } while (!bytes.empty());
  return true;
}

bool RawHttp2::Reset(std::uint32_t stream) {
  streams_.erase(stream);
  return SendFrame(kReset, 0, stream, BigEndian(8, 4));  // CANCEL
}

bool RawHttp2::Pump(milliseconds wait) {
  char buffer[65536];
  for (;;) {
    if (broken_) return false;
    pollfd readable{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (poll(&readable, 1, static_cast<int>(wait.count())) <= 0) return true;
    const ssize_t got = recv(descriptor_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) broken_ = true;
    if (got > 0) input_.append(buffer, static_cast<std::size_t>(got));
    TakeFrames();
    wait = milliseconds(0);
  }
}

void RawHttp2::TakeFrames() {
  std::size_t at = 0;
  while (input_.size() - at >= kFrameHeader) {
    const std::size_t size = NumberAt(input_, at, 3);
    if (input_.size() - at < kFrameHeader + size) break;
    const std::string_view frame = std::string_view(input_).substr(at, kFrameHeader + size);
    Take(static_cast<std::uint8_t>(frame[3]), static_cast<std::uint8_t>(frame[4]),
         NumberAt(frame, 5, 4) & 0x7FFFFFFF, frame.substr(kFrameHeader));
    at += kFrameHeader + size;
  }
  input_.erase(0, at);
}

void RawHttp2::Take(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                    std::string_view payload) {
  const auto found = streams_.find(stream);
  switch (type) {
    case kSettings:
      TakeSettings(flags, payload);
      break;
    case kPing:
      if ((flags & kAck) == 0) SendFrame(kPing, kAck, 0, payload);
      break;
    case kWindow: {
      const std::int64_t more = NumberAt(payload, 0, 4) & 0x7FFFFFFF;
      if (stream == 0) window_ += more;
      if (found != streams_.end()) found->second.window += more;
      break;
    }
    case kData:
      if (found != streams_.end()) found->second.received += payload;
      // So that a connection can be read from without end.
      if (options_.window > 0 && !payload.empty()) {
        SendFrame(kWindow, 0, 0, BigEndian(payload.size(), 4));
      }
      break;
    case kHeaders:
      if (found != streams_.end()) found->second.headers += payload;
      break;
    case kReset:
      if (found != streams_.end()) found->second.ended = true;
      break;
    default:
      break;
  }
  if ((type == kData || type == kHeaders) && (flags & kEndStream) != 0 && found != streams_.end()) {
    found->second.ended = true;
  }
}

void RawHttp2::TakeSettings(std::uint8_t flags, std::string_view payload) {
  if ((flags & kAck) != 0) return;
  for (std::size_t at = 0; at + 6 <= payload.size(); at += 6) {
    if (NumberAt(payload, at, 2) != kInitialWindowSize) continue;
    const std::int64_t wanted = NumberAt(payload, at + 2, 4);
    for (auto& [id, stream] : streams_) stream.window += wanted - initial_window_;
    initial_window_ = wanted;
  }
  SendFrame(kSettings, kAck, 0, "");
}

bool RawHttp2::HasEnded(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() || found->second.ended;
}

RawHttp2::Answer RawHttp2::Await(std::uint32_t id, milliseconds patience) {
  const auto until = steady_clock::now() + patience;
  Answer answer;
  const auto found = streams_.find(id);
  if (found == streams_.end()) return answer;
  Stream& stream = found->second;
  while (!stream.ended && steady_clock::now() < until && Pump(milliseconds(20))) {
  }
  answer.ended = stream.ended;
  answer.status = GrpcStatusIn(stream.headers);
  if (stream.received.size() >= 5) {
    answer.message = stream.received.substr(5, NumberAt(stream.received, 1, 4));
  }
  streams_.erase(found);
  return answer;
}

RawHttp2::Answer RawHttp2::Call(const std::string& path, std::string_view message,
                                const Headers& headers, milliseconds patience) {
  const std::uint32_t stream = Begin(path, headers);
  if (stream == 0 || !SendMessage(stream, message)) {
    streams_.erase(stream);
    return {};
  }
  return Await(stream, patience);
}

}  // namespace komadai::rpc
