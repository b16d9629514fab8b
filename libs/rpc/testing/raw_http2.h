// RawHttp2: a connection to a gRPC server as an attacker uses it. Frames are sent as they are asked
// for, and answers are read only on request.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/result.h"

namespace komadai::rpc {

inline constexpr Reason kRawConnectionFailed{Code::kUnavailable, "RAW_CONNECTION_FAILED"};

// Not thread-safe. Every send returns false once the connection is broken.
class RawHttp2 {
 public:
  struct Options {
    std::string source = {};         // own address, e.g. "127.0.0.2"; empty: the system's choice
    std::uint32_t window = 1 << 24;  // how much of an answer the server may send; 0: nothing
    bool greet = true;               // send HTTP/2's preface
    std::chrono::milliseconds send_patience{10000};  // then a send has failed
  };
  using Headers = std::vector<std::pair<std::string, std::string>>;
  struct Answer {
    bool ended = false;   // else the time was over or the connection broke
    int status = -1;      // grpc-status; -1: none came
    std::string message;  // the first message
  };

  // `server` is "IPV4:PORT".
  static Result<std::unique_ptr<RawHttp2>> Connect(const std::string& server,
                                                   const Options& options);
  RawHttp2(const RawHttp2&) = delete;
  RawHttp2& operator=(const RawHttp2&) = delete;
  ~RawHttp2();

  // Opens the stream of a call, "/komadai.rules.v1.RulesService/ListVariants"; 0 if that fails.
  std::uint32_t Begin(const std::string& path, const Headers& headers = {});
  // A whole gRPC message; the last one of the request if `end`.
  bool SendMessage(std::uint32_t stream, std::string_view message, bool end = true,
                   bool compressed = false);
  // Bytes of the request as they are, within the server's flow control.
  bool SendData(std::uint32_t stream, std::string_view bytes, bool end);
  bool Reset(std::uint32_t stream);
  bool Send(std::string_view bytes);

  // Whether the end of the call has been read.
  bool HasEnded(std::uint32_t stream) const;
  // Reads until the call has ended.
  Answer Await(std::uint32_t stream, std::chrono::milliseconds patience);
  // Begin, SendMessage and Await.
  Answer Call(const std::string& path, std::string_view message, const Headers& headers = {},
              std::chrono::milliseconds patience = std::chrono::seconds(10));
  // Reads what has come within `wait`; false if the connection is closed.
  bool Pump(std::chrono::milliseconds wait = std::chrono::milliseconds(0));
  bool broken() const { return broken_; }

 private:
  struct Stream {
    std::int64_t window = 0;  // what may still be sent
    bool ended = false;
    std::string received;
    std::string headers;
  };

  RawHttp2(int descriptor, const Options& options) : descriptor_(descriptor), options_(options) {}
  bool Greet();
  bool SendFrame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                 std::string_view payload);
  void TakeFrames();
  void Take(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, std::string_view payload);
  void TakeSettings(std::uint8_t flags, std::string_view payload);

  const int descriptor_;
  const Options options_;
  bool broken_ = false;
  std::uint32_t next_stream_ = 1;
  std::int64_t window_ = 65535;          // of the connection
  std::int64_t initial_window_ = 65535;  // of the streams to come
  std::map<std::uint32_t, Stream> streams_;
  std::string input_;
};

}  // namespace komadai::rpc
