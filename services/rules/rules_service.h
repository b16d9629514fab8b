// RulesService of the contract. Every answer is computed on the spot from the request alone: a few
// microseconds for a move, milliseconds for a whole game or a record file.
#pragma once

#include "komadai/rules/v1/rules.grpc.pb.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/method.h"

namespace komadai::rules_service {

namespace v1 = ::komadai::rules::v1;

class RulesService final : public v1::RulesService::CallbackService {
 public:
  explicit RulesService(rpc::Runtime& runtime);

  grpc::ServerUnaryReactor* ListVariants(grpc::CallbackServerContext* context,
                                         const v1::ListVariantsRequest* request,
                                         v1::ListVariantsResponse* response) override;
  grpc::ServerUnaryReactor* GetStartPosition(grpc::CallbackServerContext* context,
                                             const v1::GetStartPositionRequest* request,
                                             v1::GetStartPositionResponse* response) override;
  grpc::ServerUnaryReactor* ListLegalMoves(grpc::CallbackServerContext* context,
                                           const v1::ListLegalMovesRequest* request,
                                           v1::ListLegalMovesResponse* response) override;
  grpc::ServerUnaryReactor* ApplyMove(grpc::CallbackServerContext* context,
                                      const v1::ApplyMoveRequest* request,
                                      v1::ApplyMoveResponse* response) override;
  grpc::ServerUnaryReactor* ApplyMoves(grpc::CallbackServerContext* context,
                                       const v1::ApplyMovesRequest* request,
                                       v1::ApplyMovesResponse* response) override;
  grpc::ServerUnaryReactor* JudgeGame(grpc::CallbackServerContext* context,
                                      const v1::JudgeGameRequest* request,
                                      v1::JudgeGameResponse* response) override;
  grpc::ServerUnaryReactor* ScoreImpasse(grpc::CallbackServerContext* context,
                                         const v1::ScoreImpasseRequest* request,
                                         v1::ScoreImpasseResponse* response) override;
  grpc::ServerUnaryReactor* ConvertMoves(grpc::CallbackServerContext* context,
                                         const v1::ConvertMovesRequest* request,
                                         v1::ConvertMovesResponse* response) override;
  grpc::ServerUnaryReactor* ParsePosition(grpc::CallbackServerContext* context,
                                          const v1::ParsePositionRequest* request,
                                          v1::ParsePositionResponse* response) override;
  grpc::ServerUnaryReactor* ReadRecord(grpc::CallbackServerContext* context,
                                       const v1::ReadRecordRequest* request,
                                       v1::ReadRecordResponse* response) override;
  grpc::ServerUnaryReactor* WriteRecord(grpc::CallbackServerContext* context,
                                        const v1::WriteRecordRequest* request,
                                        v1::WriteRecordResponse* response) override;

 private:
  rpc::MethodTable methods_;
  const rpc::Method& list_variants_;
  const rpc::Method& get_start_position_;
  const rpc::Method& list_legal_moves_;
  const rpc::Method& apply_move_;
  const rpc::Method& apply_moves_;
  const rpc::Method& judge_game_;
  const rpc::Method& score_impasse_;
  const rpc::Method& convert_moves_;
  const rpc::Method& parse_position_;
  const rpc::Method& read_record_;
  const rpc::Method& write_record_;
};

}  // namespace komadai::rules_service
