// Who may call what: every method of every service, as every kind of caller and with every kind of
// bad token, against the rule in the service's method table; and no caller acts for another.
//
// docs/authorization.md shows the rules to people and is compared with them here: a rule cannot
// change unseen. KOMADAI_UPDATE_DOCS=1 rewrites it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/rpc/auth/token.h"
#include "tests/security/whole_server.h"

namespace komadai {
namespace {

namespace common = ::komadai::common::v1;
namespace game_pb = ::komadai::game::v1;
namespace match_pb = ::komadai::matchmaking::v1;
using rpc::CallerKind;
using std::chrono::hours;

constexpr char kDocs[] = "docs/authorization.md";
constexpr CallerKind kKinds[] = {CallerKind::kAnonymous, CallerKind::kGuest,   CallerKind::kPlayer,
                                 CallerKind::kBot,       CallerKind::kService, CallerKind::kAdmin};

// Methods for players whose requests name nothing that belongs to a player: they act for the
// caller.
const std::set<std::string>& CallersOwn() {
  static const std::set<std::string> methods{
      "komadai.engine.v1.EngineService/Analyse",
      "komadai.engine.v1.EngineService/BestMove",
      "komadai.engine.v1.EngineService/ListEngines",
      "komadai.game.v1.GameService/CreateGame",  // see NoPlayerCreatesAGameForOthers
      "komadai.game.v1.GameService/WatchPlayerGames",
      "komadai.kifu.v1.KifuService/ImportKifu",
      "komadai.matchmaking.v1.MatchmakingService/CreateChallenge",
      "komadai.matchmaking.v1.MatchmakingService/CreateSeek",
  };
  return methods;
}

class AuthorizationTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { whole_ = std::make_unique<WholeServer>(); }
  static void TearDownTestSuite() { whole_.reset(); }

  static rpc::TestServer& server() { return whole_->server(); }
  static std::unique_ptr<grpc::ClientContext> With(const std::string& authorization) {
    std::unique_ptr<grpc::ClientContext> context = server().AnonymousContext();
    if (!authorization.empty()) context->AddMetadata("authorization", authorization);
    return context;
  }
  static std::unique_ptr<grpc::ClientContext> As(CallerKind kind, const std::string& id) {
    return kind == CallerKind::kAnonymous ? server().AnonymousContext()
                                          : server().ContextAs(kind, id);
  }
  // Streams that are allowed stay open and may say nothing: they are not waited for.
  static std::unique_ptr<grpc::ClientContext> Patient(
      const rpc::Method& method, bool allowed, std::unique_ptr<grpc::ClientContext> context) {
    const bool stream = WholeServer::DescriptorOf(method).server_streaming();
    if (stream && allowed) {
      context->set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(300));
    }
    return context;
  }

  static std::unique_ptr<WholeServer> whole_;
};
std::unique_ptr<WholeServer> AuthorizationTest::whole_;

TEST_F(AuthorizationTest, EveryMethodTakesTheCallersOfItsRuleAndNoOthers) {
  ASSERT_GT(whole_->methods().size(), 60u);
  for (const rpc::Method* method : whole_->methods()) {
    for (const CallerKind kind : kKinds) {
      const bool allowed = method->options.allow.Contains(kind);
      const std::string id = "someone-" + std::string(rpc::KindName(kind));
      const Reply reply = whole_->Send(*method, "", Patient(*method, allowed, As(kind, id)));
      const std::string what = method->full_name + " as " + std::string(rpc::KindName(kind)) +
                               ": " + reply.reason + " " + reply.status.error_message();
      if (allowed) {
        EXPECT_NE(reply.status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << what;
        EXPECT_NE(reply.reason, "PERMISSION_DENIED") << what;
      } else if (kind == CallerKind::kAnonymous) {
        EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << what;
      } else {
        EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << what;
        EXPECT_EQ(reply.reason, "PERMISSION_DENIED") << what;
      }
    }
  }
}

TEST_F(AuthorizationTest, NoMethodTakesABadTokenNotEvenOneThatNeedsNone) {
  const SystemTimeSource time;
  const TimePoint now = time.Now();
  const rpc::Caller admin{CallerKind::kAdmin, "root", "root"};
  rpc::TokenSettings settings;
  settings.secret = rpc::TestServer::Secret();
  rpc::TokenSettings other_secret = settings;
  other_secret.secret = "another secret of at least 32 characters";
  rpc::TokenSettings other_audience = settings;
  other_audience.audience = "somebody else";
  rpc::TokenSettings other_issuer = settings;
  other_issuer.issuer = "https://issuer.test";
  const auto mint = [&](const rpc::TokenSettings& by, TimePoint until) {
    return "Bearer " + *rpc::TokenMinter(by).Mint(admin, now - hours(2), until);
  };
  const std::map<std::string, std::string> bad{
      {"expired", mint(settings, now - hours(1))},
      {"wrong signature", mint(other_secret, now + hours(1))},
      {"wrong audience", mint(other_audience, now + hours(1))},
      {"wrong issuer", mint(other_issuer, now + hours(1))},
      {"nonsense", "Bearer nonsense"},
      {"another scheme", "Basic " + mint(settings, now + hours(1)).substr(7)}};
  for (const rpc::Method* method : whole_->methods()) {
    for (const auto& [name, authorization] : bad) {
      const Reply reply = whole_->Send(*method, "", With(authorization));
      EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::UNAUTHENTICATED)
          << method->full_name << " with a token: " << name;
      EXPECT_EQ(reply.reason, name == "expired" ? "TOKEN_EXPIRED" : "TOKEN_INVALID")
          << method->full_name << " with a token: " << name;
    }
  }
}

// Alice and Bob have a game, Alice has a seek and has challenged Bob. Mallory has nothing.
class SomebodyElseTest : public AuthorizationTest {
 protected:
  void SetUp() override {
    names_ = {{"game_id", Game()},
              {"seek_id", Seek()},
              {"match_id", "some-match"},
              {"challenge_id", Challenge()}};
  }
  static common::Player Person(const std::string& id) {
    common::Player player;
    player.set_player_id(id);
    player.set_name(id);
    player.set_kind(common::PLAYER_KIND_PERSON);
    return player;
  }
  static game_pb::CreateGameRequest GameRequest() {
    game_pb::CreateGameRequest request;
    request.set_request_id("authorization-game");
    request.mutable_setup()->set_variant(common::VARIANT_SHOGI);
    *request.mutable_first() = Person("alice");
    *request.mutable_second() = Person("bob");
    return request;
  }
  static std::string Game() {
    game_pb::CreateGameResponse response;
    const auto context = As(CallerKind::kService, "komadai-matchmaking");
    const grpc::Status status =
        server().Stub<game_pb::GameService>()->CreateGame(context.get(), GameRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.game().game_id();
  }
  static std::string Seek() {
    match_pb::CreateSeekRequest request;
    request.set_request_id("authorization-seek");
    request.mutable_terms()->mutable_setup()->set_variant(common::VARIANT_SHOGI);
    auto& control = *request.mutable_terms()->mutable_time_control();
    control.mutable_first()->set_main_ms(600'000);
    match_pb::CreateSeekResponse response;
    const auto context = As(CallerKind::kPlayer, "alice");
    const grpc::Status status = server().Stub<match_pb::MatchmakingService>()->CreateSeek(
        context.get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.seek().seek_id();
  }
  static std::string Challenge() {
    match_pb::CreateChallengeRequest request;
    request.set_request_id("authorization-challenge");
    request.mutable_terms()->mutable_setup()->set_variant(common::VARIANT_SHOGI);
    request.set_opponent_id("bob");
    match_pb::CreateChallengeResponse response;
    const auto context = As(CallerKind::kPlayer, "alice");
    const grpc::Status status = server().Stub<match_pb::MatchmakingService>()->CreateChallenge(
        context.get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.challenge().challenge_id();
  }
  // The request that names what is Alice's; empty if there is nothing in it to name.
  std::string RequestAbout(const rpc::Method& method) {
    const std::unique_ptr<google::protobuf::Message> request = whole_->NewRequest(method);
    bool named = false;
    for (const auto& [field_name, id] : names_) {
      const auto* field = request->GetDescriptor()->FindFieldByName(field_name);
      if (field == nullptr) continue;
      request->GetReflection()->SetString(request.get(), field, id);
      named = true;
    }
    if (!named) return "";
    for (const char* duration : {"add_ms", "pause_ms"}) {
      const auto* field = request->GetDescriptor()->FindFieldByName(duration);
      if (field != nullptr) request->GetReflection()->SetInt64(request.get(), field, 60'000);
    }
    const auto* request_id = request->GetDescriptor()->FindFieldByName("request_id");
    if (request_id != nullptr) {
      request->GetReflection()->SetString(request.get(), request_id, "mallorys-request");
    }
    return request->SerializeAsString();
  }

  std::map<std::string, std::string> names_;
};

TEST_F(SomebodyElseTest, NoPlayerActsOnWhatIsAnothers) {
  int checked = 0;
  for (const rpc::Method* method : whole_->methods()) {
    const rpc::CallerSet allow = method->options.allow;
    // Public data has no owner, and players may not call the methods for services.
    if (allow.Contains(CallerKind::kAnonymous) || !allow.Contains(CallerKind::kPlayer)) continue;
    if (CallersOwn().contains(method->full_name)) continue;
    const std::string request = RequestAbout(*method);
    ASSERT_NE(request, "") << method->full_name
                           << " is for players: say in this test whose things it touches";
    for (const CallerKind kind : {CallerKind::kGuest, CallerKind::kPlayer, CallerKind::kBot}) {
      if (!allow.Contains(kind)) continue;
      const Reply reply = whole_->Send(*method, request, As(kind, "mallory"));
      EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::PERMISSION_DENIED)
          << method->full_name << ": " << reply.reason << " " << reply.status.error_message();
      EXPECT_NE(reply.reason, "PERMISSION_DENIED") << method->full_name;  // the kind may
    }
    ++checked;
  }
  EXPECT_GE(checked, 15);
}

TEST_F(SomebodyElseTest, TheListOfOwnMethodsNamesWhatThereIs) {
  std::set<std::string> known;
  for (const rpc::Method* method : whole_->methods()) known.insert(method->full_name);
  for (const std::string& own : CallersOwn()) EXPECT_TRUE(known.contains(own)) << own;
}

TEST_F(SomebodyElseTest, NoPlayerCreatesAGameForOthers) {
  for (const CallerKind kind : {CallerKind::kGuest, CallerKind::kPlayer, CallerKind::kBot}) {
    for (const char* id : {"mallory", "alice"}) {
      game_pb::CreateGameRequest request = GameRequest();
      request.set_request_id("for-others-" + std::string(rpc::KindName(kind)) + id);
      game_pb::CreateGameResponse response;
      const auto context = As(kind, id);
      const grpc::Status status =
          server().Stub<game_pb::GameService>()->CreateGame(context.get(), request, &response);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << id;
    }
  }
}

std::string TableOf(const std::vector<const rpc::Method*>& methods) {
  std::string table = "| method | nobody | guest | player | bot | service | admin |\n";
  table += "|---|---|---|---|---|---|---|\n";
  std::string service;
  for (const rpc::Method* method : methods) {
    if (method->service != service) {
      service = method->service;
      table += "| **" + service + "** | | | | | | |\n";
    }
    table += "| " + method->name;
    for (const CallerKind kind : kKinds) {
      table += method->options.allow.Contains(kind) ? " | yes" : " |";
    }
    table += " |\n";
  }
  return table;
}

TEST_F(AuthorizationTest, ThePageShowsTheRulesAsTheyAre) {
  std::ifstream in(kDocs);
  std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string table = TableOf(whole_->methods());
  if (std::getenv("KOMADAI_UPDATE_DOCS") != nullptr) {
    const std::size_t begin = page.find("| method |");
    ASSERT_NE(begin, std::string::npos);
    const std::size_t end = page.find("\n\n", begin);
    page.replace(begin, end == std::string::npos ? std::string::npos : end + 1 - begin, table);
    std::ofstream(kDocs) << page;
  }
  EXPECT_NE(page.find(table), std::string::npos)
      << kDocs << " is not the method tables as they are. It should have:\n"
      << table;
}

}  // namespace
}  // namespace komadai
