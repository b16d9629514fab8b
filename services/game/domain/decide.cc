#include "services/game/domain/decide.h"

#include <algorithm>

#include "services/game/errors.h"

namespace komadai::game {

Error GameIsOver(const Game& game) {
  return Error{kGameOver, "the game is over", {{"game", game.id}}};
}

Error PlyIsStale(const Game& game, int expected_ply) {
  return Error{
      kStalePly,
      "the game is at ply " + std::to_string(game.ply()) + ", not " + std::to_string(expected_ply),
      {{"game", game.id},
       {"ply", std::to_string(game.ply())},
       {"expected_ply", std::to_string(expected_ply)}}};
}

Error GameIsPaused(const Game& game) {
  return Error{kGamePaused,
               "the game is paused",
               {{"game", game.id}, {"until_ms", std::to_string(ToUnixMillis(game.pause->until))}}};
}

Status CheckLive(const Game& game) {
  if (game.over()) return GameIsOver(game);
  if (game.ply() >= kMaxPlies || game.sequence >= kMaxEvents) {
    return Error{
        kGameTooLong, "the game has become too long and is being drawn", {{"game", game.id}}};
  }
  return {};
}

Status CheckLiveAt(const Game& game, int expected_ply) {
  if (Status live = CheckLive(game); !live) return live;
  if (expected_ply != game.ply()) return PlyIsStale(game, expected_ply);
  return {};
}

Status CheckRunningAt(const Game& game, int expected_ply) {
  if (Status live = CheckLiveAt(game, expected_ply); !live) return live;
  if (game.paused()) return GameIsPaused(game);
  return {};
}

Ended EndOf(const Game& game, Outcome outcome, Ending ending) {
  return {{outcome, ending, game.ply()}, std::nullopt, ""};
}

Ended AbortedBy(const Game& game, Side side) {
  Ended ended = EndOf(game, Outcome::kNoResult, Ending::kAborted);
  ended.aborted_by = side;
  return ended;
}

Result<Side> SideOf(const Game& game, std::string_view player_id) {
  if (!player_id.empty()) {
    if (game.player(Side::kFirst).id == player_id) return Side::kFirst;
    if (game.player(Side::kSecond).id == player_id) return Side::kSecond;
  }
  return Error{kNotAPlayer, "the caller does not play in this game", {{"game", game.id}}};
}

Result<MoveDecision> DecideMove(const Game& game, Side side, int expected_ply,
                                std::string_view move) {
  if (expected_ply >= 0 && expected_ply < game.ply()) {
    const bool same = game.moves[static_cast<std::size_t>(expected_ply)].move == move &&
                      game.MoverOf(expected_ply) == side;
    if (same) return MoveDecision::kRepeat;
  }
  const bool lost_by_it = game.over() && game.result->ending == Ending::kIllegalMove &&
                          expected_ply == game.ply() && game.board.to_move == side &&
                          game.illegal_move == move;
  if (lost_by_it) return MoveDecision::kRepeatIllegal;
  if (Status running = CheckRunningAt(game, expected_ply); !running) {
    return std::move(running).error();
  }
  if (game.board.to_move != side) {
    return Error{kNotYourTurn,
                 std::string("it is the ") + SideName(game.board.to_move) + " side's turn",
                 {{"game", game.id}, {"side_to_move", SideName(game.board.to_move)}}};
  }
  return MoveDecision::kPlay;
}

Status CheckNotUndone(const Game& game, TimePoint received_at) {
  if (!game.last_takeback || received_at >= game.last_takeback->at) return {};
  return Error{kStalePly,
               "moves have been taken back since this one was made",
               {{"game", game.id}, {"ply", std::to_string(game.ply())}}};
}

Result<Events> DecideResign(const Game& game, Side side) {
  const Outcome outcome = WinFor(rules::Opponent(side));
  if (game.over()) {
    const bool same =
        game.result->ending == Ending::kResignation && game.result->outcome == outcome;
    if (same) return Events{};
    return GameIsOver(game);
  }
  return Events{EndOf(game, outcome, Ending::kResignation)};
}

Result<Events> DecideOfferDraw(const Game& game, Side side, int expected_ply) {
  if (game.draws.NumberAt(side, expected_ply) > 0) return Events{};
  if (Status live = CheckLiveAt(game, expected_ply); !live) return std::move(live).error();
  if (game.draws.open_by() == side) return Events{};
  if (game.draws.open_by()) {
    return Error{kDrawAlreadyOffered,
                 "the opponent has offered a draw: answer that offer",
                 {{"game", game.id}}};
  }
  if (game.draws.count(side) >= kMaxDrawOffers) {
    return Error{
        kTooManyDrawOffers,
        "a player may offer a draw at most " + std::to_string(kMaxDrawOffers) + " times in a game",
        {{"game", game.id}, {"limit", std::to_string(kMaxDrawOffers)}}};
  }
  return Events{DrawOffered{side}};
}

Result<Events> DecideAnswerDraw(const Game& game, Side side, bool accept, std::int64_t offer) {
  if (game.draws.CanAnswer(side, offer)) {
    if (!accept) return Events{DrawDeclined{side}};
    return Events{EndOf(game, Outcome::kDraw, Ending::kAgreedDraw)};
  }
  if (game.draws.FindRepeat(side, offer, accept, game.ply()) != nullptr) return Events{};
  if (game.over()) return GameIsOver(game);
  return Error{kNoDrawOffer, "the opponent has not offered a draw", {{"game", game.id}}};
}

Result<Events> DecideAbort(const Game& game, Side side) {
  if (game.over()) {
    if (game.result->ending == Ending::kAborted) return Events{};
    return GameIsOver(game);
  }
  if (game.ply() >= 2 || !game.replay_of.empty()) {
    return Error{kTooLateToAbort,
                 game.ply() >= 2 ? "both sides have moved: resign or offer a draw instead"
                                 : "this game goes on where a drawn one ended",
                 {{"game", game.id}}};
  }
  return Events{AbortedBy(game, side)};
}

bool IsRepeatedDeclaration(const Game& game, Side side, int expected_ply) {
  if (!game.over() || game.result->ending != Ending::kImpasse ||
      game.result->plies != expected_ply) {
    return false;
  }
  // Only the side to move declares; a count by agreement is both players' call.
  const bool agreed = game.setup.ruleset.impasse == rules::ImpasseRule::kPoints24ByAgreement;
  return agreed || game.board.to_move == side;
}

Result<Events> DecideAgreedImpasse(const Game& game, Side side, int expected_ply,
                                   const GameResult& result) {
  if (Status running = CheckRunningAt(game, expected_ply); !running) {
    return std::move(running).error();
  }
  if (game.impasse_proposed_by == side) return Events{};
  const bool agreed = game.impasse_proposed_by || game.IsComputer(rules::Opponent(side));
  if (!agreed) return Events{ImpasseProposed{side}};
  return Events{EndOf(game, result.outcome, result.ending)};
}

Result<const TimeGift*> DecideAddTime(const Game& game, Side side, std::string_view request_id,
                                      Millis add) {
  const auto& gifts = game.time_gifts;
  const auto given = std::find_if(gifts.begin(), gifts.end(), [&](const TimeGift& gift) {
    return gift.request_id == request_id && gift.to == rules::Opponent(side);
  });
  if (given != gifts.end()) {
    if (given->add == add) return &*given;
    return Error{kRequestIdReused, "this request id has given another amount of time"};
  }
  if (Status live = CheckLive(game); !live) return std::move(live).error();
  if (game.paused()) return GameIsPaused(game);
  if (game.rated || !game.time_control || gifts.size() >= kMaxTimeGifts) {
    return Error{kTimeGiftNotAllowed,
                 "time is given only in casual games with a clock, at most " +
                     std::to_string(kMaxTimeGifts) + " times",
                 {{"game", game.id}}};
  }
  return nullptr;
}

}  // namespace komadai::game
