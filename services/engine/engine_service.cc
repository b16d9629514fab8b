#include "services/engine/engine_service.h"

#include <algorithm>
#include <utility>

#include "libs/rpc/error.h"
#include "services/engine/app/analysis_feed.h"
#include "services/engine/errors.h"

namespace komadai::engine {

namespace {

// The longest search, twice (an engine that died), and a wait in the queue.
constexpr Millis kLongestCall{180'000};
// Messages a reader may be behind before it misses intermediate ones.
constexpr std::size_t kMessagesBehind = 8;

Error IllegalTwice(const std::string& engine) {
  return Error{kEngineUnavailable, "the engine answers with illegal moves", {{"engine", engine}}};
}

pb::BestMoveResponse ResponseOf(const Decision& decision) {
  pb::BestMoveResponse response;
  if (decision.kind == Decision::Kind::kResigns) {
    response.set_resign(true);
  } else {
    response.set_move(decision.line.moves.front());
    *response.mutable_line() = ToProto(decision.line);
  }
  return response;
}

// A player's own searches wait behind the computer's moves in games, and leave it a process.
Urgency UrgencyOf(const rpc::Call& call) {
  return call.caller().IsPerson() ? Urgency::kPatient : Urgency::kUrgent;
}

}  // namespace

EngineService::EngineService(rpc::Runtime& runtime, EnginePool& pool, EngineMetrics& metrics,
                             SearchCaps caps)
    : Service(runtime, "komadai.engine.v1.EngineService"),
      pool_(pool),
      metrics_(metrics),
      caps_(caps) {
  Unary(&EngineService::BestMove, {.max_deadline = kLongestCall, .allow = rpc::kAuthenticated});
  Stream(&EngineService::Analyse, {.max_deadline = kLongestCall, .allow = rpc::kAuthenticated});
  Unary(&EngineService::ListEngines, {.allow = rpc::kAuthenticated});
}

Task<Result<pb::BestMoveResponse>> EngineService::BestMove(rpc::Call call,
                                                           const pb::BestMoveRequest& request) {
  Result<Query> query = QueryOf(request);
  if (!query) co_return std::move(query).error();
  Result<EnginePool::Job> job = NewJob(call, *query, UrgencyOf(call));
  if (!job) co_return std::move(job).error();
  const Result<Slot> slot = TakeSlot(call);
  if (!slot) co_return slot.error();

  const rules::Position& position = query->checked.position;
  Result<SearchResult> found = co_await Search(call, *job, *slot);
  if (!found) co_return std::move(found).error();
  Decision decision = Judge(position, *found);
  if (decision.kind == Decision::Kind::kRefused) {
    metrics_.OnIllegalMove(job->engine, query->checked.game.position);
    job->request.only_moves = LegalMovesOf(position);
    Result<SearchResult> again = co_await Search(call, *job, *slot);
    if (!again) co_return std::move(again).error();
    decision = Judge(position, *again);
    if (decision.kind == Decision::Kind::kRefused) decision = JudgeByLines(position, *again);
    if (decision.kind == Decision::Kind::kRefused) decision = JudgeByLines(position, *found);
    if (decision.kind == Decision::Kind::kRefused) co_return IllegalTwice(job->engine);
  }
  co_return ResponseOf(decision);
}

Task<Result<SearchResult>> EngineService::Search(rpc::Call call, EnginePool::Job job, Slot slot) {
  co_return co_await FromCallback<Result<SearchResult>>([&](auto done) {
    job.on_done = [done](Result<SearchResult> result) { done(std::move(result)); };
    const EnginePool::SearchId id = pool_.Search(std::move(job));
    call.OnCancel([&pool = pool_, id, slot] {
      if (slot != nullptr) slot->Release();
      pool.Cancel(id);
    });
  });
}

Task<Result<rpc::AfterSetup>> EngineService::Analyse(rpc::Call call, pb::AnalyseRequest request,
                                                     std::shared_ptr<AnalysisStream> stream) {
  Result<Query> query = QueryOf(request);
  if (!query) co_return std::move(query).error();
  Result<EnginePool::Job> job = NewJob(call, *query, Urgency::kPatient);
  if (!job) co_return std::move(job).error();
  const Result<Slot> slot = TakeSlot(call);
  if (!slot) co_return slot.error();

  // The feed is used on the pool's thread only.
  auto feed = std::make_shared<AnalysisFeed>(query->checked.position, query->request.line_count);
  job->on_line = [feed, stream](const Line& line) {
    feed->Note(line);
    if (feed->HasNews() && stream->Queued() < kMessagesBehind) stream->Publish(feed->TakeNews());
  };
  job->on_done = [feed, stream, slot = *slot](Result<SearchResult> result) {
    if (slot != nullptr) slot->Release();
    if (!result) {
      stream->Fail(std::move(result).error());
      return;
    }
    pb::AnalyseResponse last = feed->Last(*result);
    if (last.best_move().empty()) {
      // An end without a word would look like a position in which nothing can be played.
      stream->Fail(Error(kEngineUnavailable, "the engine did not name a legal move"));
      return;
    }
    stream->Publish(std::move(last));
    stream->Complete();
  };
  const EnginePool::SearchId id = pool_.Search(*std::move(job));
  // The pool, not `this`: when the pool's thread ends the last stream of a stopping server, the
  // service may be gone before this runs, the pool never.
  stream->OnEnd([&pool = pool_, id, slot = *slot] {
    if (slot != nullptr) slot->Release();
    pool.Cancel(id);
  });
  co_return rpc::AfterSetup::kStayOpen;
}

Task<Result<pb::ListEnginesResponse>> EngineService::ListEngines(rpc::Call,
                                                                 const pb::ListEnginesRequest&) {
  pb::ListEnginesResponse response;
  for (const EngineStatus& status : pool_.Engines()) *response.add_engines() = ToProto(status);
  co_return response;
}

Result<EnginePool::Job> EngineService::NewJob(const rpc::Call& call, const Query& query,
                                              Urgency urgency) const {
  const rules::Variant variant = query.request.game.variant;
  const EngineSpec* spec = pool_.Choose(query.engine_id, variant);
  if (spec == nullptr || spec->FindPlay(variant) == nullptr) {
    return Error{kUnknownEngine,
                 "no such engine for this variant",
                 {{"variant", std::string(rules::VariantName(variant))}}};
  }
  EnginePool::Job job;
  job.engine = spec->id;
  job.caller = call.caller().id;
  job.urgency = urgency;
  job.request = query.request;
  job.cap = call.caller().IsPerson() ? caps_.players : caps_.services;
  job.answer_by = EventLoop::Clock::now() + std::min(call.Remaining(), kLongestCall);
  return job;
}

Result<EngineService::Slot> EngineService::TakeSlot(const rpc::Call& call) {
  if (!call.caller().IsPerson()) return Slot();
  Slot slot = players_.Take(call.caller().id);
  if (slot == nullptr) {
    return Error{kOneSearchAtATime, "a player has one search at a time; wait for the last one"};
  }
  return slot;
}

}  // namespace komadai::engine
