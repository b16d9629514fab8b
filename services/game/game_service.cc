#include "services/game/game_service.h"

#include <algorithm>
#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"
#include "libs/rpc/event_stream.h"
#include "libs/rpc/request_id.h"
#include "services/game/errors.h"
#include "services/game/new_game.h"
#include "services/game/watch/game_watcher.h"
#include "services/game/watch/player_watcher.h"

namespace komadai::game {
namespace {

constexpr std::size_t kMaxGameIdBytes = 64;
constexpr int kDefaultPage = 50;
constexpr int kMaxPage = 100;
constexpr Millis kMinGift{1000};
constexpr Millis kMaxGift{600000};

rpc::MethodTable::Rows Rows() {
  const rpc::MethodOptions act{.max_deadline = Millis(5000), .allow = rpc::kPersons};
  const rpc::MethodOptions read{.max_deadline = Millis(5000), .allow = rpc::kAnyone};
  return {
      {"CreateGame", {.max_deadline = Millis(5000), .allow = rpc::kAuthenticated}},
      {"GetGame", read},
      {"ListLiveGames", read},
      {"PlayMove", act},
      {"Resign", act},
      {"OfferDraw", act},
      {"AnswerDraw", act},
      {"DeclareImpasse", act},
      {"RequestTakeback", act},
      {"AnswerTakeback", act},
      {"AbortGame", act},
      {"AddTime", act},
      {"WatchGame", {.max_deadline = rpc::kNoDeadline, .allow = rpc::kAnyone}},
      {"WatchPlayerGames", {.max_deadline = rpc::kNoDeadline, .allow = rpc::kPersons}},
  };
}

Status CheckGameId(const std::string& game_id) {
  const bool plain = std::all_of(game_id.begin(), game_id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (!game_id.empty() && game_id.size() <= kMaxGameIdBytes && plain) return {};
  return Error(kGameNotFound, "no such game");
}

PlayerAction ActionOf(const rpc::Call& call, const std::string& game_id) {
  return {call, game_id, call.caller().id};
}

}  // namespace

GameService::GameService(rpc::BindContext& context, GameCommands& commands, MoveMaker& moves,
                         GameStore& store)
    : methods_(context.runtime, pb::GameService::service_full_name(), Rows()),
      commands_(commands),
      moves_(moves),
      store_(store),
      time_(context.time) {}

Task<Result<pb::CreateGameResponse>> GameService::DoCreateGame(
    rpc::Call call, const pb::CreateGameRequest& request) {
  Result<NewGame> wish = NewGameFromProto(call.caller(), request);
  if (!wish) co_return std::move(wish).error();
  Result<StoredGame> created = co_await commands_.Create(call, std::move(wish).value());
  if (!created) co_return std::move(created).error();
  pb::CreateGameResponse response;
  *response.mutable_game() = ToProto(*created->game);
  co_return response;
}

Task<Result<pb::GetGameResponse>> GameService::DoGetGame(rpc::Call call,
                                                         const pb::GetGameRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await commands_.Read(call, request.game_id());
  if (!stored) co_return std::move(stored).error();
  pb::GetGameResponse response;
  *response.mutable_game() = ToProto(*stored->game);
  co_return response;
}

Task<Result<pb::ListLiveGamesResponse>> GameService::DoListLiveGames(
    rpc::Call, const pb::ListLiveGamesRequest& request) {
  const int asked = request.page_size() == 0 ? kDefaultPage : request.page_size();
  if (asked < 0) {
    co_return rpc::InvalidField(kInvalidRequest, "page_size", "must not be negative");
  }
  pb::ListLiveGamesResponse response;
  if (!request.player_id().empty()) {
    Result<std::vector<std::string>> games = co_await store_.GamesOfPlayer(request.player_id());
    if (!games) co_return std::move(games).error();
    for (const std::string& game_id : *games) {
      Result<StoredGame> stored = co_await store_.Load(game_id);
      if (!stored || stored->game->over()) continue;
      const common_pb::Variant variant = convert::ToProto(stored->game->setup.variant);
      if (request.variant() != common_pb::VARIANT_UNSPECIFIED && request.variant() != variant) {
        continue;
      }
      *response.add_games() = SummaryOf(*stored->game);
    }
    co_return response;  // a player's games fit one page
  }
  std::optional<Variant> variant;
  if (request.variant() != common_pb::VARIANT_UNSPECIFIED) {
    Result<Variant> known = convert::VariantFromProto(request.variant());
    if (!known) co_return std::move(known).error();
    variant = *known;
  }
  Result<LivePage> page =
      co_await store_.ListLive(variant, std::min(asked, kMaxPage), request.page_token());
  if (!page) co_return std::move(page).error();
  for (pb::GameSummary& summary : page->games) *response.add_games() = std::move(summary);
  response.set_next_page_token(page->next_page_token);
  co_return response;
}

Task<Result<pb::PlayMoveResponse>> GameService::DoPlayMove(rpc::Call call,
                                                           const pb::PlayMoveRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  MoveCommand command;
  command.game_id = request.game_id();
  command.player_id = call.caller().id;
  command.expected_ply = request.expected_ply();
  command.move = request.move();
  Result<MoveOutcome> played = co_await moves_.Play(call, std::move(command));
  if (!played) co_return std::move(played).error();
  pb::PlayMoveResponse response;
  response.set_ply(played->ply);
  response.set_move(played->move);
  response.set_position(played->board.position);
  response.set_check(played->board.check);
  if (played->clock) *response.mutable_clock() = convert::ToProto(*played->clock);
  if (played->result) *response.mutable_result() = ToProto(*played->result);
  response.set_sequence(played->sequence);
  co_return response;
}

Task<Result<pb::ResignResponse>> GameService::DoResign(rpc::Call call,
                                                       const pb::ResignRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await commands_.Resign(ActionOf(call, request.game_id()));
  if (!stored) co_return std::move(stored).error();
  pb::ResignResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::OfferDrawResponse>> GameService::DoOfferDraw(rpc::Call call,
                                                             const pb::OfferDrawRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored =
      co_await commands_.OfferDraw(ActionOf(call, request.game_id()), request.expected_ply());
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, call.caller().id);
  if (!side) co_return std::move(side).error();
  pb::OfferDrawResponse response;
  const auto index = static_cast<std::size_t>(rules::Index(*side));
  response.set_offers_left(kMaxDrawOffers - stored->game->draw_offers[index]);
  co_return response;
}

Task<Result<pb::AnswerDrawResponse>> GameService::DoAnswerDraw(
    rpc::Call call, const pb::AnswerDrawRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored =
      co_await commands_.AnswerDraw(ActionOf(call, request.game_id()), request.accept());
  if (!stored) co_return std::move(stored).error();
  pb::AnswerDrawResponse response;
  if (stored->game->result) *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::DeclareImpasseResponse>> GameService::DoDeclareImpasse(
    rpc::Call call, const pb::DeclareImpasseRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<ImpasseOutcome> outcome = co_await commands_.DeclareImpasse(
      ActionOf(call, request.game_id()), request.expected_ply(), request.confirm());
  if (!outcome) co_return std::move(outcome).error();
  pb::DeclareImpasseResponse response;
  *response.mutable_report() = ToProto(outcome->report);
  if (outcome->result) *response.mutable_result() = ToProto(*outcome->result);
  co_return response;
}

Task<Result<pb::RequestTakebackResponse>> GameService::DoRequestTakeback(
    rpc::Call call, const pb::RequestTakebackRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<TakebackOutcome> outcome =
      co_await commands_.RequestTakeback(ActionOf(call, request.game_id()), request.expected_ply());
  if (!outcome) co_return std::move(outcome).error();
  pb::RequestTakebackResponse response;
  response.set_granted(outcome->granted);
  response.set_ply(outcome->ply);
  co_return response;
}

Task<Result<pb::AnswerTakebackResponse>> GameService::DoAnswerTakeback(
    rpc::Call call, const pb::AnswerTakebackRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<TakebackOutcome> outcome =
      co_await commands_.AnswerTakeback(ActionOf(call, request.game_id()), request.accept());
  if (!outcome) co_return std::move(outcome).error();
  pb::AnswerTakebackResponse response;
  response.set_ply(outcome->ply);
  co_return response;
}

Task<Result<pb::AbortGameResponse>> GameService::DoAbortGame(rpc::Call call,
                                                             const pb::AbortGameRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await commands_.Abort(ActionOf(call, request.game_id()));
  if (!stored) co_return std::move(stored).error();
  pb::AbortGameResponse response;
  *response.mutable_result() = ToProto(*stored->game->result);
  co_return response;
}

Task<Result<pb::AddTimeResponse>> GameService::DoAddTime(rpc::Call call,
                                                         const pb::AddTimeRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) co_return std::move(id).error();
  const Millis add(request.add_ms());
  if (add < kMinGift || add > kMaxGift) {
    co_return rpc::InvalidField(kInvalidRequest, "add_ms", "must be between 1000 and 600000");
  }
  Result<timecontrol::Reading> reading =
      co_await commands_.AddTime(ActionOf(call, request.game_id()), request.request_id(), add);
  if (!reading) co_return std::move(reading).error();
  pb::AddTimeResponse response;
  *response.mutable_clock() = convert::ToProto(*reading);
  co_return response;
}

Task<Result<rpc::AfterSetup>> GameService::DoWatchGame(
    rpc::Call call, pb::WatchGameRequest request,
    std::shared_ptr<rpc::EventStream<pb::WatchGameResponse>> stream) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await commands_.Read(call, request.game_id());
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  std::int64_t from = request.after_sequence();
  if (from <= 0 || from > game.sequence) {
    pb::WatchGameResponse snapshot;
    *snapshot.mutable_snapshot() = ToProto(game);
    stream->Publish(std::move(snapshot));
    from = game.sequence;
  }
  if (game.over() && from == game.sequence) co_return rpc::AfterSetup::kComplete;
  game_streams_.Add(stream);
  using Sink = StreamSink<pb::WatchGameResponse, rpc::EventStream<pb::WatchGameResponse>>;
  auto sink = std::make_shared<Sink>(std::move(stream));
  std::make_shared<GameWatcher>(store_, game.id, std::move(sink))->Follow(from);
  co_return rpc::AfterSetup::kStayOpen;
}

Task<Result<rpc::AfterSetup>> GameService::DoWatchPlayerGames(
    rpc::Call call, pb::WatchPlayerGamesRequest,
    std::shared_ptr<rpc::EventStream<pb::WatchPlayerGamesResponse>> stream) {
  player_streams_.Add(stream);
  std::make_shared<PlayerWatcher>(store_, call.caller().id, stream)->Follow();
  co_return rpc::AfterSetup::kStayOpen;
}

void GameService::Beat() {
  const std::int64_t now = ToUnixMillis(time_.Now());
  pb::WatchGameResponse game_beat;
  game_beat.mutable_heartbeat()->set_at_ms(now);
  game_streams_.Beat(game_beat);
  pb::WatchPlayerGamesResponse player_beat;
  player_beat.set_at_ms(now);
  player_streams_.Beat(player_beat);
}

}  // namespace komadai::game
