// EngineWorker: one engine process kept alive and searching, one search at a time.
//
// It starts the process, shakes hands, sets options, watches over every search (an engine that does
// not answer in time is told to stop, then killed), and restarts the process with growing pauses
// when it dies. Lives on the EventLoop's thread.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"
#include "services/engine/domain/dialect.h"
#include "services/engine/domain/engine_spec.h"
#include "services/engine/domain/line_book.h"
#include "services/engine/domain/search.h"
#include "services/engine/process/child_process.h"

namespace komadai::engine {

// The process ended or hung while it searched.
inline constexpr Reason kEngineDied{Code::kUnavailable, "ENGINE_DIED"};
// The process was found dead before the search reached it: no fault of the position.
inline constexpr Reason kEngineFoundDead{Code::kUnavailable, "ENGINE_FOUND_DEAD"};

struct WorkerSettings {
  Millis handshake_timeout{10'000};  // for each answer before a search
  Millis stop_slack{500};  // how far an engine may overrun its own limits before it is told to stop
  Millis kill_grace{3'000};  // how long it may take to stop
  Millis first_backoff{100};
  Millis longest_backoff{30'000};
  std::int64_t output_per_search = 64 * 1024 * 1024;  // bytes
};

class EngineWorker {
 public:
  struct Search {
    SearchRequest request;  // Bounded()
    std::function<void(const Line&)> on_line;
    std::function<void(Result<SearchResult>)> on_done;  // exactly once, one of the two at worst
  };
  struct Hooks {
    std::function<void()> on_change;  // became idle, went down
    std::function<void(const std::string& why)> on_death;
  };

  EngineWorker(EventLoop& loop, const EngineSpec& spec, WorkerSettings settings, Hooks hooks);
  ~EngineWorker();

  void Start();
  // Only when idle(), and only a variant of the spec.
  void Run(Search search);
  // The search in progress is not wanted any more: stops it; on_done is not called.
  void Abandon();

  bool idle() const { return state_ == State::kIdle; }
  // Alive, or dead for the first time or two: worth waiting for.
  bool promising() const { return up() || failures_ < kHopelessFailures; }
  bool up() const { return state_ != State::kDown && state_ != State::kStarting; }
  const EngineSpec& spec() const { return spec_; }
  const Traits& traits() const { return traits_; }
  // Whether the last search here belonged to the same game, or at least to the same variant.
  bool Knows(const GameSoFar& game) const;
  bool Speaks(rules::Variant variant) const { return play_->variant == variant; }
  pid_t pid() const { return process_ ? process_->pid() : 0; }

 private:
  enum class State { kDown, kStarting, kIdle, kPreparing, kSearching, kAbandoned };
  // Lines to send, then the answer to wait for.
  struct Step {
    std::vector<std::string> lines;
    enum class Await { kHandshake, kReady } await;
  };
  static constexpr int kHopelessFailures = 3;

  void Launch();
  void NextStep();
  void StepAnswered(Step::Await what);
  void PrepareSearch();
  void AddOption(Step& step, std::string_view name, const std::string& value);
  void Go();
  void TellToStop();
  void OnLine(std::string_view line);
  void OnBestMove(BestMove best);
  void OnExit(const std::string& why);
  void BecomeIdle();
  void SetTimer(Millis delay, std::function<void()> work);
  void ClearTimer();

  EventLoop& loop_;
  const EngineSpec& spec_;
  const WorkerSettings settings_;
  Hooks hooks_;

  State state_ = State::kDown;
  std::unique_ptr<ChildProcess> process_;
  EventLoop::Clock::time_point launched_at_;
  int failures_ = 0;  // in a row
  std::optional<EventLoop::TimerId> timer_;

  const Play* play_;  // what the process is set to
  Traits traits_;
  std::map<std::string, std::string, std::less<>> sent_options_;
  std::optional<GameSoFar> last_game_;

  std::deque<Step> steps_;
  std::optional<Search> search_;
  LineBook lines_;
};

}  // namespace komadai::engine
