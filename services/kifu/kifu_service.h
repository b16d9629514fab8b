// KifuService: the contract of services/kifu.
#pragma once

#include "komadai/kifu/v1/kifu.grpc.pb.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/method.h"
#include "libs/rpc/server/unary.h"
#include "services/kifu/convert.h"
#include "services/kifu/store/kifu_store.h"

namespace komadai::kifu {

class KifuService final : public pb::KifuService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  KifuService(rpc::Runtime& runtime, KifuStore& store, const TimeSource& time,
              telemetry::Metrics& metrics);

  KOMADAI_RPC_UNARY(KifuService, StoreKifu);
  KOMADAI_RPC_UNARY(KifuService, ImportKifu);
  KOMADAI_RPC_UNARY(KifuService, GetKifu);
  KOMADAI_RPC_UNARY(KifuService, SearchKifu);
  KOMADAI_RPC_UNARY(KifuService, ExplorePosition);
  KOMADAI_RPC_UNARY(KifuService, ExportKifu);

 private:
  KifuStore& store_;
  const TimeSource& time_;
  telemetry::Counters& stored_;
};

}  // namespace komadai::kifu
