#include "services/engine/process/engine_pool.h"

#include <algorithm>
#include <utility>

#include "libs/base/check.h"
#include "services/engine/domain/time_budget.h"

namespace komadai::engine {

namespace {

// A search that two processes died of is not given to a third one. A process that was dead already
// (all are killed at once, say) does not count, but not for ever.
constexpr int kMaxDeaths = 2;
constexpr int kMaxBegun = 6;
// What an answer needs on its way from the engine to the caller.
constexpr Millis kAnswerMargin{200};

Millis Since(EventLoop::Clock::time_point start) {
  return std::chrono::duration_cast<Millis>(EventLoop::Clock::now() - start);
}

Millis CapOf(const EnginePool::Job& job) {
  if (!job.answer_by) return job.cap;
  const auto left = *job.answer_by - EventLoop::Clock::now() - kAnswerMargin;
  return std::clamp(std::chrono::duration_cast<Millis>(left), Millis(1), job.cap);
}

}  // namespace

EnginePool::EnginePool(std::vector<EngineSpec> specs, PoolSettings settings, PoolObserver* observer)
    : specs_(std::move(specs)),
      settings_(settings),
      observer_(observer),
      queue_(settings.queue_capacity) {
  loop_.RunAndWait([this] {
    for (const EngineSpec& spec : specs_) {
      EngineWorker::Hooks hooks;
      hooks.on_change = [this] { ScheduleDispatch(); };
      hooks.on_death = [this, &spec](const std::string& why) {
        if (observer_ != nullptr) observer_->OnDeath(spec.id, why);
      };
      for (int i = 0; i < settings_.processes_per_engine; ++i) {
        workers_.push_back(std::make_unique<EngineWorker>(loop_, spec, settings_.worker, hooks));
      }
    }
    for (auto& worker : workers_) worker->Start();
    PublishStatus();
  });
}

EnginePool::~EnginePool() {
  loop_.RunAndWait([this] {
    closing_ = true;
    const Error closed{kEngineUnavailable, "the server is stopping"};
    std::vector<std::shared_ptr<Waiting>> left;
    for (Running& running : running_) left.push_back(std::move(running.waiting));
    running_.clear();
    for (Waiting& waiting : retries_) left.push_back(std::make_shared<Waiting>(std::move(waiting)));
    retries_.clear();
    while (auto waiting = queue_.PopIf([](const Waiting&) { return true; })) {
      left.push_back(std::make_shared<Waiting>(std::move(*waiting)));
    }
    workers_.clear();
    for (const auto& waiting : left) waiting->job.on_done(closed);
  });
}

EnginePool::SearchId EnginePool::Search(Job job) {
  const EngineSpec* spec = FindEngine(job.engine);
  KOMADAI_CHECK(spec != nullptr && spec->FindPlay(job.request.game.variant) != nullptr);
  SearchId id;
  {
    const MutexLock lock(mutex_);
    id = next_id_++;
  }
  auto waiting = std::make_shared<Waiting>(Waiting{id, std::move(job), EventLoop::Clock::now()});
  loop_.Post([this, waiting] { Admit(std::move(*waiting)); });
  return id;
}

void EnginePool::Cancel(SearchId id) {
  loop_.Post([this, id] { CancelNow(id); });
}

const EngineSpec* EnginePool::FindEngine(const std::string& id) const {
  for (const EngineSpec& spec : specs_) {
    if (spec.id == id) return &spec;
  }
  return nullptr;
}

const EngineSpec* EnginePool::Choose(const std::string& id, rules::Variant variant) const {
  if (!id.empty()) return FindEngine(id);
  for (const EngineSpec& spec : specs_) {
    if (spec.FindPlay(variant) != nullptr) return &spec;
  }
  return nullptr;
}

std::vector<EngineStatus> EnginePool::Engines() const {
  const MutexLock lock(mutex_);
  return status_;
}

void EnginePool::Admit(Waiting waiting) {
  if (closing_ || Hopeless(waiting.job.engine)) {
    Finish(waiting.job, Error{kEngineUnavailable, "no process of the engine is running"},
           "unavailable", Millis(0));
    return;
  }
  const std::string caller = waiting.job.caller;
  const Urgency urgency = waiting.job.urgency;
  if (std::optional<Waiting> refused = queue_.Push(caller, urgency, std::move(waiting))) {
    Finish(refused->job,
           Error{kEngineBusy,
                 "too many searches are waiting; retry later",
                 {{"waiting", std::to_string(queue_.size())}}},
           "busy", Millis(0));
    return;
  }
  Dispatch();
}

// Later and once: workers report changes from the middle of their own work.
void EnginePool::ScheduleDispatch() {
  if (std::exchange(dispatch_scheduled_, true)) return;
  loop_.Post([this] {
    dispatch_scheduled_ = false;
    if (closing_) return;
    PublishStatus();
    Dispatch();
  });
}

void EnginePool::Dispatch() {
  FailHopeless();
  for (auto it = retries_.begin(); it != retries_.end();) {
    EngineWorker* worker = FreeWorkerFor(it->job);
    if (worker == nullptr) {
      ++it;
      continue;
    }
    Waiting waiting = std::move(*it);
    it = retries_.erase(it);
    Begin(*worker, std::move(waiting));
  }
  const auto may_start = [this](const Waiting& waiting) { return MayStart(waiting); };
  while (std::optional<Waiting> waiting = queue_.PopIf(may_start)) {
    EngineWorker* worker = FreeWorkerFor(waiting->job);
    Begin(*worker, std::move(*waiting));
  }
  if (observer_ != nullptr) {
    observer_->OnQueueChanged(queue_.size() + retries_.size(), running_.size());
  }
}

// The idle process that has the game, or at least the variant, in its tables.
EngineWorker* EnginePool::FreeWorkerFor(const Job& job) {
  EngineWorker* best = nullptr;
  int best_score = -1;
  for (const auto& worker : workers_) {
    if (!worker->idle() || worker->spec().id != job.engine) continue;
    const GameSoFar& game = job.request.game;
    const int score = worker->Knows(game) ? 2 : worker->Speaks(game.variant) ? 1 : 0;
    if (score > best_score) {
      best = worker.get();
      best_score = score;
    }
  }
  return best;
}

// Analyses take at most all processes of an engine but one, so that a game never waits for them.
bool EnginePool::MayStart(const Waiting& waiting) {
  if (FreeWorkerFor(waiting.job) == nullptr) return false;
  if (waiting.job.urgency == Urgency::kUrgent) return true;
  const auto patient = std::count_if(running_.begin(), running_.end(), [&](const Running& r) {
    return r.waiting->job.engine == waiting.job.engine &&
           r.waiting->job.urgency == Urgency::kPatient;
  });
  return patient < std::max(1, settings_.processes_per_engine - 1);
}

void EnginePool::Begin(EngineWorker& worker, Waiting waiting) {
  ++waiting.begun;
  auto shared = std::make_shared<Waiting>(std::move(waiting));
  const SearchId id = shared->id;
  running_.push_back({id, &worker, shared, EventLoop::Clock::now()});
  EngineWorker::Search search;
  search.request = Bounded(shared->job.request, Since(shared->since), CapOf(shared->job));
  search.on_line = [shared](const Line& line) {
    if (shared->job.on_line) shared->job.on_line(line);
  };
  search.on_done = [this, id](Result<SearchResult> result) { End(id, std::move(result)); };
  worker.Run(std::move(search));
}

void EnginePool::End(SearchId id, Result<SearchResult> result) {
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [id](const Running& running) { return running.id == id; });
  if (found == running_.end()) return;
  const std::shared_ptr<Waiting> waiting = found->waiting;
  const Millis took = Since(found->since);
  running_.erase(found);
  if (!result && result.error().Is(kEngineDied)) ++waiting->deaths;
  if (result) {
    Finish(waiting->job, std::move(result), "ok", took);
  } else if (waiting->deaths < kMaxDeaths && waiting->begun < kMaxBegun) {
    retries_.push_back(std::move(*waiting));
  } else {
    Finish(waiting->job, Error{kEngineUnavailable, result.error().message()}, "died", took);
  }
}

void EnginePool::CancelNow(SearchId id) {
  const Error cancelled{kSearchCancelled, "the caller went away"};
  const auto has_id = [id](const auto& entry) { return entry.id == id; };
  if (auto waiting = queue_.Remove(has_id)) {
    Finish(waiting->job, cancelled, "cancelled", Millis(0));
    Dispatch();
    return;
  }
  const auto retry = std::find_if(retries_.begin(), retries_.end(), has_id);
  if (retry != retries_.end()) {
    const Waiting waiting = std::move(*retry);
    retries_.erase(retry);
    Finish(waiting.job, cancelled, "cancelled", Millis(0));
    return;
  }
  const auto running = std::find_if(running_.begin(), running_.end(), has_id);
  if (running == running_.end()) return;
  const Running ended = *running;
  running_.erase(running);
  ended.worker->Abandon();
  Finish(ended.waiting->job, cancelled, "cancelled", Since(ended.since));
}

bool EnginePool::Hopeless(const std::string& engine) const {
  return std::none_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
    return worker->spec().id == engine && worker->promising();
  });
}

void EnginePool::FailHopeless() {
  const auto hopeless = [this](const Waiting& waiting) { return Hopeless(waiting.job.engine); };
  const Error gone{kEngineUnavailable, "no process of the engine is running"};
  while (std::optional<Waiting> waiting = queue_.PopIf(hopeless)) {
    Finish(waiting->job, gone, "unavailable", Millis(0));
  }
  for (auto it = retries_.begin(); it != retries_.end();) {
    if (!hopeless(*it)) {
      ++it;
      continue;
    }
    const Waiting waiting = std::move(*it);
    it = retries_.erase(it);
    Finish(waiting.job, gone, "unavailable", Millis(0));
  }
}

void EnginePool::Finish(const Job& job, Result<SearchResult> result, std::string_view outcome,
                        Millis took) {
  if (observer_ != nullptr) {
    observer_->OnSearchEnded(job.engine, job.request.game.variant, job.urgency, outcome, took);
  }
  job.on_done(std::move(result));
}

void EnginePool::PublishStatus() {
  std::vector<EngineStatus> status;
  for (const EngineSpec& spec : specs_) {
    EngineStatus entry;
    entry.id = spec.id;
    for (const Play& play : spec.plays) entry.variants.push_back(play.variant);
    for (const auto& worker : workers_) {
      if (&worker->spec() != &spec || !worker->up()) continue;
      entry.available = true;
      entry.name = worker->traits().name;
      entry.pids.push_back(worker->pid());
    }
    status.push_back(std::move(entry));
  }
  {
    const MutexLock lock(mutex_);
    status_ = status;
  }
  if (observer_ == nullptr) return;
  for (const EngineStatus& entry : status) {
    observer_->OnProcessesChanged(entry.id, static_cast<int>(entry.pids.size()),
                                  settings_.processes_per_engine);
  }
}

}  // namespace komadai::engine
