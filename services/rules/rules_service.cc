#include "services/rules/rules_service.h"

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

}  // namespace

RulesService::RulesService(rpc::Runtime& runtime)
    : Service(runtime, "komadai.rules.v1.RulesService") {
  Unary(&ListVariants, Open());
  Unary(&GetStartPosition, Open());
  Unary(&ListLegalMoves, Open());
  Unary(&ApplyMove, Open(kGameBytes));
  Unary(&ApplyMoves, Open(kGameBytes));
  Unary(&JudgeGame, Open(kGameBytes));
  Unary(&ScoreImpasse, Open());
  Unary(&ConvertMoves, Open());
  Unary(&ParsePosition, Open());
  Unary(&ReadRecord, Open(kFileBytes));
  Unary(&WriteRecord, Open(kRecordBytes));
}

}  // namespace komadai::rules_service
