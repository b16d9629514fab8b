#include "services/game/app/chore_runner.h"

#include <exception>
#include <utility>

#include "libs/base/escaped.h"
#include "services/game/domain/replay.h"
#include "services/game/domain/timers.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

constexpr Millis kThinkTimeout{20000};  // below the grace after which the sweep asks again
// The pause after a failed chore: somebody waits at the board, or only the archive does.
constexpr Millis kRetrySoon{1000};
constexpr Millis kRetryAfter{5000};
constexpr int kSweepBatch = 50;  // games of a shard and pass
constexpr std::size_t kMaxInHand = 256;
// How long archiving waits for the clock to learn of a takeback.
constexpr Millis kClockPatience{60'000};

// Whether asking again would be answered the same: nobody can mend that by waiting.
bool IsFinal(const Error& error) {
  return error.code() == Code::kInvalidArgument || error.code() == Code::kAlreadyExists;
}

Task<Status> Nothing() { co_return Status(); }

// The result of a game that is replayed is that of its replay.
bool IsRated(const Game& game) {
  return game.rated && game.result->outcome != Outcome::kNoResult && game.replayed_by.empty();
}

NewGame ReplayOf(const Game& drawn) {
  ReplayTerms terms = ReplayTermsOf(drawn);
  NewGame replay;
  replay.id = drawn.replayed_by;
  replay.wish = drawn.setup;
  replay.players = std::move(terms.players);
  replay.rated = drawn.rated;
  replay.allow_takeback = drawn.allow_takeback;
  replay.time_control = terms.time_control;
  replay.first_move = Millis(0);  // it continues where the drawn game ended
  replay.claim_after = drawn.options.claim_after;
  replay.replay_of = drawn.id;
  return replay;
}

}  // namespace

ChoreRunner::ChoreRunner(Deps deps)
    : committer_(deps.committer),
      store_(deps.store),
      clock_(deps.clock),
      moves_(deps.moves),
      creation_(deps.creation),
      impasse_(deps.impasse),
      archive_(deps.archive),
      rating_(deps.rating),
      engine_(deps.engine),
      time_(deps.time),
      metrics_(deps.metrics) {}

rpc::Call ChoreRunner::NewCall(const std::string& game_id, Millis timeout) const {
  return ChoreCall(game_id, time_, timeout);
}

void ChoreRunner::Follow(const StoredGame& stored) {
  background_.Spawn(TendInBackground(stored.game->id));
}

Task<void> ChoreRunner::TendInBackground(std::string game_id) { co_await Tend(std::move(game_id)); }

Task<void> ChoreRunner::Tend(std::string game_id) {
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored) co_return;
  const Chore chore = ChoreOf(*stored, time_.Now());
  if (chore == Chore::kNone) co_return;
  Status done = co_await Guarded(chore, *stored);
  if (done) co_return;
  metrics_.ChoreFailed(chore, stored->game->id, done.error());
  const Millis pause = chore == Chore::kFinish ? kRetryAfter : kRetrySoon;
  co_await committer_.Postpone(*stored, time_.Now() + pause);
}

// An exception spoils this chore of this game alone: it is counted, logged and tried again later.
Task<Status> ChoreRunner::Guarded(Chore chore, StoredGame stored) {
  try {
    Status done = co_await Do(chore, std::move(stored));
    co_return done;
  } catch (...) {
    ReportEscaped(std::current_exception());
    co_return Error(kInternal, "an exception ended the chore; the log has its text");
  }
}

Task<Status> ChoreRunner::Do(Chore chore, StoredGame stored) {
  switch (chore) {
    case Chore::kNone:
      break;
    case Chore::kTimer:
      return PassTime(std::move(stored));
    case Chore::kStart:
      return StartGame(std::move(stored));
    case Chore::kClock:
      return TellClock(std::move(stored));
    case Chore::kComputer:
      return MoveForComputer(std::move(stored));
    case Chore::kFinish:
      return FinishGame(std::move(stored));
  }
  return Nothing();
}

bool ChoreRunner::TakeInHand(const std::string& game_id) {
  const MutexLock lock(mutex_);
  return in_hand_.size() < kMaxInHand && in_hand_.insert(game_id).second;
}

void ChoreRunner::LetGo(const std::string& game_id) {
  const MutexLock lock(mutex_);
  in_hand_.erase(game_id);
}

Task<void> ChoreRunner::TendInHand(std::string game_id) {
  try {
    co_await Tend(game_id);
  } catch (...) {
    ReportEscaped(std::current_exception());
  }
  LetGo(game_id);
}

Task<Status> ChoreRunner::StartGame(StoredGame stored) {
  const Game& game = *stored.game;
  const rpc::Call call = NewCall(game.id, kChoreTimeout);
  if (game.time_control) {
    Result<timecontrol::Reading> started = co_await clock_.Start(call, stored.game);
    if (!started) co_return std::move(started).error();
  }
  for (const Player& player : game.players) {
    if (player.id.empty()) continue;
    Status added = co_await store_.AddToPlayer(player.id, game.id, game.created_at);
    if (!added) co_return added;
  }
  stored.progress.started = true;
  GameAttempt marked = co_await committer_.Mark(stored);
  if (marked.has_error()) co_return std::move(marked).error();
  // A conflict: after a move the game is still due, after the end there is nothing to start.
  co_return Status();
}

Task<Status> ChoreRunner::PassTime(StoredGame stored) {
  const rpc::Call call = NewCall(stored.game->id, kChoreTimeout);
  Result<StoredGame> passed = co_await committer_.ActAlone(call, stored.game->id, DecideTimer);
  if (!passed) co_return std::move(passed).error();
  co_return Status();
}

Task<Status> ChoreRunner::CatchUpClock(StoredGame stored) {
  const Game& game = *stored.game;
  Status told = co_await clock_.CatchUp(NewCall(game.id, kChoreTimeout), FreshGame(stored));
  if (told || IsTransient(told.error())) co_return told;
  metrics_.Refused(game.id, "clock", told.error());
  co_return Status();
}

Task<Status> ChoreRunner::TellClock(StoredGame stored) {
  Status told = co_await CatchUpClock(stored);
  if (!told) co_return told;
  stored.progress.clock_told = stored.game->sequence;
  GameAttempt marked = co_await committer_.Mark(stored);  // a conflict: still due, and done again
  if (marked.has_error()) co_return std::move(marked).error();
  co_return Status();
}

Task<Status> ChoreRunner::MoveForComputer(StoredGame stored) {
  const Game& game = *stored.game;
  const rpc::Call declaring = NewCall(game.id, kChoreTimeout);
  Result<bool> declared = co_await impasse_.DeclareForComputer(declaring, stored);
  if (!declared) co_return std::move(declared).error();
  if (*declared) co_return Status();
  const rpc::Call thinking = NewCall(game.id, kThinkTimeout);
  Result<ComputerMove> choice = co_await engine_.Choose(thinking, stored.game);
  if (!choice) co_return std::move(choice).error();
  if (choice->resign) {
    const Side winner = Opponent(game.board.to_move);
    Events events;
    events.emplace_back(Ended{{WinFor(winner), Ending::kResignation, game.ply()}, game.clock});
    GameAttempt ended = co_await committer_.Commit(stored, std::move(events), time_.Now());
    if (ended.has_error()) co_return std::move(ended).error();
    co_return Status();
  }
  MoveCommand command;
  command.game_id = game.id;
  command.by_computer = true;
  command.expected_ply = game.ply();
  command.move = choice->move;
  command.thought_at = game.sequence;
  const rpc::Call call = NewCall(game.id, kChoreTimeout);  // its instant is that of the move
  Result<MoveOutcome> played = co_await moves_.Play(call, std::move(command));
  // A takeback or the end may have come first: then there is nothing to do here any more.
  // A pause or a game too long is another chore's business.
  const bool gone = !played && (played.error().Is(kStalePly) || played.error().Is(kGameOver) ||
                                played.error().Is(kGamePaused) || played.error().Is(kGameTooLong));
  if (!played && !gone) co_return std::move(played).error();
  co_return Status();
}

Task<Status> ChoreRunner::CreateReplay(StoredGame stored) {
  const Game& game = *stored.game;
  const rpc::Call call = NewCall(game.id, kChoreTimeout);
  Result<StoredGame> created = co_await creation_.Create(call, ReplayOf(game));
  if (!created && !IsFinal(created.error())) co_return std::move(created).error();
  if (!created) metrics_.Refused(game.id, "replay", created.error());
  stored.progress.replay_created = true;
  // Its commit leads back here, for the rest; and so does the sweep after a conflict.
  GameAttempt marked = co_await committer_.Mark(stored);
  if (marked.has_error()) co_return std::move(marked).error();
  co_return Status();
}

Task<Status> ChoreRunner::FinishGame(StoredGame stored) {
  const Game& game = *stored.game;
  if (!game.replayed_by.empty() && !stored.progress.replay_created) {
    Status replayed = co_await CreateReplay(stored);
    co_return replayed;
  }
  const rpc::Call call = NewCall(game.id, kChoreTimeout);
  if (game.time_control) {
    if (ClockIsBehind(stored)) {  // stopped first, it could not be told any more
      Status told = co_await CatchUpClock(stored);
      if (!told && time_.Now() < game.ended_at + kClockPatience) co_return told;
    }
    co_await clock_.Stop(call, game.id, game.ended_at);
  }
  if (game.ply() > 0 || game.result->outcome != Outcome::kNoResult) {
    Status archived = co_await archive_.Store(call, stored.game);
    if (!archived && !IsFinal(archived.error())) co_return archived;
    if (!archived) metrics_.Refused(game.id, "archive", archived.error());
  }
  if (IsRated(game)) {
    Status rated = co_await rating_.Apply(call, stored.game);
    if (!rated && !IsFinal(rated.error())) co_return rated;
    if (!rated) metrics_.Refused(game.id, "rating", rated.error());
  }
  for (const Player& player : game.players) {
    if (player.id.empty()) continue;
    Status removed = co_await store_.RemoveFromPlayer(player.id, game.id);
    if (!removed) co_return removed;
  }
  stored.progress.started = true;
  stored.progress.archived = true;
  GameAttempt marked = co_await committer_.Mark(stored);
  if (marked.has_error()) co_return std::move(marked).error();
  if (marked.committed()) metrics_.Finished(game);
  co_return Status();
}

Task<void> ChoreRunner::Sweep() {
  for (int shard = 0; shard < GameStore::kShards; ++shard) {
    if (background_.stopping()) co_return;
    Result<std::vector<std::string>> due = co_await store_.Due(shard, time_.Now(), kSweepBatch);
    if (!due) co_return;  // the store is away: the next pass will see
    for (const std::string& game_id : *due) {
      if (!TakeInHand(game_id)) continue;
      metrics_.Swept();
      background_.Spawn(TendInHand(game_id));
    }
  }
}

}  // namespace komadai::game
