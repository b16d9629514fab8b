#include "tests/simulation/game_node.h"

#include <utility>

#include "services/game/domain/timers.h"
#include "services/game/watch/game_watcher.h"
#include "tests/simulation/metrics.h"

namespace komadai::simulation {
namespace {

constexpr Millis kSweepInterval{1000};
constexpr Millis kCallTimeout{5000};

class PipeSink final : public game::EventSink<game::pb::WatchGameResponse> {
 public:
  explicit PipeSink(std::shared_ptr<WatchPipe> pipe) : pipe_(std::move(pipe)) {}
  bool Publish(game::pb::WatchGameResponse message) override {
    return pipe_->Push(std::move(message));
  }
  void Complete() override { pipe_->End({}); }
  void Fail(Error error) override { pipe_->End(std::move(error)); }
  void OnEnd(std::function<void()> fn) override { pipe_->OnEnd(std::move(fn)); }

 private:
  const std::shared_ptr<WatchPipe> pipe_;
};

}  // namespace

GameNode::GameNode(Database& database, Cluster<ClockNode>& clocks, Cluster<Outside>& outside,
                   Judge& judge, Process& process)
    : process_(process),
      environment_(process.environment()),
      clock_nodes_(clocks),
      judge_(judge),
      connection_(database, process),
      clock_(process, clocks),
      archive_(process, outside),
      rating_(process, outside),
      engine_(process, outside),
      app_(connection_, {rules_, clock_, archive_, rating_, engine_}, environment_.scheduler,
           SharedGameMetrics(), {}) {
  WatchExpiries();
  Detach(SweepForEver());
}

rpc::Call GameNode::NewCall() const {
  return rpc::Call::Background("simulated", environment_.scheduler, kCallTimeout);
}

game::PlayerAction GameNode::ActionOf(std::string game_id, std::string player) const {
  return {NewCall(), std::move(game_id), std::move(player)};
}

Task<void> GameNode::SweepForEver() {
  for (;;) {
    const bool alive = co_await process_.Sleep(kSweepInterval);
    if (!alive) co_return;
    co_await app_.chores.Sweep();
  }
}

// What rpc::Subscription does: one stream from any replica, and another when it breaks.
void GameNode::WatchExpiries() {
  auto pipe = Pipe<clock::Expiry>::To(
      process_, {.on_message = [this](const clock::Expiry& expiry) { OnExpiry(expiry); },
                 .on_end =
                     [this](const Status&) {
                       process_.After(environment_.dice.MillisBetween(25, 100),
                                      [this] { WatchExpiries(); });
                     }});
  const std::size_t index = environment_.dice.Index(clock_nodes_.size());
  process_.After(environment_.Delay(), [this, index, pipe] {
    ClockNode* node = clock_nodes_.Up(index);
    if (node == nullptr) {
      pipe->Cut();
    } else {
      node->Watch(pipe);
    }
  });
}

void GameNode::OnExpiry(const clock::Expiry& expiry) {
  environment_.Say(process_.name(), [&] {
    return "hears that ply " + std::to_string(expiry.ply) + " of " + expiry.game_id +
           " has expired";
  });
  game::Expiry heard{expiry.game_id, expiry.ply, expiry.side, expiry.deadline};
  Detach(app_.flags.OnExpiry(std::move(heard)));
}

Task<Result<game::StoredGame>> GameNode::Create(game::NewGame wish) {
  const std::string game_id = wish.id;
  Result<game::StoredGame> created = co_await app_.creation.Create(NewCall(), std::move(wish));
  if (process_.alive()) judge_.AnsweredRead(game_id, 0, created);
  co_return created;
}

Task<Result<game::StoredGame>> GameNode::Read(std::string game_id) {
  const std::int64_t known = judge_.SequenceOf(game_id);
  Result<game::StoredGame> read = co_await app_.reader.Read(NewCall(), game_id);
  if (process_.alive()) judge_.AnsweredRead(game_id, known, read);
  co_return read;
}

Task<Result<game::MoveOutcome>> GameNode::PlayMove(game::MoveCommand command) {
  const rpc::Call call = NewCall();
  const std::size_t receipt = judge_.Received(command, call.received_at(), process_);
  const std::string game_id = command.game_id;
  Result<game::MoveOutcome> played = co_await app_.moves.Play(call, std::move(command));
  if (process_.alive()) judge_.AnsweredMove(game_id, receipt, played);
  if (played && environment_.sabotage == Sabotage::kPrematureFlag) {
    Detach(FlagAtOnce(game_id, played->ply, played->board.to_move));
  }
  co_return played;
}

Task<void> GameNode::FlagAtOnce(std::string game_id, int ply, Side side) {
  (void)co_await app_.committer.ActAlone(NewCall(), std::move(game_id),
                                         [ply, side](const game::Game& game, TimePoint) {
                                           return game::DecideTimeOut(game, ply, side);
                                         });
}

Task<Result<game::StoredGame>> GameNode::Resign(std::string game_id, std::string player) {
  Result<game::StoredGame> resigned = co_await app_.endings.Resign(ActionOf(game_id, player));
  if (process_.alive()) judge_.AnsweredAction(game_id, player, Act::kResign, resigned);
  co_return resigned;
}

Task<Result<game::StoredGame>> GameNode::Abort(std::string game_id, std::string player) {
  Result<game::StoredGame> aborted = co_await app_.endings.Abort(ActionOf(game_id, player));
  if (process_.alive()) judge_.AnsweredAction(game_id, player, Act::kAbort, aborted);
  co_return aborted;
}

Task<Result<game::StoredGame>> GameNode::OfferDraw(std::string game_id, std::string player,
                                                   int ply) {
  Result<game::StoredGame> offered = co_await app_.draws.Offer(ActionOf(game_id, player), ply);
  if (process_.alive()) judge_.AnsweredAction(game_id, player, Act::kOfferDraw, offered);
  co_return offered;
}

Task<Result<game::StoredGame>> GameNode::AnswerDraw(std::string game_id, std::string player,
                                                    bool accept) {
  Result<game::StoredGame> answered = co_await app_.draws.Answer(ActionOf(game_id, player), accept);
  const Act act = accept ? Act::kAcceptDraw : Act::kDeclineDraw;
  if (process_.alive()) judge_.AnsweredAction(game_id, player, act, answered);
  co_return answered;
}

Task<Result<game::TakebackOutcome>> GameNode::RequestTakeback(std::string game_id,
                                                              std::string player, int ply) {
  Result<game::TakebackOutcome> asked =
      co_await app_.takebacks.Request(ActionOf(game_id, player), ply);
  if (process_.alive()) judge_.AnsweredTakeback(game_id, player, Act::kAskTakeback, asked);
  co_return asked;
}

Task<Result<game::TakebackOutcome>> GameNode::AnswerTakeback(std::string game_id,
                                                             std::string player, bool accept) {
  Result<game::TakebackOutcome> answered =
      co_await app_.takebacks.Answer(ActionOf(game_id, player), accept);
  const Act act = accept ? Act::kGrantTakeback : Act::kDeclineTakeback;
  if (process_.alive()) judge_.AnsweredTakeback(game_id, player, act, answered);
  co_return answered;
}

Task<Result<timecontrol::Reading>> GameNode::AddTime(std::string game_id, std::string player,
                                                     std::string request_id, Millis add) {
  Result<timecontrol::Reading> added =
      co_await app_.time_gifts.Add(ActionOf(game_id, player), request_id, add);
  if (process_.alive()) judge_.AnsweredGift(game_id, request_id, added);
  co_return added;
}

// As GameService::WatchGame.
Task<void> GameNode::WatchGame(std::string game_id, std::int64_t after_sequence,
                               std::shared_ptr<WatchPipe> pipe) {
  pipe->ServedBy(process_);
  Result<game::StoredGame> stored = co_await app_.reader.Read(NewCall(), game_id);
  if (!stored) {
    pipe->End(std::move(stored).error());
    co_return;
  }
  const game::Game& game = *stored->game;
  auto sink = std::make_shared<PipeSink>(pipe);
  std::make_shared<game::GameWatcher>(app_.store, game_id, std::move(sink))
      ->Watch(game, after_sequence);
}

}  // namespace komadai::simulation
