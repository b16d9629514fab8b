#include "tests/simulation/player.h"

#include <algorithm>
#include <tuple>

#include "services/game/errors.h"

namespace komadai::simulation {
namespace {

const char* NameOf(Act act) {
  switch (act) {
    case Act::kResign:
      return "Resign";
    case Act::kAbort:
      return "AbortGame";
    case Act::kOfferDraw:
      return "OfferDraw";
    case Act::kAcceptDraw:
      return "AnswerDraw yes";
    case Act::kDeclineDraw:
      return "AnswerDraw no";
    case Act::kAskTakeback:
      return "RequestTakeback";
    case Act::kGrantTakeback:
      return "AnswerTakeback yes";
    case Act::kDeclineTakeback:
      return "AnswerTakeback no";
  }
  return "";
}

// Whether the caller cannot know if its call had an effect, or is told to repeat it.
bool MayBeRepeated(const Error& error) {
  return error.code() == Code::kUnavailable || error.code() == Code::kDeadlineExceeded ||
         error.Is(game::kContention);
}

template <typename T>
Task<Result<bool>> Done(Task<Result<T>> task) {
  Result<T> result = co_await std::move(task);
  if (!result) co_return std::move(result).error();
  co_return true;
}

// The call of the contract that `act` is.
Handler<bool, GameNode> CallFor(Act act, const std::string& game, const std::string& id, int ply) {
  return [act, game, id, ply](GameNode& node) -> Task<Result<bool>> {
    switch (act) {
      case Act::kResign:
        return Done(node.Resign(game, id));
      case Act::kAbort:
        return Done(node.Abort(game, id));
      case Act::kOfferDraw:
        return Done(node.OfferDraw(game, id, ply));
      case Act::kAcceptDraw:
        return Done(node.AnswerDraw(game, id, true));
      case Act::kDeclineDraw:
        return Done(node.AnswerDraw(game, id, false));
      case Act::kAskTakeback:
        return Done(node.RequestTakeback(game, id, ply));
      case Act::kGrantTakeback:
        return Done(node.AnswerTakeback(game, id, true));
      case Act::kDeclineTakeback:
        break;
    }
    return Done(node.AnswerTakeback(game, id, false));
  };
}

}  // namespace

Player::Player(Environment& environment, Cluster<GameNode>& games, Judge& judge, const Plan& plan,
               Side side)
    : environment_(environment),
      dice_(environment.dice),
      games_(games),
      judge_(judge),
      plan_(plan),
      side_(side),
      id_(plan.wish.players[static_cast<std::size_t>(side)].id),
      process_(environment, id_),
      viewer_(process_, games, judge, plan.game_id) {}

template <typename Reply>
Task<Result<Reply>> Player::Insist(Handler<Reply, GameNode> handler, std::string what) {
  constexpr int kMaxAttempts = 6;
  for (int attempt = 1;; ++attempt) {
    CallShape shape{what, dice_.MillisBetween(60, 1500), false};
    Result<Reply> reply =
        co_await Call<Reply, GameNode>(process_, games_, handler, std::move(shape));
    const bool again = !reply && MayBeRepeated(reply.error()) && attempt < kMaxAttempts;
    if (!again || !process_.alive()) co_return reply;
    const bool alive = co_await process_.Sleep(dice_.MillisBetween(0, 60));
    if (!alive) co_return reply;
  }
}

Task<void> Player::Run() {
  viewer_.Open();
  while (!view().over) {
    const bool alive = co_await viewer_.News(dice_.MillisBetween(10, 150));
    if (!alive) co_return;
    if (view().sequence == 0 || view().over) continue;
    if (plan_.closing) {
      co_await Close();
    } else {
      co_await TakePart();
    }
  }
  done_ = true;
}

Task<void> Player::TakePart() {
  const bool answered = co_await AnswerOffers();
  if (answered || view().over) co_return;
  const bool something = co_await DoSomethingElse();
  if (something || view().over) co_return;
  if (view().to_move == side_ && view().ply < plan_.plies) co_await Move();
}

Task<void> Player::Close() {
  if (plan_.abandon && plan_.wish.time_control) co_return;
  co_await AskFor(Act::kResign);
}

Millis Player::ThinkingTime() {
  if (view().deadline && dice_.Chance(plan_.gamble)) {
    const Millis left = *view().deadline - environment_.scheduler.Now();
    return std::max(left + dice_.MillisBetween(-6, 3), Millis(0));
  }
  return dice_.MillisBetween(0, plan_.think_ms);
}

Task<void> Player::Move() {
  const std::int64_t sequence = view().sequence;
  const bool alive = co_await process_.Sleep(ThinkingTime());
  // Thought about something that is no more.
  if (!alive || view().sequence != sequence) co_return;
  const int ply = view().ply;
  std::string move = AnyMove(plan_.wish.wish.variant, view().position, dice_);
  if (move.empty()) co_return;
  played_.emplace_back(ply, move);
  judge_.Asks(plan_.game_id, side_, ply, move);
  if (dice_.Chance(plan_.overlap)) Detach(PlayOnce(ply, move));
  co_await Play(ply, std::move(move));
}

game::MoveCommand Player::CommandFor(int ply, const std::string& move) const {
  game::MoveCommand command;
  command.game_id = plan_.game_id;
  command.player_id = id_;
  command.expected_ply = ply;
  command.move = move;
  return command;
}

Task<void> Player::Play(int ply, std::string move) {
  const game::MoveCommand command = CommandFor(ply, move);
  Handler<game::MoveOutcome, GameNode> play = [command](GameNode& node) {
    return node.PlayMove(command);
  };
  std::string what = "PlayMove " + std::to_string(ply) + " " + move;
  (void)co_await Insist<game::MoveOutcome>(std::move(play), std::move(what));
}

Task<void> Player::PlayOnce(int ply, std::string move) {
  const bool alive = co_await process_.Sleep(dice_.MillisBetween(0, 30));
  if (!alive) co_return;
  co_await Play(ply, std::move(move));
}

Task<void> Player::AskFor(Act act) {
  judge_.Asks(plan_.game_id, side_, act);
  Handler<bool, GameNode> call = CallFor(act, plan_.game_id, id_, view().ply);
  (void)co_await Insist<bool>(std::move(call), NameOf(act));
}

Task<void> Player::GiveTime() {
  const std::string request = id_ + "-gives-" + std::to_string(++gifts_);
  judge_.AsksGift(plan_.game_id, request);
  const std::string game = plan_.game_id;
  const std::string id = id_;
  Handler<bool, GameNode> give = [game, id, request](GameNode& node) {
    return Done(node.AddTime(game, id, request, Millis(1000)));
  };
  (void)co_await Insist<bool>(std::move(give), "AddTime");
}

Task<bool> Player::AnswerOffers() {
  const bool draw = view().draw_offered_by == Opponent(side_);
  const bool takeback = view().takeback_asked_by == Opponent(side_);
  if ((!draw && !takeback) || view().sequence == answered_) co_return false;
  answered_ = view().sequence;
  if (dice_.Chance(kAlways / 4)) co_return false;  // let it lapse
  const bool yes = dice_.Chance(plan_.accept);
  if (draw) {
    co_await AskFor(yes ? Act::kAcceptDraw : Act::kDeclineDraw);
  } else {
    co_await AskFor(yes ? Act::kGrantTakeback : Act::kDeclineTakeback);
  }
  co_return true;
}

Task<bool> Player::DoSomethingElse() {
  const bool late = view().ply >= plan_.plies;
  const bool casual_clock = plan_.wish.time_control.has_value() && !plan_.wish.rated;
  if (dice_.Chance(plan_.nonsense)) {
    co_await TalkNonsense();
  } else if (dice_.Chance(late ? kAlways / 10 : plan_.resign)) {
    co_await AskFor(Act::kResign);
  } else if (dice_.Chance(late ? kAlways / 4 : plan_.offer_draw)) {
    co_await AskFor(Act::kOfferDraw);
  } else if (view().ply > 0 && dice_.Chance(plan_.ask_takeback)) {
    co_await AskFor(Act::kAskTakeback);
  } else if (casual_clock && dice_.Chance(plan_.give_time)) {
    co_await GiveTime();
  } else if (view().ply < 2 && dice_.Chance(plan_.abort)) {
    co_await AskFor(Act::kAbort);
  } else {
    co_return false;
  }
  co_return true;
}

// An old move again, a move out of turn, a move of the future, and one that nobody can play.
Task<void> Player::TalkNonsense() {
  int ply = view().ply;
  std::string move = AnyMove(plan_.wish.wish.variant, view().position, dice_);
  switch (dice_.Between(0, 3)) {
    case 0:
      if (played_.empty()) co_return;
      std::tie(ply, move) = played_[dice_.Index(played_.size())];
      judge_.Asks(plan_.game_id, side_, ply, move);
      break;
    case 1:
      if (view().to_move == side_) co_return;
      break;
    case 2:
      ply += static_cast<int>(dice_.Between(1, 3));
      break;
    default:
      move = "5a5a";
  }
  if (move.empty()) co_return;
  // Out of turn now, it may be in turn when it arrives.
  judge_.Asks(plan_.game_id, side_, ply, move);
  co_await PlayOnce(ply, std::move(move));
}

}  // namespace komadai::simulation
