#include "services/engine/process/engine_worker.h"

#include <algorithm>
#include <utility>

#include "libs/base/check.h"
#include "services/engine/domain/time_budget.h"

namespace komadai::engine {

namespace {

// Whether `later` continues `earlier`: the same start and at least the same moves.
bool Continues(const GameSoFar& earlier, const GameSoFar& later) {
  return earlier.variant == later.variant && earlier.position == later.position &&
         earlier.moves.size() <= later.moves.size() &&
         std::equal(earlier.moves.begin(), earlier.moves.end(), later.moves.begin());
}

constexpr int kFullSkill = 20;

}  // namespace

EngineWorker::EngineWorker(EventLoop& loop, const EngineSpec& spec, WorkerSettings settings,
                           Hooks hooks)
    : loop_(loop),
      spec_(spec),
      settings_(settings),
      hooks_(std::move(hooks)),
      play_(&spec.plays.front()) {}

EngineWorker::~EngineWorker() { ClearTimer(); }

void EngineWorker::Start() {
  KOMADAI_CHECK(state_ == State::kDown && !process_);
  Launch();
}

void EngineWorker::Launch() {
  state_ = State::kStarting;
  launched_at_ = EventLoop::Clock::now();
  play_ = &spec_.plays.front();
  traits_ = {};
  sent_options_.clear();
  last_game_.reset();
  ChildProcess::Callbacks callbacks;
  callbacks.on_line = [this](std::string_view line) { OnLine(line); };
  callbacks.on_exit = [this](std::string why) { OnExit(why); };
  auto spawned = ChildProcess::Spawn(loop_, spec_.command, std::move(callbacks));
  if (!spawned) {
    OnExit(spawned.error().message());
    return;
  }
  process_ = std::move(*spawned);
  steps_.clear();
  steps_.push_back({{std::string(HandshakeCommand(play_->protocol))}, Step::Await::kHandshake});
  NextStep();
}

void EngineWorker::NextStep() {
  for (const std::string& line : steps_.front().lines) process_->WriteLine(line);
  SetTimer(settings_.handshake_timeout,
           [this] { process_->Kill("did not answer before a search"); });
}

void EngineWorker::StepAnswered(Step::Await what) {
  // An answer that was not asked for, as from an engine that says readyok twice.
  if (steps_.empty() || steps_.front().await != what) return;
  ClearTimer();
  steps_.pop_front();
  if (state_ == State::kStarting && what == Step::Await::kHandshake) {
    Step step{{}, Step::Await::kReady};
    for (const auto& [name, value] : spec_.options) AddOption(step, name, value);
    step.lines.push_back("isready");
    steps_.push_back(std::move(step));
  }
  if (!steps_.empty()) {
    NextStep();
  } else if (state_ == State::kPreparing) {
    Go();
  } else {  // started, or the search was abandoned while it was prepared
    BecomeIdle();
  }
}

void EngineWorker::Run(Search search) {
  KOMADAI_CHECK(idle());
  search_ = std::move(search);
  lines_ = {};
  state_ = State::kPreparing;
  process_->AllowOutput(settings_.output_per_search);
  PrepareSearch();
  NextStep();
}

void EngineWorker::PrepareSearch() {
  const SearchRequest& request = search_->request;
  const Play* play = spec_.FindPlay(request.game.variant);
  KOMADAI_CHECK(play != nullptr);
  if (play->protocol != play_->protocol) {
    // Fairy-Stockfish changes its language, and resets its variant, when greeted in another one.
    steps_.push_back({{std::string(HandshakeCommand(play->protocol))}, Step::Await::kHandshake});
    sent_options_.clear();
  }
  play_ = play;
  Step step{{}, Step::Await::kReady};
  if (!play->variant_option.empty()) AddOption(step, "UCI_Variant", play->variant_option);
  AddOption(step, "Skill Level", std::to_string(request.skill.value_or(kFullSkill)));
  AddOption(step, "MultiPV", std::to_string(request.line_count));
  if (!Knows(request.game)) step.lines.emplace_back(NewGameCommand(play->protocol));
  step.lines.push_back("isready");
  steps_.push_back(std::move(step));
  last_game_ = request.game;
}

void EngineWorker::AddOption(Step& step, std::string_view name, const std::string& value) {
  const std::optional<std::string> spelling = traits_.FindOption(name);
  if (!spelling) return;
  auto [sent, is_new] = sent_options_.try_emplace(*spelling, value);
  if (!is_new && sent->second == value) return;
  sent->second = value;
  step.lines.push_back(SetOptionCommand(*spelling, value));
}

void EngineWorker::Go() {
  state_ = State::kSearching;
  const SearchRequest& request = search_->request;
  process_->WriteLine(PositionCommand(*play_, request.game));
  process_->WriteLine(GoCommand(*play_, traits_, request));
  const bool engine_keeps_time = !LeavesTimeToEngine(request.limits, request.clocks);
  const Millis longest = request.limits.time.value_or(Millis(0));
  SetTimer(engine_keeps_time ? longest + settings_.stop_slack : longest, [this] { TellToStop(); });
}

void EngineWorker::TellToStop() {
  process_->WriteLine("stop");
  SetTimer(settings_.kill_grace, [this] { process_->Kill("did not stop searching"); });
}

void EngineWorker::Abandon() {
  if (!search_) return;
  search_.reset();
  if (state_ == State::kSearching) {
    TellToStop();
    state_ = State::kAbandoned;
  } else if (state_ == State::kPreparing) {
    state_ = State::kStarting;  // finishes its preparations and is idle then
  }
}

void EngineWorker::OnLine(std::string_view line) {
  Answer answer = ParseAnswer(*play_, line);
  if (auto* name = std::get_if<NameAnswer>(&answer)) {
    traits_.name = std::move(name->name);
  } else if (auto* option = std::get_if<OptionAnswer>(&answer)) {
    constexpr std::size_t kMaxOptions = 1000;
    if (traits_.options.size() < kMaxOptions) traits_.AddOption(option->name);
  } else if (std::holds_alternative<HandshakeAnswer>(answer)) {
    StepAnswered(Step::Await::kHandshake);
  } else if (std::holds_alternative<ReadyAnswer>(answer)) {
    StepAnswered(Step::Await::kReady);
  } else if (auto* found = std::get_if<LineAnswer>(&answer)) {
    if (state_ != State::kSearching) return;
    search_->on_line(found->line);
    lines_.Add(std::move(found->line));
  } else if (auto* best = std::get_if<BestMoveAnswer>(&answer)) {
    OnBestMove(std::move(best->best));
  }
}

void EngineWorker::OnBestMove(BestMove best) {
  if (state_ != State::kSearching && state_ != State::kAbandoned) return;
  failures_ = 0;
  std::optional<Search> search = std::exchange(search_, std::nullopt);
  LineBook lines = std::exchange(lines_, {});
  BecomeIdle();
  if (search) search->on_done(SearchResult{std::move(best), std::move(lines)});
}

void EngineWorker::OnExit(const std::string& why) {
  ClearTimer();
  process_.reset();
  steps_.clear();
  lines_ = {};
  const bool had_worked =
      up() && EventLoop::Clock::now() - launched_at_ > settings_.longest_backoff;
  if (had_worked) failures_ = 0;
  ++failures_;
  const Reason reason = state_ == State::kSearching ? kEngineDied : kEngineFoundDead;
  state_ = State::kDown;
  std::optional<Search> search = std::exchange(search_, std::nullopt);
  // The first death is followed by a new start at once: a caller may be waiting for its retry.
  Millis pause{0};
  if (failures_ > 1) {
    pause = settings_.first_backoff * (1 << std::min(failures_ - 2, 16));
    pause = std::min(pause, settings_.longest_backoff);
  }
  SetTimer(pause, [this] { Launch(); });
  hooks_.on_death(why);
  if (search) search->on_done(Error{reason, "the engine " + why});
  hooks_.on_change();
}

void EngineWorker::BecomeIdle() {
  ClearTimer();
  state_ = State::kIdle;
  process_->AllowOutput(ChildProcess::kDefaultAllowance);
  hooks_.on_change();
}

bool EngineWorker::Knows(const GameSoFar& game) const {
  return last_game_ && Continues(*last_game_, game);
}

void EngineWorker::SetTimer(Millis delay, std::function<void()> work) {
  ClearTimer();
  timer_ = loop_.After(delay, [this, work = std::move(work)] {
    timer_.reset();
    work();
  });
}

void EngineWorker::ClearTimer() {
  if (timer_) loop_.Cancel(*timer_);
  timer_.reset();
}

}  // namespace komadai::engine
