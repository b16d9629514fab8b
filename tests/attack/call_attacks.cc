#include "tests/attack/call_attacks.h"

#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "komadai/engine/v1/engine.pb.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/kifu/v1/kifu.pb.h"
#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "komadai/rules/v1/rules.pb.h"
#include "libs/rpc/testing/raw_http2.h"

namespace komadai::attack {
namespace {

using rpc::RawHttp2;
using std::chrono::milliseconds;
using Stop = std::atomic<bool>;

constexpr int kAtOnce = 50;

// The next request: another one every time.
using Next = std::function<std::string(int number)>;

std::unique_ptr<RawHttp2> Reach(const Target& target) {
  Result<std::unique_ptr<RawHttp2>> raw = RawHttp2::Connect(
      target.server, {.source = target.source, .send_patience = milliseconds(500)});
  if (raw) return *std::move(raw);
  std::this_thread::sleep_for(milliseconds(5));
  return nullptr;
}

// Calls one method as fast as it is answered, `at_once` at a time, on one connection after another.
void Flood(const Target& target, const Stop& stop, const std::string& path, const Next& next,
           const RawHttp2::Headers& headers = {}, int at_once = kAtOnce) {
  int number = 0;
  while (!stop) {
    const auto raw = Reach(target);
    while (raw != nullptr && !stop && !raw->broken()) {
      std::vector<std::uint32_t> streams;
      for (int i = 0; i < at_once; ++i) {
        streams.push_back(raw->Begin(path, headers));
        raw->SendMessage(streams.back(), next(number++));
      }
      for (const std::uint32_t stream : streams) {
        // In short steps, so that an answer that never comes does not hold up the end.
        while (!stop && !raw->broken() && !raw->HasEnded(stream)) raw->Pump(milliseconds(50));
        raw->Await(stream, milliseconds(0));
      }
    }
  }
}

Next Always(const google::protobuf::MessageLite& request) {
  return [bytes = request.SerializeAsString()](int) { return bytes; };
}

// Another one in every thread and run.
std::string RequestId(int number) {
  static std::atomic<int> thread{0};
  thread_local const std::string prefix =
      "attack-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) +
      "-" + std::to_string(thread++);
  return prefix + "-" + std::to_string(number);
}

struct Guest {
  std::string id;
  RawHttp2::Headers token;
};

std::optional<Guest> SignInAsGuest(const Target& target) {
  rating::v1::CreateGuestSessionRequest request;
  request.set_nickname("stranger");
  const auto raw = Reach(target);
  if (raw == nullptr) return std::nullopt;
  const RawHttp2::Answer answer =
      raw->Call("/komadai.rating.v1.RatingService/CreateGuestSession", request.SerializeAsString());
  rating::v1::CreateGuestSessionResponse session;
  if (answer.status != 0 || !session.ParseFromString(answer.message)) return std::nullopt;
  return Guest{session.session().player().player_id(),
               {{"authorization", "Bearer " + session.session().token()}}};
}

// Signs in, however long that takes; nothing if it is told to stop.
std::optional<Guest> BecomeGuest(const Target& target, const Stop& stop) {
  while (!stop) {
    if (std::optional<Guest> guest = SignInAsGuest(target)) return guest;
    std::this_thread::sleep_for(milliseconds(100));
  }
  return std::nullopt;
}

// The same as a guest. Each thread signs in once.
void FloodAsGuest(const Target& target, const Stop& stop, const std::string& path, const Next& next,
                  int at_once = kAtOnce) {
  const std::optional<Guest> guest = BecomeGuest(target, stop);
  if (guest) Flood(target, stop, path, next, guest->token, at_once);
}

matchmaking::v1::GameTerms Terms(int number) {
  matchmaking::v1::GameTerms terms;
  terms.mutable_setup()->set_variant(common::v1::VARIANT_SHOGI);
  common::v1::SideTime& time = *terms.mutable_time_control()->mutable_first();
  time.set_main_ms(60'000 + 1000 * (number % 50));  // terms of their own: nothing is matched
  time.set_byoyomi_ms(10'000);
  time.set_byoyomi_periods(1);
  return terms;
}

void LegalMoves(const Target& target, const Stop& stop) {
  rules::v1::ListLegalMovesRequest request;
  request.set_variant(common::v1::VARIANT_SHOGI);
  Flood(target, stop, "/komadai.rules.v1.RulesService/ListLegalMoves", Always(request));
}

void BigRecords(const Target& target, const Stop& stop) {
  rules::v1::ReadRecordRequest request;
  std::string text = "手合割：平手\n";
  for (int ply = 1; text.size() < 900'000; ++ply) {
    text += std::to_string(ply) + (ply % 2 == 1 ? " ７六歩(77)\n" : " ３四歩(33)\n");
  }
  request.set_data(text);
  Flood(target, stop, "/komadai.rules.v1.RulesService/ReadRecord", Always(request), {}, 8);
}

void Malformed(const Target& target, const Stop& stop) {
  Flood(target, stop, "/komadai.rules.v1.RulesService/ApplyMove",
        [](int number) { return std::string(200, static_cast<char>(0x80 + number % 100)); });
}

void UnknownMethods(const Target& target, const Stop& stop) {
  Flood(target, stop, "/komadai.rules.v1.RulesService/Nothing",
        [](int) { return std::string("x"); });
}

void Health(const Target& target, const Stop& stop) {
  Flood(target, stop, "/grpc.health.v1.Health/Check", [](int) { return std::string(); });
}

void BadTokens(const Target& target, const Stop& stop) {
  Flood(target, stop, "/komadai.engine.v1.EngineService/ListEngines",
        [](int) { return std::string(); },
        {{"authorization", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA"}});
}

void Explore(const Target& target, const Stop& stop) {
  kifu::v1::ExplorePositionRequest request;
  request.set_variant(common::v1::VARIANT_SHOGI);
  Flood(target, stop, "/komadai.kifu.v1.KifuService/ExplorePosition", Always(request), {}, 8);
}

void LiveGames(const Target& target, const Stop& stop) {
  Flood(target, stop, "/komadai.game.v1.GameService/ListLiveGames",
        Always(game::v1::ListLiveGamesRequest()));
}

// Streams that stay open, as many as a connection may have, on many connections.
void LobbyStreams(const Target& target, const Stop& stop) {
  const std::string request = matchmaking::v1::WatchLobbyRequest().SerializeAsString();
  std::vector<std::unique_ptr<RawHttp2>> held;
  while (!stop) {
    if (held.size() < 100) {
      if (auto raw = Reach(target)) {
        for (int i = 0; i < 100; ++i) {
          raw->SendMessage(raw->Begin("/komadai.matchmaking.v1.MatchmakingService/WatchLobby"),
                           request);
        }
        held.push_back(std::move(raw));
      }
    }
    std::erase_if(held, [](const auto& raw) { return !raw->Pump(); });
    std::this_thread::sleep_for(milliseconds(5));
  }
}

void Guests(const Target& target, const Stop& stop) {
  rating::v1::CreateGuestSessionRequest request;
  Flood(target, stop, "/komadai.rating.v1.RatingService/CreateGuestSession", [&](int number) {
    request.set_nickname("guest " + std::to_string(number));
    return request.SerializeAsString();
  });
}

void Seeks(const Target& target, const Stop& stop) {
  FloodAsGuest(target, stop, "/komadai.matchmaking.v1.MatchmakingService/CreateSeek",
               [](int number) {
                 matchmaking::v1::CreateSeekRequest request;
                 request.set_request_id(RequestId(number));
                 *request.mutable_terms() = Terms(number);
                 return request.SerializeAsString();
               });
}

void Rooms(const Target& target, const Stop& stop) {
  FloodAsGuest(target, stop, "/komadai.matchmaking.v1.MatchmakingService/CreateChallenge",
               [](int number) {
                 matchmaking::v1::CreateChallengeRequest request;
                 request.set_request_id(RequestId(number));
                 *request.mutable_terms() = Terms(number);
                 request.set_listed(true);
                 request.set_lifetime_seconds(60);
                 return request.SerializeAsString();
               });
}

void Imports(const Target& target, const Stop& stop) {
  std::string games;
  for (int i = 0; i < 100; ++i) {
    games += "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e\n";
  }
  FloodAsGuest(
      target, stop, "/komadai.kifu.v1.KifuService/ImportKifu",
      [&](int number) {
        kifu::v1::ImportKifuRequest request;
        request.set_request_id(RequestId(number));
        request.set_data(games);
        return request.SerializeAsString();
      },
      8);
}

void Searches(const Target& target, const Stop& stop) {
  engine::v1::BestMoveRequest request;
  request.mutable_position()->set_variant(common::v1::VARIANT_SHOGI);
  request.mutable_limits()->set_time_ms(10'000);
  FloodAsGuest(target, stop, "/komadai.engine.v1.EngineService/BestMove", Always(request), 20);
}

void ComputerGames(const Target& target, const Stop& stop) {
  const std::optional<Guest> guest = BecomeGuest(target, stop);
  if (!guest) return;
  game::v1::CreateGameRequest request;
  request.mutable_setup()->set_variant(common::v1::VARIANT_SHOGI);
  request.mutable_second()->set_player_id(guest->id);
  request.mutable_first()->set_kind(common::v1::PLAYER_KIND_COMPUTER);
  request.mutable_first()->set_level(common::v1::COMPUTER_LEVEL_HARD);
  const auto next = [&request](int number) {
    request.set_request_id(RequestId(number));
    return request.SerializeAsString();
  };
  Flood(target, stop, "/komadai.game.v1.GameService/CreateGame", next, guest->token);
}

}  // namespace

std::vector<Attack> CallAttacks() {
  return {
      {"legal_moves", "a cheap method without a token", 2, LegalMoves},
      {"big_records", "record files of 900 KB to read", 2, BigRecords},
      {"malformed", "requests that are no messages", 2, Malformed},
      {"unknown_methods", "methods that do not exist", 2, UnknownMethods},
      {"health", "health checks", 2, Health},
      {"bad_tokens", "guesses of tokens", 2, BadTokens},
      {"explore", "the most expensive question to the archive", 2, Explore},
      {"live_games", "lists of games", 2, LiveGames},
      {"lobby_streams", "20,000 streams", 2, LobbyStreams},
      {"guests", "guest sessions", 2, Guests},
      {"seeks", "seeks of guests", 2, Seeks},
      {"rooms", "open rooms of guests", 2, Rooms},
      {"imports", "imports of guests, 100 games each", 2, Imports},
      {"searches", "searches of 10 s of guests", 2, Searches},
      {"computer_games", "games of guests against the computer", 2, ComputerGames},
  };
}

}  // namespace komadai::attack
