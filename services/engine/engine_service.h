// EngineService: the gRPC face of the pool. Checks and converts, and asks again when an engine
// answers with an illegal move.
#pragma once

#include <memory>
#include <string>

#include "komadai/engine/v1/engine.grpc.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/method.h"
#include "libs/rpc/server/stream.h"
#include "services/engine/app/one_at_a_time.h"
#include "services/engine/convert.h"
#include "services/engine/metrics.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {

struct SearchCaps {
  Millis services;
  Millis players;
};

class EngineService final : public v1::EngineService::CallbackService {
 public:
  using AnalysisStream = rpc::EventStream<v1::AnalyseResponse>;

  // The pool and the metrics must outlive the service.
  EngineService(rpc::Runtime& runtime, EnginePool& pool, EngineMetrics& metrics, SearchCaps caps);

  grpc::ServerUnaryReactor* BestMove(grpc::CallbackServerContext* context,
                                     const v1::BestMoveRequest* request,
                                     v1::BestMoveResponse* response) override;
  grpc::ServerWriteReactor<v1::AnalyseResponse>* Analyse(
      grpc::CallbackServerContext* context, const v1::AnalyseRequest* request) override;
  grpc::ServerUnaryReactor* ListEngines(grpc::CallbackServerContext* context,
                                        const v1::ListEnginesRequest* request,
                                        v1::ListEnginesResponse* response) override;

 private:
  Task<Result<v1::BestMoveResponse>> DoBestMove(rpc::Call call, const v1::BestMoveRequest& request);
  Task<Result<rpc::AfterSetup>> DoAnalyse(rpc::Call call, v1::AnalyseRequest request,
                                          std::shared_ptr<AnalysisStream> stream);
  Task<Result<v1::ListEnginesResponse>> DoListEngines(rpc::Call call,
                                                      const v1::ListEnginesRequest& request);

  using Slot = std::shared_ptr<OneAtATime::Slot>;

  // One search in the pool, cancelled with the call.
  Task<Result<SearchResult>> Search(rpc::Call call, EnginePool::Job job, Slot slot);
  // Fails with UNKNOWN_ENGINE.
  Result<EnginePool::Job> NewJob(const rpc::Call& call, const Query& query, Urgency urgency) const;
  // ONE_SEARCH_AT_A_TIME for players; services need no slot and get a null one.
  Result<Slot> TakeSlot(const rpc::Call& call);

  EnginePool& pool_;
  EngineMetrics& metrics_;
  const SearchCaps caps_;
  OneAtATime players_;
  rpc::MethodTable methods_;
  const rpc::Method& best_move_;
  const rpc::Method& analyse_;
  const rpc::Method& list_engines_;
};

}  // namespace komadai::engine
