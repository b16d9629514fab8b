// MatchmakingService: the contract of services/matchmaking, nothing but conversion and streams.
#pragma once

#include <memory>

#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/base/attendance.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/method.h"
#include "libs/rpc/server/stream.h"
#include "libs/rpc/server/unary.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/watch/lobby_watchers.h"
#include "services/matchmaking/watch/seek_watchers.h"

namespace komadai::matchmaking {

class MatchmakingService final : public pb::MatchmakingService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  MatchmakingService(rpc::BindContext& context, SeekDesk& seeks, ChallengeDesk& challenges,
                     SeekStore& store, LobbyBoard& board);

  KOMADAI_RPC_UNARY(MatchmakingService, CreateSeek);
  KOMADAI_RPC_UNARY(MatchmakingService, CancelSeek);
  KOMADAI_RPC_UNARY(MatchmakingService, AnswerMatch);
  KOMADAI_RPC_UNARY(MatchmakingService, CreateChallenge);
  KOMADAI_RPC_UNARY(MatchmakingService, GetChallenge);
  KOMADAI_RPC_UNARY(MatchmakingService, AcceptChallenge);
  KOMADAI_RPC_UNARY(MatchmakingService, DeclineChallenge);
  KOMADAI_RPC_UNARY(MatchmakingService, RequestRematch);
  KOMADAI_RPC_UNARY(MatchmakingService, GetLobby);

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
