#include "services/game/convert_requests.h"

#include <algorithm>
#include <utility>

#include "libs/convert/game_options.h"
#include "libs/convert/game_setup.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/request_id.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

constexpr std::size_t kMaxGameIdBytes = 64;

constexpr std::size_t kMaxNameBytes = 160;  // 40 characters of up to 4 bytes

bool MayBeRated(const Player& player) {
  return player.kind == PlayerKind::kPerson || player.kind == PlayerKind::kBot;
}

Status CheckPlayer(const Player& player, const char* field) {
  if (player.kind == PlayerKind::kUnspecified) {
    return rpc::InvalidField(kInvalidGame, field, "the kind of player is missing");
  }
  if ((player.kind == PlayerKind::kComputer) != player.id.empty()) {
    return rpc::InvalidField(kInvalidGame, field, "every player but the computer has an id");
  }
  if (player.name.size() > kMaxNameBytes || player.id.size() > 64) {
    return rpc::InvalidField(kInvalidGame, field, "the name or the id is too long");
  }
  return {};
}

PlayerKind KindOf(const rpc::Caller& creator) {
  switch (creator.kind) {
    case rpc::CallerKind::kPlayer:
      return PlayerKind::kPerson;
    case rpc::CallerKind::kBot:
      return PlayerKind::kBot;
    default:
      return PlayerKind::kGuest;
  }
}

const char* ComputerName(int level) {
  switch (level) {
    case common_pb::COMPUTER_LEVEL_EASY:
      return "Computer (easy)";
    case common_pb::COMPUTER_LEVEL_HARD:
      return "Computer (hard)";
    default:
      return "Computer (medium)";
  }
}

// Who a player is, their token says, not their request; the computer's name is ours.
void TakeIdentityFrom(const rpc::Caller& creator, NewGame& game) {
  for (Player& player : game.players) {
    if (player.kind == PlayerKind::kComputer) {
      if (player.level == 0) player.level = common_pb::COMPUTER_LEVEL_MEDIUM;
      player.name = ComputerName(player.level);
      player.rating = 0;
    } else if (player.id == creator.id) {
      player = {creator.id, creator.name, KindOf(creator), 0, 0};
    }
  }
}

Status ReadOptions(const common_pb::GameOptions& options, NewGame& game) {
  if (const auto problem = convert::CheckOptions(options)) {
    return rpc::InvalidField(kInvalidGame, problem->field, problem->message);
  }
  if (options.has_first_move_ms()) game.first_move = Millis(options.first_move_ms());
  game.claim_after = Millis(options.claim_after_ms());
  return {};
}

// A player creates only casual games of their own against the computer.
Status CheckCreator(const rpc::Caller& creator, const NewGame& game) {
  if (rpc::kServices.Contains(creator.kind)) return {};
  const Player& first = game.players[0];
  const Player& second = game.players[1];
  const bool own = (first.id == creator.id && second.kind == PlayerKind::kComputer) ||
                   (second.id == creator.id && first.kind == PlayerKind::kComputer);
  if (own && !game.rated) return {};
  return Error(kCreationDenied,
               "players create casual games against the computer; other games come from "
               "matchmaking");
}

}  // namespace

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

Result<NewGame> NewGameFromProto(const rpc::Caller& creator, const pb::CreateGameRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) return std::move(id).error();
  NewGame game;
  game.id = rpc::IdFromRequest(creator.id, request.request_id());
  Result<Setup> setup = SetupFromProto(request.setup());
  if (!setup) return std::move(setup).error();
  game.wish = std::move(setup).value();
  game.players = {PlayerFromProto(request.first()), PlayerFromProto(request.second())};
  if (!rpc::kServices.Contains(creator.kind)) TakeIdentityFrom(creator, game);
  game.rated = request.rated();
  game.allow_takeback = request.allow_takeback();
  if (Status first = CheckPlayer(game.players[0], "first"); !first) {
    return std::move(first).error();
  }
  if (Status second = CheckPlayer(game.players[1], "second"); !second) {
    return std::move(second).error();
  }
  if (game.players[0].id == game.players[1].id) {
    return rpc::InvalidField(kInvalidGame, "second", "a game needs two different players");
  }
  if (game.rated && (!MayBeRated(game.players[0]) || !MayBeRated(game.players[1]))) {
    return rpc::InvalidField(kInvalidGame, "rated", "rated games need two verified accounts");
  }
  if (game.rated && game.allow_takeback) {
    return rpc::InvalidField(kInvalidGame, "allow_takeback", "rated games have no takebacks");
  }
  if (Status options = ReadOptions(request.options(), game); !options) {
    return std::move(options).error();
  }
  if (request.has_time_control()) {
    Result<timecontrol::TimeControl> control =
        convert::TimeControlFromProto(request.time_control());
    if (!control) return std::move(control).error();
    // A control in which nobody's time can end the game is no clock at all.
    if (timecontrol::HasClock(control->first) || timecontrol::HasClock(control->second)) {
      game.time_control = *control;
    }
  }
  if (Status allowed = CheckCreator(creator, game); !allowed) return std::move(allowed).error();
  return game;
}

}  // namespace komadai::game
