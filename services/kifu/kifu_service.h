// KifuService: the contract of services/kifu.
#pragma once

#include "komadai/kifu/v1/kifu.grpc.pb.h"
#include "libs/rpc/component.h"
#include "libs/rpc/method.h"
#include "libs/rpc/unary.h"
#include "services/kifu/entries.h"
#include "services/kifu/store/kifu_store.h"

namespace komadai::kifu {

class KifuService final : public pb::KifuService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  KifuService(rpc::Runtime& runtime, KifuStore& store, const TimeSource& time,
              telemetry::Metrics& metrics);

// One unary method: gRPC's entry point and the coroutine DoName() behind it.
#define KOMADAI_KIFU_UNARY(Name)                                                                   \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                             \
                                 const pb::Name##Request* request, pb::Name##Response* response)   \
      override {                                                                                   \
    return rpc::Unary(method_##Name##_, context, request, response, this, &KifuService::Do##Name); \
  }                                                                                                \
  Task<Result<pb::Name##Response>> Do##Name(rpc::Call call, const pb::Name##Request& request);     \
  const rpc::Method& method_##Name##_ = methods_[#Name]

  KOMADAI_KIFU_UNARY(StoreKifu);
  KOMADAI_KIFU_UNARY(ImportKifu);
  KOMADAI_KIFU_UNARY(GetKifu);
  KOMADAI_KIFU_UNARY(SearchKifu);
  KOMADAI_KIFU_UNARY(ExplorePosition);
  KOMADAI_KIFU_UNARY(ExportKifu);
#undef KOMADAI_KIFU_UNARY

 private:
  KifuStore& store_;
  const TimeSource& time_;
  telemetry::Counters& stored_;
};

}  // namespace komadai::kifu
