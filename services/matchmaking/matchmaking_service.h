// MatchmakingService: the contract of services/matchmaking, nothing but conversion and streams.
#pragma once

#include <memory>
#include <string>

#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "libs/base/attendance.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/service.h"
#include "services/matchmaking/app/challenge_desk.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/watch/lobby_watchers.h"
#include "services/matchmaking/watch/seek_watchers.h"

namespace komadai::matchmaking {

class MatchmakingService final : public rpc::Service {
 public:
  MatchmakingService(rpc::BindContext& context, SeekDesk& seeks, ChallengeDesk& challenges,
                     SeekStore& store, LobbyBoard& board);

  Task<Result<pb::CreateSeekResponse>> CreateSeek(rpc::Call call,
                                                  const pb::CreateSeekRequest& request);
  Task<Result<pb::CancelSeekResponse>> CancelSeek(rpc::Call call,
                                                  const pb::CancelSeekRequest& request);
  Task<Result<pb::AnswerMatchResponse>> AnswerMatch(rpc::Call call,
                                                    const pb::AnswerMatchRequest& request);
  Task<Result<pb::CreateChallengeResponse>> CreateChallenge(
      rpc::Call call, const pb::CreateChallengeRequest& request);
  Task<Result<pb::GetChallengeResponse>> GetChallenge(rpc::Call call,
                                                      const pb::GetChallengeRequest& request);
  Task<Result<pb::AcceptChallengeResponse>> AcceptChallenge(
      rpc::Call call, const pb::AcceptChallengeRequest& request);
  Task<Result<pb::DeclineChallengeResponse>> DeclineChallenge(
      rpc::Call call, const pb::DeclineChallengeRequest& request);
  Task<Result<pb::RequestRematchResponse>> RequestRematch(rpc::Call call,
                                                          const pb::RequestRematchRequest& request);
  Task<Result<pb::GetLobbyResponse>> GetLobby(rpc::Call call, const pb::GetLobbyRequest& request);

  SeekWatchers& seek_watchers() { return seek_watchers_; }
  LobbyWatchers& lobby_watchers() { return lobby_watchers_; }
  const Attendance& attendance() const { return attendance_; }

 private:
  Task<Result<rpc::AfterSetup>> WatchSeek(rpc::Call call, pb::WatchSeekRequest request,
                                          std::shared_ptr<SeekWatcher::Stream> stream);
  Task<Result<rpc::AfterSetup>> WatchLobby(rpc::Call call, pb::WatchLobbyRequest request,
                                           std::shared_ptr<LobbyWatchers::Stream> stream);

  SeekDesk& seeks_;
  ChallengeDesk& challenges_;
  SeekStore& store_;
  LobbyBoard& board_;
  const std::string link_key_;
  Attendance attendance_;
  SeekWatchers seek_watchers_;
  LobbyWatchers lobby_watchers_;
};

}  // namespace komadai::matchmaking
