#include "services/rules/rules_service.h"

#include "libs/rpc/server/unary.h"
#include "services/rules/app/catalogue.h"
#include "services/rules/app/games.h"
#include "services/rules/app/positions.h"
#include "services/rules/app/records.h"

namespace komadai::rules_service {
namespace {

// The largest requests: a game's memory or moves, and record files with a little around them.
constexpr std::size_t kGameBytes = 1 << 20;
constexpr std::size_t kFileBytes = (1 << 20) + 1024;
constexpr std::size_t kRecordBytes = 3 << 20;

constexpr rpc::MethodOptions Open(std::size_t max_request_bytes = 64 * 1024) {
  return {
      .max_deadline = Millis(5000), .allow = rpc::kAnyone, .max_request_bytes = max_request_bytes};
}

// Adapts an answer computed at once to what rpc::Unary calls.
template <auto kAnswer>
struct AtOnce;
template <typename Request, typename Response, Result<Response> (*kAnswer)(const Request&)>
struct AtOnce<kAnswer> {
  Task<Result<Response>> Handle(rpc::Call /*call*/, const Request& request) {
    co_return kAnswer(request);
  }
};

template <auto kAnswer, typename Request, typename Response>
grpc::ServerUnaryReactor* Serve(const rpc::Method& method, grpc::CallbackServerContext* context,
                                const Request* request, Response* response) {
  static AtOnce<kAnswer> handler;  // without state
  return rpc::Unary(method, context, request, response, &handler, &AtOnce<kAnswer>::Handle);
}

}  // namespace

RulesService::RulesService(rpc::Runtime& runtime)
    : methods_(runtime, v1::RulesService::service_full_name(),
               {{"ListVariants", Open()},
                {"GetStartPosition", Open()},
                {"ListLegalMoves", Open()},
                {"ApplyMove", Open(kGameBytes)},
                {"ApplyMoves", Open(kGameBytes)},
                {"JudgeGame", Open(kGameBytes)},
                {"ScoreImpasse", Open()},
                {"ConvertMoves", Open()},
                {"ParsePosition", Open()},
                {"ReadRecord", Open(kFileBytes)},
                {"WriteRecord", Open(kRecordBytes)}}),
      list_variants_(methods_["ListVariants"]),
      get_start_position_(methods_["GetStartPosition"]),
      list_legal_moves_(methods_["ListLegalMoves"]),
      apply_move_(methods_["ApplyMove"]),
      apply_moves_(methods_["ApplyMoves"]),
      judge_game_(methods_["JudgeGame"]),
      score_impasse_(methods_["ScoreImpasse"]),
      convert_moves_(methods_["ConvertMoves"]),
      parse_position_(methods_["ParsePosition"]),
      read_record_(methods_["ReadRecord"]),
      write_record_(methods_["WriteRecord"]) {}

grpc::ServerUnaryReactor* RulesService::ListVariants(grpc::CallbackServerContext* context,
                                                     const v1::ListVariantsRequest* request,
                                                     v1::ListVariantsResponse* response) {
  return Serve<&rules_service::ListVariants>(list_variants_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::GetStartPosition(grpc::CallbackServerContext* context,
                                                         const v1::GetStartPositionRequest* request,
                                                         v1::GetStartPositionResponse* response) {
  return Serve<&rules_service::GetStartPosition>(get_start_position_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ListLegalMoves(grpc::CallbackServerContext* context,
                                                       const v1::ListLegalMovesRequest* request,
                                                       v1::ListLegalMovesResponse* response) {
  return Serve<&rules_service::ListLegalMoves>(list_legal_moves_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ApplyMove(grpc::CallbackServerContext* context,
                                                  const v1::ApplyMoveRequest* request,
                                                  v1::ApplyMoveResponse* response) {
  return Serve<&rules_service::ApplyMove>(apply_move_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ApplyMoves(grpc::CallbackServerContext* context,
                                                   const v1::ApplyMovesRequest* request,
                                                   v1::ApplyMovesResponse* response) {
  return Serve<&rules_service::ApplyMoves>(apply_moves_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::JudgeGame(grpc::CallbackServerContext* context,
                                                  const v1::JudgeGameRequest* request,
                                                  v1::JudgeGameResponse* response) {
  return Serve<&rules_service::JudgeGame>(judge_game_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ScoreImpasse(grpc::CallbackServerContext* context,
                                                     const v1::ScoreImpasseRequest* request,
                                                     v1::ScoreImpasseResponse* response) {
  return Serve<&rules_service::ScoreImpasse>(score_impasse_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ConvertMoves(grpc::CallbackServerContext* context,
                                                     const v1::ConvertMovesRequest* request,
                                                     v1::ConvertMovesResponse* response) {
  return Serve<&rules_service::ConvertMoves>(convert_moves_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ParsePosition(grpc::CallbackServerContext* context,
                                                      const v1::ParsePositionRequest* request,
                                                      v1::ParsePositionResponse* response) {
  return Serve<&rules_service::ParsePosition>(parse_position_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::ReadRecord(grpc::CallbackServerContext* context,
                                                   const v1::ReadRecordRequest* request,
                                                   v1::ReadRecordResponse* response) {
  return Serve<&rules_service::ReadRecord>(read_record_, context, request, response);
}
grpc::ServerUnaryReactor* RulesService::WriteRecord(grpc::CallbackServerContext* context,
                                                    const v1::WriteRecordRequest* request,
                                                    v1::WriteRecordResponse* response) {
  return Serve<&rules_service::WriteRecord>(write_record_, context, request, response);
}

}  // namespace komadai::rules_service
