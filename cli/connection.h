// Connection: how the command line reaches a server, as one caller.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "komadai/clock/v1/clock.grpc.pb.h"
#include "komadai/engine/v1/engine.grpc.pb.h"
#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/kifu/v1/kifu.grpc.pb.h"
#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "komadai/rating/v1/rating.grpc.pb.h"
#include "komadai/rules/v1/rules.grpc.pb.h"
#include "libs/base/result.h"
#include "libs/base/time.h"

namespace komadai::cli {

inline constexpr char kDefaultTarget[] = "127.0.0.1:50051";
inline constexpr Reason kBadTarget{Code::kInvalidArgument, "BAD_TARGET"};

// How to reach servers: plain, or by TLS where KOMADAI_TLS_CA names the authority to trust (PEM),
// with the certificate of KOMADAI_TLS_CERTIFICATE and KOMADAI_TLS_KEY, if set. The servers' own
// names, so that a health check beside a server needs no others. BAD_SETTINGS for files that cannot
// be read.
Result<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFromEnvironment();

// The channels to all services: one address for the all-in-one, or one per service
// ("rules=127.0.0.1:50061,game=127.0.0.1:50062,...").
class Targets {
 public:
  static Result<Targets> Parse(const std::string& text);
  // A service without an address of its own is reached at the one given without a name.
  std::shared_ptr<grpc::Channel> To(const std::string& service) const;

 private:
  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;  // "" = all others
};

// One caller with its token. Calls block; UNAVAILABLE is retried until `patience` has passed, since
// every call made here may be repeated.
class Connection {
 public:
  explicit Connection(const Targets& targets, Millis patience = Millis(30000));

  void SetToken(const std::string& token) { authorization_ = "Bearer " + token; }

  template <typename Stub, typename Request, typename Response>
  Result<Response> Call(Stub& stub,
                        grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                     Response*),
                        const Request& request) {
    Attempts attempts(patience_);
    for (;;) {
      Response response;
      grpc::ClientContext context;
      Prepare(context, kCallTimeout);
      const grpc::Status status = (stub.*method)(&context, request, &response);
      if (status.ok()) return response;
      if (!attempts.Again(status)) return ErrorOf(status);
    }
  }

  // For a stream: no deadline.
  std::unique_ptr<grpc::ClientContext> StreamContext() const;
  static Error ErrorOf(const grpc::Status& status);

  std::unique_ptr<rules::v1::RulesService::StubInterface> rules;
  std::unique_ptr<game::v1::GameService::StubInterface> game;
  std::unique_ptr<kifu::v1::KifuService::StubInterface> kifu;
  std::unique_ptr<clock::v1::ClockService::StubInterface> clock;
  std::unique_ptr<matchmaking::v1::MatchmakingService::StubInterface> matchmaking;
  std::unique_ptr<rating::v1::RatingService::StubInterface> rating;
  std::unique_ptr<engine::v1::EngineService::StubInterface> engine;

 private:
  static constexpr Millis kCallTimeout{10000};

  // When to try again.
  class Attempts {
   public:
    explicit Attempts(Millis patience);
    // Waits a little and says yes, or says no.
    bool Again(const grpc::Status& status);

   private:
    std::chrono::steady_clock::time_point until_;
    Millis pause_{50};
  };

  void Prepare(grpc::ClientContext& context, Millis timeout) const;

  Millis patience_;
  std::string authorization_;
};

// A new request id for calls that need one.
std::string NewRequestId();

// Prints "komadai: what: REASON: message" on stderr and returns the exit status 1.
int Fail(std::string_view what, const Error& error);

}  // namespace komadai::cli
