// KifuService: the contract of services/kifu.
#pragma once

#include "komadai/kifu/v1/kifu.pb.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/service.h"
#include "services/kifu/convert.h"
#include "services/kifu/metrics.h"
#include "services/kifu/store/kifu_store.h"

namespace komadai::kifu {

class KifuService final : public rpc::Service {
 public:
  // All references must outlive the service.
  KifuService(rpc::Runtime& runtime, KifuStore& store, const TimeSource& time,
              KifuMetrics& metrics);

  Task<Result<pb::StoreKifuResponse>> StoreKifu(rpc::Call call,
                                                const pb::StoreKifuRequest& request);
  Task<Result<pb::ImportKifuResponse>> ImportKifu(rpc::Call call,
                                                  const pb::ImportKifuRequest& request);
  Task<Result<pb::GetKifuResponse>> GetKifu(rpc::Call call, const pb::GetKifuRequest& request);
  Task<Result<pb::SearchKifuResponse>> SearchKifu(rpc::Call call,
                                                  const pb::SearchKifuRequest& request);
  Task<Result<pb::ExplorePositionResponse>> ExplorePosition(
      rpc::Call call, const pb::ExplorePositionRequest& request);
  Task<Result<pb::ExportKifuResponse>> ExportKifu(rpc::Call call,
                                                  const pb::ExportKifuRequest& request);

 private:
  KifuStore& store_;
  const TimeSource& time_;
  KifuMetrics& metrics_;
};

}  // namespace komadai::kifu
