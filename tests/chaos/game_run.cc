#include "tests/chaos/game_run.h"

#include <memory>
#include <thread>
#include <utility>

#include "libs/convert/variant.h"
#include "tests/chaos/ledger.h"
#include "tests/chaos/player.h"
#include "tests/chaos/table.h"
#include "tests/chaos/watcher.h"

namespace komadai::chaos {
namespace {

namespace match_pb = ::komadai::matchmaking::v1;

constexpr Millis kWatcherPatience{30000};  // behind the end of the game, outages included
constexpr Millis kClosingPoll{100};

// What a watcher tells the players.
void Tell(Table& table, const Watcher::Message& message) {
  const game_pb::Game& game = message.snapshot();
  for (const game_pb::PlayedMove& move : game.moves()) {
    table.Played(move.ply() - 1, move.move(), FromUnixMillis(game.clock().deadline_ms()));
  }
  const game_pb::MovePlayed& played = message.event().move_played();
  if (message.event().has_move_played()) {
    table.Played(played.move().ply() - 1, played.move().move(),
                 FromUnixMillis(played.clock().deadline_ms()));
  }
  if (game.has_result() || message.event().has_ended()) table.Ended();
}

// Creates the game that `plan` is about; asked again, the same one.
class Creation {
 public:
  Creation(World& world, const GamePlan& plan)
      : world_(world),
        plan_(plan),
        whims_(plan, Side::kFirst),
        request_id_("chaos-" + world.run + "-" + std::to_string(plan.number)) {}

  Result<std::string> Create() { return plan_.by_challenge ? ByChallenge() : ByService(); }

 private:
  const play::Person& PersonAt(int seat) const { return world_.people[plan_.players[seat]]; }
  play::Attempts NewAttempts() {
    return play::Attempts(world_.patience, world_.abandoned, world_.errors, whims_.random());
  }

  Result<std::string> ByService() {
    game_pb::CreateGameRequest request;
    request.set_request_id(request_id_);
    request.mutable_setup()->set_variant(convert::ToProto(plan_.variant));
    *request.mutable_first() = PersonAt(0).player;
    *request.mutable_second() = PersonAt(1).player;
    const int person = plan_.finisher == Side::kFirst ? 0 : 1;
    if (plan_.against_computer) {
      common_pb::Player& computer =
          *(person == 0 ? request.mutable_second() : request.mutable_first());
      computer.Clear();
      computer.set_kind(common_pb::PLAYER_KIND_COMPUTER);
      computer.set_level(common_pb::COMPUTER_LEVEL_EASY);
    }
    request.set_rated(plan_.rated);
    *request.mutable_time_control() = plan_.control;
    play::Attempts attempts = NewAttempts();
    Result<game_pb::CreateGameResponse> created = world_.game.Call(
        &game_pb::GameService::StubInterface::CreateGame, request,
        plan_.against_computer ? PersonAt(person).authorization : world_.service_authorization,
        attempts);
    if (!created) return std::move(created).error();
    return created->game().game_id();
  }

  Result<std::string> ByChallenge() {
    using Stub = match_pb::MatchmakingService::StubInterface;
    match_pb::CreateChallengeRequest challenge;
    challenge.set_request_id(request_id_);
    match_pb::GameTerms& terms = *challenge.mutable_terms();
    terms.mutable_setup()->set_variant(convert::ToProto(plan_.variant));
    terms.set_rated(plan_.rated);
    *terms.mutable_time_control() = plan_.control;
    challenge.set_side(match_pb::SIDE_WISH_FIRST);
    challenge.set_opponent_id(PersonAt(1).player.player_id());
    play::Attempts creating = NewAttempts();
    Result<match_pb::CreateChallengeResponse> created = world_.matchmaking.Call(
        &Stub::CreateChallenge, challenge, PersonAt(0).authorization, creating);
    if (!created) return std::move(created).error();
    match_pb::AcceptChallengeRequest accept;
    accept.set_challenge_id(created->challenge().challenge_id());
    play::Attempts accepting = NewAttempts();
    Result<match_pb::AcceptChallengeResponse> accepted = world_.matchmaking.Call(
        &Stub::AcceptChallenge, accept, PersonAt(1).authorization, accepting);
    if (!accepted) return std::move(accepted).error();
    return accepted->challenge().game_id();
  }

  World& world_;
  const GamePlan& plan_;
  Whims whims_;
  const std::string request_id_;
};

}  // namespace

Result<GameEvidence> RunGame(World& world, const GamePlan& plan) {
  Whims whims(plan, Side::kSecond);
  Creation creation(world, plan);
  GameEvidence evidence;
  Result<std::string> id = creation.Create();
  if (!id) return std::move(id).error();
  evidence.game_id = *id;
  evidence.created_as.push_back(*id);
  if (whims.OneIn(4)) {
    const Result<std::string> again = creation.Create();
    if (again) evidence.created_as.push_back(*again);
  }

  Table table(plan);
  Ledger ledger;
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = whims.OneIn(4) ? 2 : 1; i > 0; --i) {
    watchers.push_back(std::make_unique<Watcher>(
        world, *id, whims.random().Next(),
        [&table](const Watcher::Message& message) { Tell(table, message); }));
  }
  std::vector<std::thread> players;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (plan.against_computer && side != plan.finisher) continue;
    players.emplace_back([&world, &plan, &id, &table, &ledger, side] {
      Player(world, plan, *id, side, table, ledger).Run();
    });
  }
  while (!table.AwaitEnd(kClosingPoll)) {
    if (world.closing) table.GiveUp();
    if (world.abandoned) table.Ended();
  }
  for (std::thread& player : players) player.join();
  for (const auto& watcher : watchers) {
    watcher->Join(world.abandoned ? Millis(0) : kWatcherPatience);
    evidence.watchers.push_back(watcher->list());
  }
  evidence.calls = ledger.Take();
  return evidence;
}

}  // namespace komadai::chaos
