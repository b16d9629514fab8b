#include "tests/attack/connection_attacks.h"

#include <zlib.h>

#include <chrono>
#include <deque>
#include <memory>
#include <thread>
#include <utility>

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/check.h"
#include "libs/rpc/testing/raw_http2.h"

namespace komadai::attack {
namespace {

using rpc::RawHttp2;
using std::chrono::milliseconds;
using Stop = std::atomic<bool>;

constexpr char kListLegalMoves[] = "/komadai.rules.v1.RulesService/ListLegalMoves";
constexpr char kReadRecord[] = "/komadai.rules.v1.RulesService/ReadRecord";
constexpr std::size_t kLargestMessage = 4 * 1024 * 1024;
constexpr int kStreams = 100;  // as many as the server lets one connection have

std::unique_ptr<RawHttp2> Connect(const Target& target, RawHttp2::Options options = {}) {
  options.source = target.source;
  options.send_patience = milliseconds(500);
  Result<std::unique_ptr<RawHttp2>> raw = RawHttp2::Connect(target.server, options);
  if (raw) return *std::move(raw);
  std::this_thread::sleep_for(milliseconds(5));
  return nullptr;
}

std::string LegalMovesRequest() {
  rules::v1::ListLegalMovesRequest request;
  request.set_variant(common::v1::VARIANT_SHOGI);
  return request.SerializeAsString();
}

// 64 MB of zeros, as gzip writes them: 64 KB.
std::string Bomb() {
  constexpr int kGzip = 16 + MAX_WBITS;
  const std::string zeros(1 << 20, '\0');
  z_stream stream{};
  KOMADAI_CHECK(deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(1 << 20, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  for (int megabytes = 64; megabytes > 0; --megabytes) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
    stream.avail_in = static_cast<uInt>(zeros.size());
    deflate(&stream, megabytes == 1 ? Z_FINISH : Z_NO_FLUSH);
  }
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void CompressionBombs(const Target& target, const Stop& stop) {
  const std::string bomb = Bomb();
  while (!stop) {
    const auto raw = Connect(target);
    for (int i = 0; raw != nullptr && i < kStreams && !stop && !raw->broken(); ++i) {
      const std::uint32_t stream = raw->Begin(kReadRecord, {{"grpc-encoding", "gzip"}});
      raw->SendMessage(stream, bomb, true, /*compressed=*/true);
      raw->Pump();
    }
  }
}

// Keeps up to `most` connections, each prepared by `begin` and then visited by `keep` from time to
// time, and replaces those that the server closes.
void Hold(const Target& target, const Stop& stop, int most, const RawHttp2::Options& options,
          const std::function<void(RawHttp2&)>& begin, const std::function<void(RawHttp2&)>& keep) {
  std::deque<std::unique_ptr<RawHttp2>> held;
  while (!stop) {
    if (static_cast<int>(held.size()) < most) {
      if (auto raw = Connect(target, options)) {
        begin(*raw);
        held.push_back(std::move(raw));
      }
    } else {
      std::this_thread::sleep_for(milliseconds(1));
    }
    if (held.empty()) continue;
    std::unique_ptr<RawHttp2> oldest = std::move(held.front());
    held.pop_front();
    keep(*oldest);
    if (oldest->Pump()) held.push_back(std::move(oldest));
  }
}

void NothingMore(RawHttp2&) {}

// All of a large request but its last byte, on every stream.
void SlowBodies(const Target& target, const Stop& stop) {
  const std::string piece(64 * 1024, 'x');
  const std::string prefix{'\0', '\0', '\x3F', '\xFF', '\xF0'};  // a message of 4 MiB - 16
  const auto send_some = [&](RawHttp2& raw) {
    for (std::uint32_t stream = 1; stream < 2 * kStreams && !stop; stream += 2) {
      if (!raw.SendData(stream, piece, false)) return;
    }
  };
  Hold(
      target, stop, 8, {},
      [&](RawHttp2& raw) {
        for (int i = 0; i < kStreams; ++i) {
          const std::uint32_t stream = raw.Begin(kReadRecord);
          if (stream == 0 || !raw.SendData(stream, prefix, false)) return;
        }
        send_some(raw);
      },
      send_some);
}

void UnreadAnswers(const Target& target, const Stop& stop) {
  const std::string request = LegalMovesRequest();
  Hold(
      target, stop, 50, {.window = 0},
      [&](RawHttp2& raw) {
        for (int i = 0; i < kStreams; ++i) raw.SendMessage(raw.Begin(kListLegalMoves), request);
      },
      [&](RawHttp2& raw) { raw.SendMessage(raw.Begin(kListLegalMoves), request); });
}

void Resets(const Target& target, const Stop& stop) {
  const std::string request = LegalMovesRequest();
  while (!stop) {
    const auto raw = Connect(target);
    while (raw != nullptr && !stop && !raw->broken()) {
      for (int i = 0; i < 50; ++i) {
        const std::uint32_t stream = raw->Begin(kListLegalMoves);
        raw->SendMessage(stream, request, i % 2 == 0);
        raw->Reset(stream);
      }
      raw->Pump();
    }
  }
}

void SilentConnections(const Target& target, const Stop& stop) {
  Hold(target, stop, 1000, {.greet = false}, NothingMore, NothingMore);
}

void IdleConnections(const Target& target, const Stop& stop) {
  Hold(target, stop, 1000, {}, NothingMore, NothingMore);
}

void ShortConnections(const Target& target, const Stop& stop) {
  const std::string request = LegalMovesRequest();
  while (!stop) {
    if (const auto raw = Connect(target)) {
      raw->SendMessage(raw->Begin(kListLegalMoves), request);
    }
  }
}

void Rubbish(const Target& target, const Stop& stop) {
  const std::string noise(20'000, '\xA5');
  const std::string http1 = "GET /komadai HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string huge_frame(
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xFF\xFF\xFF\x00\x00\x00\x00\x00\x01", 33);
  while (!stop) {
    for (const std::string& bytes : {noise, http1, huge_frame}) {
      if (const auto raw = Connect(target, {.greet = false})) {
        raw->Send(bytes);
        raw->Pump(milliseconds(1));
      }
    }
  }
}

// Larger than any message may be, and headers larger than any may be.
void HugeRequests(const Target& target, const Stop& stop) {
  const std::string large(kLargestMessage + 1000, 'x');
  const std::string header(12'000, 'x');
  while (!stop) {
    const auto raw = Connect(target);
    for (int i = 0; raw != nullptr && i < 20 && !stop && !raw->broken(); ++i) {
      if (i % 4 == 0) {
        raw->SendMessage(raw->Begin(kReadRecord), large);
      } else {
        raw->Begin(kReadRecord, {{"x-filler", header}});
      }
      raw->Pump();
    }
  }
}

}  // namespace

std::vector<Attack> ConnectionAttacks() {
  return {
      {"compression_bombs", "requests of 64 KB that are 64 MB when inflated", 2, CompressionBombs},
      {"slow_bodies", "1,600 requests of 4 MiB that never end", 2, SlowBodies},
      {"unread_answers", "10,000 answers that the client does not let through", 2, UnreadAnswers},
      {"resets", "calls that are reset as soon as they are made", 2, Resets},
      {"silent_connections", "2,000 connections that say nothing", 2, SilentConnections},
      {"idle_connections", "2,000 connections without a call", 2, IdleConnections},
      {"short_connections", "connections that are closed after one call", 2, ShortConnections},
      {"rubbish", "bytes that are not HTTP/2", 2, Rubbish},
      {"huge_requests", "messages and headers beyond the limits", 2, HugeRequests},
  };
}

}  // namespace komadai::attack
