// Connection: how the command line reaches a server, as one caller.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/client/blocking.h"

namespace komadai::cli {

inline constexpr char kDefaultTarget[] = "127.0.0.1:50051";
inline constexpr Reason kBadTarget{Code::kInvalidArgument, "BAD_TARGET"};

// How to reach servers: plain, or by TLS where KOMADAI_TLS_CA names the authority to trust (PEM),
// with the certificate of KOMADAI_TLS_CERTIFICATE and KOMADAI_TLS_KEY, if set. The servers' own
// names, so that a health check beside a server needs no others. BAD_SETTINGS for files that cannot
// be read.
Result<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFromEnvironment();

// The channels to all services: one address for the all-in-one, or one per service
// ("rules=127.0.0.1:20061,game=127.0.0.1:20062,...").
class Targets {
 public:
  static Result<Targets> Parse(const std::string& text);
  // A service without an address of its own is reached at the one given without a name.
  std::shared_ptr<grpc::Channel> To(const std::string& service) const;
  // The same on a connection of its own: a server takes about a hundred streams on each.
  std::shared_ptr<grpc::Channel> NewConnectionTo(const std::string& service) const;

 private:
  struct Server {
    std::string address;
    std::shared_ptr<grpc::Channel> channel;
  };
  const Server& Find(const std::string& service) const;

  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  std::map<std::string, Server> servers_;  // "" = all others
};

// One caller with its token. Calls block; UNAVAILABLE and RATE_LIMITED are retried until `patience`
// has passed, since every call made here may be repeated.
class Connection {
 public:
  explicit Connection(const Targets& targets, Millis patience = Millis(30000));

  void SetToken(const std::string& token) { authorization_ = "Bearer " + token; }

  // Of the method that takes `request`.
  template <typename Response>
  Result<Response> Call(const google::protobuf::Message& request) {
    Response response;
    if (Status done = Exchange(request, response); !done) return std::move(done).error();
    return response;
  }

  // For a stream: no deadline.
  std::unique_ptr<grpc::ClientContext> StreamContext() const;
  static Error ErrorOf(const grpc::Status& status);

  // A server stream; `context` is a StreamContext() and must outlive it.
  std::unique_ptr<rpc::BlockingStream> Open(grpc::ClientContext& context,
                                            const google::protobuf::Message& request) const;

 private:
  static constexpr Millis kCallTimeout{10000};

  // When to try again.
  class Attempts {
   public:
    explicit Attempts(Millis patience);
    // Waits a little and returns true; false if the call is not to be repeated.
    bool Again(const grpc::Status& status);

   private:
    std::chrono::steady_clock::time_point until_;
    Millis pause_{50};
  };

  void Prepare(grpc::ClientContext& context, Millis timeout) const;
  Status Exchange(const google::protobuf::Message& request, google::protobuf::Message& response);
  std::shared_ptr<grpc::Channel> ChannelFor(const google::protobuf::Message& request) const;

  Targets targets_;
  Millis patience_;
  std::string authorization_;
};

// A new request id for calls that need one.
std::string NewRequestId();

// Prints "komadai: what: REASON: message" on stderr and returns the exit status 1.
int Fail(std::string_view what, const Error& error);

}  // namespace komadai::cli
