// GameService: what players do beside playing moves.
#include <utility>

#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/request_id.h"
#include "services/game/convert_requests.h"
#include "services/game/errors.h"
#include "services/game/game_service.h"

namespace komadai::game {
namespace {

constexpr Millis kMinGift{1000};
constexpr Millis kMaxGift{600000};

// How many offers `side` had made with the one at `ply`, so that a repeat answers as the first did.
int OffersUsed(const Offers& offers, Side side, int ply) {
  const int number = offers.NumberAt(side, ply);
  return number > 0 ? number : offers.count(side);
}

}  // namespace

Task<Result<pb::ResignResponse>> GameService::Resign(rpc::Call call,
                                                     const pb::ResignRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.endings.Resign(ActionOf(call, request.game_id()));
  if (!stored) co_return std::move(stored).error();
  pb::ResignResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::OfferDrawResponse>> GameService::OfferDraw(rpc::Call call,
                                                           const pb::OfferDrawRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored =
      co_await app_.draws.Offer(ActionOf(call, request.game_id()), request.expected_ply());
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, call.caller().id);
  if (!side) co_return std::move(side).error();
  pb::OfferDrawResponse response;
  response.set_offers_left(kMaxDrawOffers -
                           OffersUsed(stored->game->draws, *side, request.expected_ply()));
  co_return response;
}

Task<Result<pb::AnswerDrawResponse>> GameService::AnswerDraw(rpc::Call call,
                                                             const pb::AnswerDrawRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.draws.Answer(
      ActionOf(call, request.game_id()), request.accept(), request.offer_sequence());
  if (!stored) co_return std::move(stored).error();
  pb::AnswerDrawResponse response;
  // A decline may be repeated after the game has ended in another way.
  if (request.accept()) *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::DeclareImpasseResponse>> GameService::DeclareImpasse(
    rpc::Call call, const pb::DeclareImpasseRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<ImpasseOutcome> outcome = co_await app_.impasse.Declare(
      ActionOf(call, request.game_id()), request.expected_ply(), request.confirm());
  if (!outcome) co_return std::move(outcome).error();
  pb::DeclareImpasseResponse response;
  *response.mutable_report() = ToProto(outcome->report);
  if (outcome->result) *response.mutable_result() = ToProto(*outcome->result);
  response.set_proposed(outcome->proposed);
  co_return response;
}

Task<Result<pb::RequestTakebackResponse>> GameService::RequestTakeback(
    rpc::Call call, const pb::RequestTakebackRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<TakebackOutcome> outcome =
      co_await app_.takebacks.Request(ActionOf(call, request.game_id()), request.expected_ply());
  if (!outcome) co_return std::move(outcome).error();
  pb::RequestTakebackResponse response;
  response.set_granted(outcome->granted);
  response.set_ply(outcome->ply);
  co_return response;
}

Task<Result<pb::AnswerTakebackResponse>> GameService::AnswerTakeback(
    rpc::Call call, const pb::AnswerTakebackRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<TakebackOutcome> outcome = co_await app_.takebacks.Answer(
      ActionOf(call, request.game_id()), request.accept(), request.request_sequence());
  if (!outcome) co_return std::move(outcome).error();
  pb::AnswerTakebackResponse response;
  response.set_ply(outcome->ply);
  co_return response;
}

Task<Result<pb::AbortGameResponse>> GameService::AbortGame(rpc::Call call,
                                                           const pb::AbortGameRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.endings.Abort(ActionOf(call, request.game_id()));
  if (!stored) co_return std::move(stored).error();
  pb::AbortGameResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::AddTimeResponse>> GameService::AddTime(rpc::Call call,
                                                       const pb::AddTimeRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) co_return std::move(id).error();
  const Millis add(request.add_ms());
  if (add < kMinGift || add > kMaxGift) {
    co_return rpc::InvalidField(kInvalidRequest, "add_ms", "must be between 1000 and 600000");
  }
  Result<timecontrol::Reading> reading =
      co_await app_.time_gifts.Add(ActionOf(call, request.game_id()), request.request_id(), add);
  if (!reading) co_return std::move(reading).error();
  pb::AddTimeResponse response;
  *response.mutable_clock() = convert::ToProto(*reading);
  co_return response;
}

Task<Result<pb::OfferPauseResponse>> GameService::OfferPause(rpc::Call call,
                                                             const pb::OfferPauseRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  const Millis length(request.pause_ms());
  if (length < kMinPause || length > kMaxPause) {
    co_return rpc::InvalidField(kInvalidRequest, "pause_ms", "must be between 60000 and 604800000");
  }
  Result<StoredGame> stored =
      co_await app_.pauses.Offer(ActionOf(call, request.game_id()), request.expected_ply(), length);
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  Result<Side> side = SideOf(game, call.caller().id);
  if (!side) co_return std::move(side).error();
  pb::OfferPauseResponse response;
  response.set_offers_left(kMaxPauseOffers -
                           OffersUsed(game.pauses, *side, request.expected_ply()));
  if (game.paused()) *response.mutable_pause() = ToProto(*game.pause);
  co_return response;
}

Task<Result<pb::AnswerPauseResponse>> GameService::AnswerPause(
    rpc::Call call, const pb::AnswerPauseRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.pauses.Answer(
      ActionOf(call, request.game_id()), request.accept(), request.offer_sequence());
  if (!stored) co_return std::move(stored).error();
  pb::AnswerPauseResponse response;
  if (stored->game->paused()) *response.mutable_pause() = ToProto(*stored->game->pause);
  co_return response;
}

Task<Result<pb::ResumeGameResponse>> GameService::ResumeGame(rpc::Call call,
                                                             const pb::ResumeGameRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored =
      co_await app_.pauses.Resume(ActionOf(call, request.game_id()), request.expected_ply());
  if (!stored) co_return std::move(stored).error();
  pb::ResumeGameResponse response;
  if (stored->game->paused()) *response.mutable_pause() = ToProto(*stored->game->pause);
  co_return response;
}

Task<Result<pb::ClaimVictoryResponse>> GameService::ClaimVictory(
    rpc::Call call, const pb::ClaimVictoryRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.claims.Claim(ActionOf(call, request.game_id()),
                                                         request.expected_ply(), Claimed::kVictory);
  if (!stored) co_return std::move(stored).error();
  pb::ClaimVictoryResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::ClaimDrawResponse>> GameService::ClaimDraw(rpc::Call call,
                                                           const pb::ClaimDrawRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.claims.Claim(ActionOf(call, request.game_id()),
                                                         request.expected_ply(), Claimed::kDraw);
  if (!stored) co_return std::move(stored).error();
  pb::ClaimDrawResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::GetPresenceResponse>> GameService::GetPresence(
    rpc::Call call, const pb::GetPresenceRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<PresenceReport> report = co_await app_.claims.PresenceIn(call, request.game_id());
  if (!report) co_return std::move(report).error();
  pb::GetPresenceResponse response;
  response.set_first_present(report->present[0]);
  response.set_second_present(report->present[1]);
  if (report->claim_at) response.set_claim_at_ms(ToUnixMillis(*report->claim_at));
  co_return response;
}

Task<Result<pb::CountLiveGamesResponse>> GameService::CountLiveGames(
    rpc::Call call, const pb::CountLiveGamesRequest&) {
  pb::CountLiveGamesResponse response;
  for (const Variant variant : rules::kVariants) {
    Result<std::int64_t> games = co_await app_.reader.CountLive(variant, call.received_at());
    if (!games) co_return std::move(games).error();
    pb::VariantCount& count = *response.add_counts();
    count.set_variant(convert::ToProto(variant));
    count.set_games(*games);
  }
  co_return response;
}

}  // namespace komadai::game
