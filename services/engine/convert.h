// Requests and answers of the contract in the domain's values, all limits checked.
#pragma once

#include <optional>
#include <string>

#include "komadai/engine/v1/engine.pb.h"
#include "libs/base/result.h"
#include "services/engine/domain/arbiter.h"
#include "services/engine/domain/search.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {

namespace pb = ::komadai::engine::v1;

inline constexpr std::int64_t kMaxTimeMs = 60'000;
inline constexpr std::int64_t kMaxNodes = 100'000'000;
inline constexpr int kMaxDepth = 64;
inline constexpr int kMaxLines = 5;

// What to search, without what only a running server knows.
struct Query {
  CheckedGame checked;
  SearchRequest request;
  std::string engine_id;  // empty = the default
};

// The reasons of convert:: and of CheckGame; MISSING_STRENGTH, BAD_LIMITS, BAD_LINE_COUNT,
// BAD_CLOCK.
Result<Query> QueryOf(const pb::BestMoveRequest& request);
Result<Query> QueryOf(const pb::AnalyseRequest& request);

pb::Line ToProto(const Line& line);
pb::Engine ToProto(const EngineStatus& status);

}  // namespace komadai::engine
