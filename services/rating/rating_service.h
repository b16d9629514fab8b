// RatingService: the gRPC face of players, sessions and ratings. Checks, converts and asks the
// store.
#pragma once

#include <string>

#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/method.h"
#include "services/rating/app/sessions.h"
#include "services/rating/metrics.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

namespace v1 = ::komadai::rating::v1;

// When a call has to be answered.
inline TimePoint DeadlineOf(const rpc::Call& call) {
  return std::chrono::time_point_cast<Millis>(call.deadline());
}

class RatingService final : public v1::RatingService::CallbackService {
 public:
  // All of them must outlive the service.
  RatingService(rpc::Runtime& runtime, RatingStore& store, Sessions& sessions,
                RatingMetrics& metrics);

  grpc::ServerUnaryReactor* CreateGuestSession(grpc::CallbackServerContext* context,
                                               const v1::CreateGuestSessionRequest* request,
                                               v1::CreateGuestSessionResponse* response) override;
  grpc::ServerUnaryReactor* CreateTestSession(grpc::CallbackServerContext* context,
                                              const v1::CreateTestSessionRequest* request,
                                              v1::CreateTestSessionResponse* response) override;
  grpc::ServerUnaryReactor* GetProfile(grpc::CallbackServerContext* context,
                                       const v1::GetProfileRequest* request,
                                       v1::GetProfileResponse* response) override;
  grpc::ServerUnaryReactor* GetRating(grpc::CallbackServerContext* context,
                                      const v1::GetRatingRequest* request,
                                      v1::GetRatingResponse* response) override;
  grpc::ServerUnaryReactor* ListRatingHistory(grpc::CallbackServerContext* context,
                                              const v1::ListRatingHistoryRequest* request,
                                              v1::ListRatingHistoryResponse* response) override;
  grpc::ServerUnaryReactor* ListLeaderboard(grpc::CallbackServerContext* context,
                                            const v1::ListLeaderboardRequest* request,
                                            v1::ListLeaderboardResponse* response) override;
  grpc::ServerUnaryReactor* ComparePlayers(grpc::CallbackServerContext* context,
                                           const v1::ComparePlayersRequest* request,
                                           v1::ComparePlayersResponse* response) override;
  grpc::ServerUnaryReactor* GetRatingChart(grpc::CallbackServerContext* context,
                                           const v1::GetRatingChartRequest* request,
                                           v1::GetRatingChartResponse* response) override;
  grpc::ServerUnaryReactor* CheckRatedGame(grpc::CallbackServerContext* context,
                                           const v1::CheckRatedGameRequest* request,
                                           v1::CheckRatedGameResponse* response) override;
  grpc::ServerUnaryReactor* ListRatingSignals(grpc::CallbackServerContext* context,
                                              const v1::ListRatingSignalsRequest* request,
                                              v1::ListRatingSignalsResponse* response) override;
  grpc::ServerUnaryReactor* ApplyResult(grpc::CallbackServerContext* context,
                                        const v1::ApplyResultRequest* request,
                                        v1::ApplyResultResponse* response) override;

 private:
  Task<Result<v1::CreateGuestSessionResponse>> DoCreateGuestSession(
      rpc::Call call, const v1::CreateGuestSessionRequest& request);
  Task<Result<v1::CreateTestSessionResponse>> DoCreateTestSession(
      rpc::Call call, const v1::CreateTestSessionRequest& request);
  Task<Result<v1::GetProfileResponse>> DoGetProfile(rpc::Call call,
                                                    const v1::GetProfileRequest& request);
  Task<Result<v1::GetRatingResponse>> DoGetRating(rpc::Call call,
                                                  const v1::GetRatingRequest& request);
  Task<Result<v1::ListRatingHistoryResponse>> DoListRatingHistory(
      rpc::Call call, const v1::ListRatingHistoryRequest& request);
  Task<Result<v1::ListLeaderboardResponse>> DoListLeaderboard(
      rpc::Call call, const v1::ListLeaderboardRequest& request);
  Task<Result<v1::ComparePlayersResponse>> DoComparePlayers(
      rpc::Call call, const v1::ComparePlayersRequest& request);
  Task<Result<v1::GetRatingChartResponse>> DoGetRatingChart(
      rpc::Call call, const v1::GetRatingChartRequest& request);
  Task<Result<v1::CheckRatedGameResponse>> DoCheckRatedGame(
      rpc::Call call, const v1::CheckRatedGameRequest& request);
  Task<Result<v1::ListRatingSignalsResponse>> DoListRatingSignals(
      rpc::Call call, const v1::ListRatingSignalsRequest& request);
  Task<Result<v1::ApplyResultResponse>> DoApplyResult(rpc::Call call,
                                                      const v1::ApplyResultRequest& request);

  RatingStore& store_;
  Sessions& sessions_;
  RatingMetrics& metrics_;
  rpc::MethodTable methods_;
};

}  // namespace komadai::rating
