#include "tests/chaos/player.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "libs/notation/plain_move.h"
#include "tests/play/choose_move.h"

namespace komadai::chaos {
namespace {

using Game = game_pb::GameService::StubInterface;

constexpr Millis kShortestThought{20};
constexpr Millis kLongestThought{220};
constexpr Millis kPollPause{500};
constexpr int kMaxOffers = 3;

std::optional<common_pb::GameResult> ResultIn(bool has, const common_pb::GameResult& result) {
  return has ? std::optional(result) : std::nullopt;
}

}  // namespace

Player::Player(World& world, const GamePlan& plan, std::string game_id, Side side, Table& table,
               Ledger& ledger)
    : world_(world),
      plan_(plan),
      game_id_(std::move(game_id)),
      side_(side),
      authorization_(world.people[plan.players[side == Side::kFirst ? 0 : 1]].authorization),
      table_(table),
      ledger_(ledger),
      whims_(plan, side) {}

void Player::Run() {
  for (;;) {
    switch (table_.Await(side_)) {
      case Table::Cue::kOver:
        return;
      case Table::Cue::kGiveUp:
        return Resign();
      case Table::Cue::kAnswerOffer:
        AnswerOffer();
        break;
      case Table::Cue::kMove:
        if (TakeTurn() == Outcome::kLeaves) return;
    }
  }
}

bool Player::FinishesBy(Style style, int ply) const {
  return plan_.style == style && plan_.finisher == side_ && ply >= plan_.finish_ply;
}

Player::Outcome Player::TakeTurn() {
  const Table::View view = table_.Look();
  Think(view);
  if (FinishesBy(Style::kLetFlagFall, view.ply)) {
    AwaitEnd();
    return Outcome::kLeaves;
  }
  const bool resigns = FinishesBy(Style::kResign, view.ply) && whims_.OneIn(2);
  if (resigns || view.ply >= plan_.max_plies) {
    Resign();
    return Outcome::kLeaves;
  }
  if (FinishesBy(Style::kAgreeDraw, view.ply) && whims_.OneIn(2)) OfferDraw(view.ply);
  if (Move(view) == Outcome::kLeaves) return Outcome::kLeaves;
  return Afterthoughts(view.ply + 1);
}

void Player::Think(const Table::View& view) {
  Millis thought = whims_.Between(kShortestThought, kLongestThought);
  if (plan_.style == Style::kBrink && view.deadline != TimePoint()) {
    // Around the last instant: most in time, some too late.
    const Millis left = view.deadline - SystemTimeSource().Now();
    thought = std::max(Millis(0), left - whims_.Between(Millis(-10), Millis(90)));
  }
  std::this_thread::sleep_for(thought);
}

Player::Outcome Player::Move(const Table::View& view) {
  const bool mates = plan_.style == Style::kPlayOut;
  const rules::Move move = play::ChooseMove(view.position, mates, whims_.random());
  PlayerCall sent;
  sent.kind = PlayerCall::Kind::kMove;
  sent.by = side_;
  sent.ply = view.ply;
  sent.move = notation::FormatPlainMove(plan_.variant, move);
  const std::size_t call = ledger_.Begin(std::move(sent));
  own_moves_.push_back(call);

  std::thread twin;  // the same move at the same time
  if (whims_.OneIn(10)) twin = std::thread([&] { SendAgain(call); });
  TimePoint deadline;
  const Result<Answer> answer = SendMove(call, &deadline);
  if (twin.joinable()) twin.join();
  if (!answer) {
    const std::string& reason = answer.error().reason();
    const bool ended = reason == "GAME_OVER" || reason == "TIME_IS_UP";
    if (ended) AwaitEnd();
    if (!ended) Resign();  // the audit will say what is wrong; the game comes to an end
    return Outcome::kLeaves;
  }
  const bool over = answer->result.has_value();
  table_.Played(view.ply, answer->move, deadline);
  if (over) table_.Ended();
  if (whims_.OneIn(12)) SendAgain(call);
  return over ? Outcome::kLeaves : Outcome::kGoesOn;
}

Player::Outcome Player::Afterthoughts(int ply) {
  if (whims_.OneIn(25)) SendAgain(own_moves_[whims_.random().Below(own_moves_.size())]);
  if (FinishesBy(Style::kAgreeDraw, ply) && whims_.OneIn(2)) OfferDraw(ply);
  if (FinishesBy(Style::kResign, ply) && whims_.OneIn(2)) {
    Resign();
    return Outcome::kLeaves;
  }
  return Outcome::kGoesOn;
}

template <typename Request, typename Response>
Result<Response> Player::Call(
    play::Replicas<game::v1::GameService>::Method<Request, Response> method, const Request& request,
    std::size_t call, int* attempts) {
  play::Attempts all(world_.patience, world_.abandoned, world_.errors, whims_.random());
  Result<Response> response = world_.game.Call(method, request, authorization_, all);
  *attempts = all.count();
  if (!response) Failed(call, response.error(), all.count());
  return response;
}

void Player::Failed(std::size_t call, const Error& error, int attempts) {
  if (play::IsTransient(error)) {
    ledger_.Unanswered(call, attempts);
  } else {
    ledger_.Refused(call, error.reason(), attempts);
  }
}

Result<Answer> Player::SendMove(std::size_t call, TimePoint* deadline) {
  const PlayerCall move = ledger_.At(call);
  game_pb::PlayMoveRequest request;
  request.set_game_id(game_id_);
  request.set_expected_ply(move.ply);
  request.set_move(move.move);
  int attempts = 0;
  const Result<game_pb::PlayMoveResponse> played = Call(&Game::PlayMove, request, call, &attempts);
  if (!played) return played.error();
  Answer answer;
  answer.ply = played->ply();
  answer.move = played->move();
  answer.position = played->position();
  answer.sequence = played->sequence();
  answer.result = ResultIn(played->has_result(), played->result());
  ledger_.Answered(call, answer, attempts);
  if (deadline != nullptr) *deadline = FromUnixMillis(played->clock().deadline_ms());
  return answer;
}

void Player::SendAgain(std::size_t call) { (void)SendMove(call, nullptr); }

void Player::Resign() {
  PlayerCall sent;
  sent.kind = PlayerCall::Kind::kResign;
  sent.by = side_;
  sent.ply = table_.Look().ply;
  const std::size_t call = ledger_.Begin(std::move(sent));
  game_pb::ResignRequest request;
  request.set_game_id(game_id_);
  for (int repeat = whims_.OneIn(4) ? 1 : 0; repeat >= 0; --repeat) {
    int attempts = 0;
    const Result<game_pb::ResignResponse> resigned = Call(&Game::Resign, request, call, &attempts);
    if (!resigned) continue;
    Answer answer;
    answer.result = ResultIn(resigned->has_result(), resigned->result());
    ledger_.Answered(call, std::move(answer), attempts);
  }
  AwaitEnd();
}

void Player::OfferDraw(int ply) {
  if (offers_ >= kMaxOffers) return Resign();
  ++offers_;
  PlayerCall sent;
  sent.kind = PlayerCall::Kind::kOfferDraw;
  sent.by = side_;
  sent.ply = ply;
  const std::size_t call = ledger_.Begin(std::move(sent));
  game_pb::OfferDrawRequest request;
  request.set_game_id(game_id_);
  request.set_expected_ply(ply);
  int attempts = 0;
  const Result<game_pb::OfferDrawResponse> offered =
      Call(&Game::OfferDraw, request, call, &attempts);
  if (!offered) return;
  ledger_.Answered(call, Answer(), attempts);
  table_.DrawOffered(side_, ply);
}

void Player::AnswerOffer() {
  PlayerCall sent;
  sent.kind = PlayerCall::Kind::kAnswerDraw;
  sent.by = side_;
  sent.ply = table_.Look().ply;
  sent.accepts = !whims_.OneIn(3);
  const bool accepts = sent.accepts;
  const std::size_t call = ledger_.Begin(std::move(sent));
  game_pb::AnswerDrawRequest request;
  request.set_game_id(game_id_);
  request.set_accept(accepts);
  int attempts = 0;
  const Result<game_pb::AnswerDrawResponse> answered =
      Call(&Game::AnswerDraw, request, call, &attempts);
  table_.DrawAnswered();
  if (!answered) {
    if (answered.error().reason() == "GAME_OVER") AwaitEnd();
    return;
  }
  Answer answer;
  answer.result = ResultIn(answered->has_result(), answered->result());
  ledger_.Answered(call, std::move(answer), attempts);
  if (answered->has_result()) table_.Ended();
}

bool Player::ServerSaysOver() {
  game_pb::GetGameRequest request;
  request.set_game_id(game_id_);
  grpc::ClientContext context;
  play::Prepare(context, "", world_.patience.timeout);
  game_pb::GetGameResponse response;
  const grpc::Status status =
      world_.game.at(whims_.random().Below(16)).GetGame(&context, request, &response);
  return status.ok() && response.game().phase() == game_pb::GAME_PHASE_ENDED;
}

void Player::AwaitEnd() {
  // The watcher or the opponent tells the table; asking is for when they hear nothing.
  while (!table_.AwaitEnd(kPollPause)) {
    if (ServerSaysOver() || world_.abandoned) table_.Ended();
  }
}

}  // namespace komadai::chaos
