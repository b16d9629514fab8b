// What the replicas answered: the other half of judge.cc.
#include <algorithm>
#include <optional>
#include <string>

#include "libs/convert/time_control.h"
#include "services/game/convert.h"
#include "services/game/errors.h"
#include "tests/simulation/judge.h"

namespace komadai::simulation {

namespace pb = ::komadai::game::v1;
using game::Ending;

std::size_t Judge::Received(const game::MoveCommand& command, TimePoint at,
                            const Process& replica) {
  GameTruth& truth = Find(command.game_id);
  truth.receipts.push_back({command.player_id, command.expected_ply, command.move, at,
                            truth.moments.size() - 1, replica.pulse(), false});
  return truth.receipts.size() - 1;
}

void Judge::AnsweredMove(const std::string& game_id, std::size_t receipt,
                         const Result<game::MoveOutcome>& answer) {
  if (resting_) return;
  GameTruth& truth = Find(game_id);
  truth.receipts[receipt].answered = true;
  if (answer) {
    CheckAcknowledged(truth, truth.receipts[receipt], *answer);
  } else {
    CheckRefused(truth, truth.receipts[receipt], answer.error());
  }
}

void Judge::CheckAcknowledged(GameTruth& truth, const Receipt& receipt,
                              const game::MoveOutcome& outcome) {
  ++tally_.acknowledged;
  if (outcome.sequence < 1 || outcome.sequence > truth.sequence()) {
    return Complain(truth.id, "a move was acknowledged that was never committed");
  }
  const auto index = static_cast<std::size_t>(outcome.sequence) - 1;
  const pb::GameEvent& event = truth.journal[index].event();
  const pb::MovePlayed& played = event.move_played();
  if (!event.has_move_played() || played.move().ply() != receipt.ply + 1 ||
      played.move().move() != receipt.move || outcome.move != receipt.move ||
      truth.moments[index].to_move != truth.SideOf(receipt.player)) {
    return Complain(truth.id, "another move than " + receipt.move + " was acknowledged");
  }
  const bool same_clock =
      played.has_clock() == outcome.clock.has_value() &&
      (!outcome.clock || convert::ReadingFromProto(played.clock()) == *outcome.clock);
  if (outcome.board.position != played.position() || !same_clock) {
    return Complain(truth.id, "a move was answered otherwise than it was committed");
  }
  const bool ended = truth.ended_by_rules && truth.sequence() == outcome.sequence + 1;
  if (outcome.result.has_value() != ended) {
    Complain(truth.id, "a move was answered without the end it brought, or with one it did not");
  }
}

void Judge::CheckRefused(const GameTruth& truth, const Receipt& receipt, const Error& error) {
  if (CheckError(truth, error)) return;
  const std::optional<Side> side = truth.SideOf(receipt.player);
  const std::string what =
      error.reason() + " for " + receipt.move + " at ply " + std::to_string(receipt.ply);
  if (!side) return Complain(truth.id, "refused a player with " + what);
  const bool open = truth.OpenEverSince(receipt.moment, receipt.ply, *side);
  if (error.Is(game::kStalePly) || error.Is(game::kNotYourTurn)) {
    if (open) Complain(truth.id, "wrongly refused: " + what);
  } else if (error.Is(game::kGameOver)) {
    if (!truth.over()) Complain(truth.id, "wrongly refused: " + what);
  } else if (error.Is(timecontrol::kTimeIsUp)) {
    if (!truth.clock.EverLate(receipt.ply, *side, receipt.at) &&
        !truth.clock.EverFell(receipt.ply)) {
      Complain(truth.id, "wrongly refused: " + what);
    }
  } else if (error.code() == Code::kInvalidArgument) {
    if (open && truth.IsLegal(receipt.move))
      Complain(truth.id, "a legal move was refused: " + what);
  } else {
    Complain(truth.id, "an unexpected refusal: " + what);
  }
}

bool Judge::CheckError(const GameTruth& truth, const Error& error) {
  if (error.code() == Code::kUnavailable || error.code() == Code::kDeadlineExceeded) return true;
  if (error.Is(game::kContention)) {
    ++tally_.contention;
    return true;
  }
  if (error.code() == Code::kInternal || error.code() == Code::kDataLoss ||
      error.code() == Code::kUnknown || error.code() == Code::kAlreadyExists) {
    Complain(truth.id, "an error that must not be: " + error.ToString());
    return true;
  }
  return false;
}

void Judge::AnsweredRead(const std::string& game_id, std::int64_t known,
                         const Result<game::StoredGame>& answer) {
  if (resting_) return;
  const GameTruth& truth = Find(game_id);
  if (!answer) {
    if (!CheckError(truth, answer.error()) && known > 0) {
      Complain(game_id, "a game could not be read: " + answer.error().ToString());
    }
    return;
  }
  const game::Game& game = *answer->game;
  if (game.sequence < known || game.sequence > truth.sequence()) {
    return Complain(game_id, "a read answered event " + std::to_string(game.sequence) +
                                 " although " + std::to_string(known) + " was known");
  }
  const Moment& moment = truth.moments[static_cast<std::size_t>(game.sequence)];
  if (moment.position != game.board.position || moment.ply != game.ply() ||
      moment.over != game.over()) {
    Complain(game_id, "a read shows another game");
  }
}

void Judge::AnsweredAction(const std::string& game_id, const std::string& player, Act act,
                           const Result<game::StoredGame>& answer) {
  if (resting_) return;
  const GameTruth& truth = Find(game_id);
  const Side side = *truth.SideOf(player);
  if (!answer) {
    if (CheckError(truth, answer.error())) return;
    if (answer.error().Is(game::kGameOver) && !truth.over()) {
      Complain(game_id, "told that the game is over, and it is not");
    }
    const bool declined_before = act == Act::kDeclineDraw && !truth.journal.empty() &&
                                 truth.journal.back().event().has_draw_declined();
    if (answer.error().Is(game::kNoDrawOffer) && declined_before) ++tally_.repeats_refused;
    return;
  }
  if (answer->game->sequence > truth.sequence()) {
    return Complain(game_id, "answered with a game that was never committed");
  }
  Ending expected = Ending::kUnspecified;
  if (act == Act::kResign) expected = Ending::kResignation;
  if (act == Act::kAbort) expected = Ending::kAborted;
  if (act == Act::kAcceptDraw) expected = Ending::kAgreedDraw;
  if (expected == Ending::kUnspecified) return;
  if (!truth.over() || game::ResultFromProto(*truth.result).ending != expected) {
    return Complain(game_id, "an end was acknowledged that did not come");
  }
  if (act == Act::kResign &&
      game::ResultFromProto(*truth.result).outcome != game::WinFor(Opponent(side))) {
    Complain(game_id, "a resignation was acknowledged that was the opponent's");
  }
}

void Judge::AnsweredTakeback(const std::string& game_id, const std::string& player, Act act,
                             const Result<game::TakebackOutcome>& answer) {
  if (resting_) return;
  const GameTruth& truth = Find(game_id);
  (void)player;
  if (!answer) {
    if (CheckError(truth, answer.error())) return;
    if (answer.error().Is(game::kGameOver) && !truth.over()) {
      Complain(game_id, "told that the game is over, and it is not");
    }
    const bool done_before = act == Act::kGrantTakeback && !truth.journal.empty() &&
                             truth.journal.back().event().has_taken_back();
    if (answer.error().Is(game::kNoTakebackRequest) && done_before) ++tally_.repeats_refused;
    return;
  }
  if (answer->granted && truth.takebacks == 0) {
    Complain(game_id, "a takeback was acknowledged that did not happen");
  }
}

void Judge::AnsweredGift(const std::string& game_id, const std::string& request_id,
                         const Result<timecontrol::Reading>& answer) {
  if (resting_) return;
  const GameTruth& truth = Find(game_id);
  if (!answer) {
    (void)CheckError(truth, answer.error());
    return;
  }
  const bool given =
      std::any_of(truth.journal.begin(), truth.journal.end(),
                  [&](const auto& stored) { return stored.request_id() == request_id; });
  if (!given) Complain(game_id, "a gift of time was acknowledged that was never committed");
}

}  // namespace komadai::simulation
