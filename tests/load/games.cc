#include "tests/load/games.h"

#include <chrono>
#include <utility>

#include "libs/base/sync_wait.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"
#include "tests/play/choose_move.h"

namespace komadai::load {
namespace {

namespace common_pb = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;
namespace match_pb = ::komadai::matchmaking::v1;
using GameApi = game_pb::GameService::StubInterface::async_interface;
using MatchApi = match_pb::MatchmakingService::StubInterface::async_interface;

constexpr Millis kTimeout{10000};

// One asynchronous call.
template <typename Response, typename Api, typename Request>
Task<Result<Response>> Call(Api* api,
                            void (Api::*method)(grpc::ClientContext*, const Request*, Response*,
                                                std::function<void(grpc::Status)>),
                            Request request, std::string authorization) {
  grpc::ClientContext context;
  play::Prepare(context, authorization, kTimeout);
  Response response;
  const grpc::Status status = co_await FromCallback<grpc::Status>(
      [&](auto done) { (api->*method)(&context, &request, &response, std::move(done)); });
  if (!status.ok()) co_return rpc::FromGrpcStatus(status);
  co_return std::move(response);
}

}  // namespace

Games::Games(const cli::Targets& targets, std::vector<play::Person> people, Settings settings,
             play::ErrorCounts& errors, Watchers& watchers)
    : settings_(settings),
      game_(game_pb::GameService::NewStub(targets.To("game"))),
      matchmaking_(match_pb::MatchmakingService::NewStub(targets.To("matchmaking"))),
      people_(std::move(people)),
      errors_(errors),
      watchers_(watchers),
      run_(cli::NewRequestId()) {
  for (std::size_t i = 0; i + 1 < people_.size(); i += 2) {
    auto table = std::make_unique<Table>();
    table->players[0] = &people_[i];
    table->players[1] = &people_[i + 1];
    tables_.push_back(std::move(table));
  }
}

Status Games::Open() {
  for (const auto& table : tables_) {
    if (Status opened = SyncWait(OpenNext(table.get())); !opened) return opened;
  }
  return {};
}

void Games::Next(int game, bench::Done done) {
  Start(Step(tables_[static_cast<std::size_t>(game)].get()), std::move(done));
}

Task<bench::Ended> Games::Step(Table* table) {
  if (table->ply == static_cast<int>(table->moves.size())) {
    Status next = co_await Resign(table);
    if (next) next = co_await OpenNext(table);
    if (next) co_return bench::Ended::kUncounted;
    errors_.Count(next.error().reason());
    co_return bench::Ended::kFailed;
  }
  game_pb::PlayMoveRequest request;
  request.set_game_id(table->game_id);
  request.set_expected_ply(table->ply);
  request.set_move(table->moves[static_cast<std::size_t>(table->ply)]);
  const Result<game_pb::PlayMoveResponse> played =
      co_await Call(game_->async(), &GameApi::PlayMove, std::move(request),
                    table->players[table->ply % 2]->authorization);
  if (played) {
    ++table->ply;
    co_return bench::Ended::kCounted;
  }
  errors_.Count(played.error().reason());
  // A game that is over (on time, say) is left, and the next one begun.
  if (!play::IsTransient(played.error())) table->ply = static_cast<int>(table->moves.size());
  co_return bench::Ended::kFailed;
}

Task<Status> Games::Resign(Table* table) {
  game_pb::ResignRequest request;
  request.set_game_id(table->game_id);
  const Result<game_pb::ResignResponse> resigned = co_await Call(
      game_->async(), &GameApi::Resign, std::move(request), table->players[0]->authorization);
  if (!resigned && resigned.error().reason() != "GAME_OVER") co_return resigned.error();
  ++finished_;
  co_return Status();
}

Task<Status> Games::OpenNext(Table* table) {
  match_pb::CreateChallengeRequest challenge;
  // The same when it is tried again: a challenge is not made twice.
  challenge.set_request_id(run_ + "-" + std::to_string(table->number));
  match_pb::GameTerms& terms = *challenge.mutable_terms();
  terms.mutable_setup()->set_variant(convert::ToProto(settings_.variant));
  terms.set_rated(settings_.rated);
  terms.mutable_options()->set_first_move_ms(0);  // at a low rate the first move comes late
  common_pb::SideTime& time = *terms.mutable_time_control()->mutable_first();
  time.set_main_ms(600000);
  time.set_byoyomi_ms(60000);
  time.set_byoyomi_periods(5);
  challenge.set_side(match_pb::SIDE_WISH_FIRST);
  challenge.set_opponent_id(table->players[1]->player.player_id());
  const Result<match_pb::CreateChallengeResponse> created =
      co_await Call(matchmaking_->async(), &MatchApi::CreateChallenge, std::move(challenge),
                    table->players[0]->authorization);
  if (!created) co_return created.error();
  match_pb::AcceptChallengeRequest accept;
  accept.set_challenge_id(created->challenge().challenge_id());
  const Result<match_pb::AcceptChallengeResponse> accepted =
      co_await Call(matchmaking_->async(), &MatchApi::AcceptChallenge, std::move(accept),
                    table->players[1]->authorization);
  if (!accepted) co_return accepted.error();
  table->game_id = accepted->challenge().game_id();
  table->moves = play::RandomGame(settings_.variant, settings_.plies, random_);
  table->ply = 0;
  ++table->number;
  for (int i = 0; i < settings_.watchers; ++i) watchers_.Watch(table->game_id);
  co_return Status();
}

}  // namespace komadai::load
