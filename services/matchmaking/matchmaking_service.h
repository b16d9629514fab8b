// MatchmakingService: the contract of services/matchmaking, nothing but conversion and streams.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/base/task_group.h"
#include "libs/rpc/component.h"
#include "libs/rpc/method.h"
#include "libs/rpc/stream.h"
#include "libs/rpc/unary.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"

namespace komadai::matchmaking {

class MatchmakingService final : public pb::MatchmakingService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  MatchmakingService(rpc::BindContext& context, SeekDesk& seeks, ChallengeDesk& challenges,
                     MatchStore& store);

// One unary method: gRPC's entry point and the coroutine DoName() behind it.
#define KOMADAI_MATCHMAKING_UNARY(Name)                                                          \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                           \
                                 const pb::Name##Request* request, pb::Name##Response* response) \
      override {                                                                                 \
    return rpc::Unary(method_##Name##_, context, request, response, this,                        \
                      &MatchmakingService::Do##Name);                                            \
  }                                                                                              \
  Task<Result<pb::Name##Response>> Do##Name(rpc::Call call, const pb::Name##Request& request);   \
  const rpc::Method& method_##Name##_ = methods_[#Name]

  KOMADAI_MATCHMAKING_UNARY(CreateSeek);
  KOMADAI_MATCHMAKING_UNARY(CancelSeek);
  KOMADAI_MATCHMAKING_UNARY(CreateChallenge);
  KOMADAI_MATCHMAKING_UNARY(GetChallenge);
  KOMADAI_MATCHMAKING_UNARY(AcceptChallenge);
  KOMADAI_MATCHMAKING_UNARY(DeclineChallenge);
  KOMADAI_MATCHMAKING_UNARY(RequestRematch);
  KOMADAI_MATCHMAKING_UNARY(GetLobby);
#undef KOMADAI_MATCHMAKING_UNARY

  using SeekStream = rpc::EventStream<pb::WatchSeekResponse>;
  using LobbyStream = rpc::EventStream<pb::WatchLobbyResponse>;

  grpc::ServerWriteReactor<pb::WatchSeekResponse>* WatchSeek(
      grpc::CallbackServerContext* context, const pb::WatchSeekRequest* request) override {
    return rpc::Stream(methods_["WatchSeek"], context, request, this,
                       &MatchmakingService::DoWatchSeek);
  }
  grpc::ServerWriteReactor<pb::WatchLobbyResponse>* WatchLobby(
      grpc::CallbackServerContext* context, const pb::WatchLobbyRequest* request) override {
    return rpc::Stream(methods_["WatchLobby"], context, request, this,
                       &MatchmakingService::DoWatchLobby);
  }

  // Keeps watched seeks alive; every few seconds.
  Task<void> TouchWatched();
  // Sends the lobby to its watchers if it has changed; every second.
  Task<void> SendLobby();

 private:
  Task<Result<rpc::AfterSetup>> DoWatchSeek(rpc::Call call, pb::WatchSeekRequest request,
                                            std::shared_ptr<SeekStream> stream);
  Task<Result<rpc::AfterSetup>> DoWatchLobby(rpc::Call call, pb::WatchLobbyRequest request,
                                             std::shared_ptr<LobbyStream> stream);
  Task<Result<pb::Lobby>> ReadLobby();

  struct LobbyWatcher {
    std::weak_ptr<LobbyStream> stream;
    common_pb::Variant variant;
    std::string last;  // what was sent, without its instant
  };

  SeekDesk& seeks_;
  ChallengeDesk& challenges_;
  MatchStore& store_;
  const TimeSource& time_;

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<SeekStream>> watched_;  // by seek id and a number
  std::uint64_t next_watch_ = 0;
  std::vector<std::shared_ptr<LobbyWatcher>> lobby_watchers_;
};

}  // namespace komadai::matchmaking
