// MatchmakingService: the contract of services/matchmaking, nothing but conversion and streams.
#pragma once

#include <memory>

#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/rpc/component.h"
#include "libs/rpc/method.h"
#include "libs/rpc/stream.h"
#include "libs/rpc/unary.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/watch/attendance.h"
#include "services/matchmaking/watch/lobby_watchers.h"
#include "services/matchmaking/watch/seek_watchers.h"

namespace komadai::matchmaking {

class MatchmakingService final : public pb::MatchmakingService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  MatchmakingService(rpc::BindContext& context, SeekDesk& seeks, ChallengeDesk& challenges,
                     SeekStore& store, LobbyBoard& board);

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
  KOMADAI_MATCHMAKING_UNARY(AnswerMatch);
  KOMADAI_MATCHMAKING_UNARY(CreateChallenge);
  KOMADAI_MATCHMAKING_UNARY(GetChallenge);
  KOMADAI_MATCHMAKING_UNARY(AcceptChallenge);
  KOMADAI_MATCHMAKING_UNARY(DeclineChallenge);
  KOMADAI_MATCHMAKING_UNARY(RequestRematch);
  KOMADAI_MATCHMAKING_UNARY(GetLobby);
#undef KOMADAI_MATCHMAKING_UNARY

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

  SeekWatchers& seek_watchers() { return seek_watchers_; }
  LobbyWatchers& lobby_watchers() { return lobby_watchers_; }
  const Attendance& attendance() const { return attendance_; }

 private:
  Task<Result<rpc::AfterSetup>> DoWatchSeek(rpc::Call call, pb::WatchSeekRequest request,
                                            std::shared_ptr<SeekWatcher::Stream> stream);
  Task<Result<rpc::AfterSetup>> DoWatchLobby(rpc::Call call, pb::WatchLobbyRequest request,
                                             std::shared_ptr<LobbyWatchers::Stream> stream);

  SeekDesk& seeks_;
  ChallengeDesk& challenges_;
  SeekStore& store_;
  LobbyBoard& board_;
  Attendance attendance_;
  SeekWatchers seek_watchers_;
  LobbyWatchers lobby_watchers_;
};

}  // namespace komadai::matchmaking
