#include "services/game/game_service.h"

#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/request_id.h"
#include "services/game/convert_requests.h"
#include "services/game/errors.h"
#include "services/game/watch/game_watcher.h"
#include "services/game/watch/player_watcher.h"

namespace komadai::game {
namespace {

constexpr int kDefaultPage = 50;

}  // namespace

GameService::GameService(rpc::BindContext& context, GameApp& app, Presence& presence)
    : Service(context.runtime, "komadai.game.v1.GameService"),
      app_(app),
      presence_(presence),
      time_(context.time) {
  const rpc::MethodOptions act{.max_deadline = Millis(5000), .allow = rpc::kPersons};
  const rpc::MethodOptions read{.max_deadline = Millis(5000), .allow = rpc::kAnyone};
  Unary(&GameService::CreateGame,
        {.max_deadline = Millis(5000), .allow = rpc::kAuthenticated, .cost = 20});
  Unary(&GameService::GetGame, read);
  Unary(&GameService::ListLiveGames,
        {.max_deadline = Millis(5000), .allow = rpc::kAnyone, .cost = 10});
  Unary(&GameService::CountLiveGames, read);
  Unary(&GameService::PlayMove, act);
  Unary(&GameService::Resign, act);
  Unary(&GameService::OfferDraw, act);
  Unary(&GameService::AnswerDraw, act);
  Unary(&GameService::DeclareImpasse, act);
  Unary(&GameService::RequestTakeback, act);
  Unary(&GameService::AnswerTakeback, act);
  Unary(&GameService::AbortGame, act);
  Unary(&GameService::AddTime, act);
  Unary(&GameService::OfferPause, act);
  Unary(&GameService::AnswerPause, act);
  Unary(&GameService::ResumeGame, act);
  Unary(&GameService::ClaimVictory, act);
  Unary(&GameService::ClaimDraw, act);
  Unary(&GameService::GetPresence, read);
  Stream(&GameService::WatchGame, {.max_deadline = rpc::kNoDeadline, .allow = rpc::kAnyone});
  Stream(&GameService::WatchPlayerGames,
         {.max_deadline = rpc::kNoDeadline, .allow = rpc::kPersons});
}

Task<Result<pb::CreateGameResponse>> GameService::CreateGame(rpc::Call call,
                                                             const pb::CreateGameRequest& request) {
  Result<NewGame> wish = NewGameFromProto(call.caller(), request);
  if (!wish) co_return std::move(wish).error();
  Result<StoredGame> created = co_await app_.creation.Create(call, std::move(wish).value());
  if (!created) co_return std::move(created).error();
  pb::CreateGameResponse response;
  *response.mutable_game() = ToProto(*created->game);
  co_return response;
}

Task<Result<pb::GetGameResponse>> GameService::GetGame(rpc::Call call,
                                                       const pb::GetGameRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.reader.Read(call, request.game_id());
  if (!stored) co_return std::move(stored).error();
  pb::GetGameResponse response;
  *response.mutable_game() = ToProto(*stored->game);
  co_return response;
}

Task<Result<pb::ListLiveGamesResponse>> GameService::ListLiveGames(
    rpc::Call, const pb::ListLiveGamesRequest& request) {
  const int asked = request.page_size() == 0 ? kDefaultPage : request.page_size();
  if (asked < 0) {
    co_return rpc::InvalidField(kInvalidRequest, "page_size", "must not be negative");
  }
  std::optional<Variant> variant;
  if (request.variant() != common_pb::VARIANT_UNSPECIFIED) {
    Result<Variant> known = convert::VariantFromProto(request.variant());
    if (!known) co_return std::move(known).error();
    variant = *known;
  }
  auto listing = request.player_id().empty()
                     ? app_.reader.ListLive(variant, asked, request.page_token())
                     : app_.reader.ListOfPlayer(request.player_id(), variant);
  Result<LivePage> page = co_await std::move(listing);
  if (!page) co_return std::move(page).error();
  pb::ListLiveGamesResponse response;
  for (pb::GameSummary& summary : page->games) *response.add_games() = std::move(summary);
  response.set_next_page_token(page->next_page_token);
  co_return response;
}

Task<Result<pb::PlayMoveResponse>> GameService::PlayMove(rpc::Call call,
                                                         const pb::PlayMoveRequest& request) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  MoveCommand command;
  command.game_id = request.game_id();
  command.player_id = call.caller().id;
  command.expected_ply = request.expected_ply();
  command.move = request.move();
  if (request.has_thinking_ms()) command.thinking = Millis(request.thinking_ms());
  Result<MoveOutcome> played = co_await app_.moves.Play(call, std::move(command));
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

Task<Result<rpc::AfterSetup>> GameService::WatchGame(
    rpc::Call call, pb::WatchGameRequest request,
    std::shared_ptr<rpc::EventStream<pb::WatchGameResponse>> stream) {
  if (Status id = CheckGameId(request.game_id()); !id) co_return std::move(id).error();
  Result<StoredGame> stored = co_await app_.reader.Read(call, request.game_id());
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  using Sink = StreamSink<pb::WatchGameResponse, rpc::EventStream<pb::WatchGameResponse>>;
  std::shared_ptr<void> here;
  const bool plays = !game.over() && SideOf(game, call.caller().id);
  if (plays) here = presence_.Enter(call.caller().id);
  auto sink = std::make_shared<Sink>(stream, std::move(here));
  auto watcher = std::make_shared<GameWatcher>(app_.store, game.id, std::move(sink), &publisher_);
  // After the snapshot: a heartbeat is never the first message.
  if (watcher->Watch(game, request.after_sequence())) game_streams_.Add(stream);
  co_return rpc::AfterSetup::kStayOpen;
}

Task<Result<rpc::AfterSetup>> GameService::WatchPlayerGames(
    rpc::Call call, pb::WatchPlayerGamesRequest,
    std::shared_ptr<rpc::EventStream<pb::WatchPlayerGamesResponse>> stream) {
  player_streams_.Add(stream);
  const std::string& player_id = call.caller().id;
  std::make_shared<PlayerWatcher>(app_.store, player_id, stream, presence_.Enter(player_id))
      ->Follow();
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
