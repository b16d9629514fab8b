// RatingService: the gRPC face of players, sessions and ratings. Checks, converts and asks the
// store.
#pragma once

#include <string>

#include "komadai/rating/v1/rating.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/service.h"
#include "services/rating/app/sessions.h"
#include "services/rating/metrics.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

namespace pb = ::komadai::rating::v1;

// When a call has to be answered.
inline TimePoint DeadlineOf(const rpc::Call& call) {
  return std::chrono::time_point_cast<Millis>(call.deadline());
}

class RatingService final : public rpc::Service {
 public:
  // All of them must outlive the service.
  RatingService(rpc::Runtime& runtime, RatingStore& store, Sessions& sessions,
                RatingMetrics& metrics);

 private:
  Task<Result<pb::CreateGuestSessionResponse>> CreateGuestSession(
      rpc::Call call, const pb::CreateGuestSessionRequest& request);
  Task<Result<pb::CreateTestSessionResponse>> CreateTestSession(
      rpc::Call call, const pb::CreateTestSessionRequest& request);
  Task<Result<pb::GetProfileResponse>> GetProfile(rpc::Call call,
                                                  const pb::GetProfileRequest& request);
  Task<Result<pb::GetRatingResponse>> GetRating(rpc::Call call,
                                                const pb::GetRatingRequest& request);
  Task<Result<pb::ListRatingHistoryResponse>> ListRatingHistory(
      rpc::Call call, const pb::ListRatingHistoryRequest& request);
  Task<Result<pb::ListLeaderboardResponse>> ListLeaderboard(
      rpc::Call call, const pb::ListLeaderboardRequest& request);
  Task<Result<pb::ComparePlayersResponse>> ComparePlayers(rpc::Call call,
                                                          const pb::ComparePlayersRequest& request);
  Task<Result<pb::GetRatingChartResponse>> GetRatingChart(rpc::Call call,
                                                          const pb::GetRatingChartRequest& request);
  Task<Result<pb::CheckRatedGameResponse>> CheckRatedGame(rpc::Call call,
                                                          const pb::CheckRatedGameRequest& request);
  Task<Result<pb::ListRatingSignalsResponse>> ListRatingSignals(
      rpc::Call call, const pb::ListRatingSignalsRequest& request);
  Task<Result<pb::ApplyResultResponse>> ApplyResult(rpc::Call call,
                                                    const pb::ApplyResultRequest& request);

  RatingStore& store_;
  Sessions& sessions_;
  RatingMetrics& metrics_;
};

}  // namespace komadai::rating
