// EngineService: the gRPC face of the pool. Checks and converts, and asks again when an engine
// answers with an illegal move.
#pragma once

#include <memory>
#include <string>

#include "komadai/engine/v1/engine.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/service.h"
#include "services/engine/app/one_at_a_time.h"
#include "services/engine/convert.h"
#include "services/engine/metrics.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {

namespace pb = ::komadai::engine::v1;

struct SearchCaps {
  Millis services;
  Millis players;
};

class EngineService final : public rpc::Service {
 public:
  using AnalysisStream = rpc::EventStream<pb::AnalyseResponse>;

  // The pool and the metrics must outlive the service.
  EngineService(rpc::Runtime& runtime, EnginePool& pool, EngineMetrics& metrics, SearchCaps caps);

 private:
  Task<Result<pb::BestMoveResponse>> BestMove(rpc::Call call, const pb::BestMoveRequest& request);
  Task<Result<rpc::AfterSetup>> Analyse(rpc::Call call, pb::AnalyseRequest request,
                                        std::shared_ptr<AnalysisStream> stream);
  Task<Result<pb::ListEnginesResponse>> ListEngines(rpc::Call call,
                                                    const pb::ListEnginesRequest& request);

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
};

}  // namespace komadai::engine
