// The service over a real gRPC server in this process, with fake engines and, where strength does
// not matter, with Fairy-Stockfish.
#include "services/engine/engine_service.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "komadai/engine/v1/engine.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "services/engine/bind.h"
#include "services/engine/errors.h"

namespace komadai::engine {
namespace {

namespace pb = ::komadai::engine::v1;
namespace common_pb = ::komadai::common::v1;
using rpc::CallerKind;

constexpr char kFakeEngine[] = "services/engine/process/testdata/fake_engine.sh";

// A component with the given engines instead of the configured ones.
class TestComponent final : public rpc::Component {
 public:
  TestComponent(std::vector<EngineSpec> specs, PoolSettings settings, rpc::BindContext& context)
      : metrics_(context.metrics, context.log, specs),
        pool_(specs, settings, &metrics_),
        service_(context.runtime, pool_, metrics_,
                 {.services = Millis(60'000), .players = Millis(60'000)}) {}
  std::vector<rpc::Service*> Services() override { return {&service_}; }

 private:
  EngineMetrics metrics_;
  EnginePool pool_;
  EngineService service_;
};

rpc::ComponentSpec ComponentOf(std::vector<EngineSpec> specs, PoolSettings settings) {
  rpc::ComponentSpec component;
  component.name = "engine";
  component.bind =
      [specs, settings](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
    return std::unique_ptr<rpc::Component>(
        std::make_unique<TestComponent>(specs, settings, context));
  };
  return component;
}

EngineSpec Fake(const std::string& mode) {
  return {.id = "fake",
          .command = {kFakeEngine, mode},
          .plays = {{rules::Variant::kShogi, Protocol::kUsi, "", RankNumbers::kPlain}},
          .options = {}};
}

EngineSpec Fairy() {
  const char* program = std::getenv("KOMADAI_ENGINE_PROGRAM");
  return FairyStockfish(program != nullptr ? program : "/usr/games/fairy-stockfish");
}

PoolSettings Settings() {
  PoolSettings settings;
  settings.processes_per_engine = 1;
  settings.queue_capacity = 1;
  settings.worker.stop_slack = Millis(50);
  settings.worker.kill_grace = Millis(200);
  settings.worker.first_backoff = Millis(1);
  settings.worker.longest_backoff = Millis(20);
  return settings;
}

class EngineServiceTest : public ::testing::Test {
 protected:
  void Open(EngineSpec spec, PoolSettings settings = Settings()) {
    server_ = std::make_unique<rpc::TestServer>(
        std::vector<rpc::ComponentSpec>{ComponentOf({std::move(spec)}, settings)});
    stub_ = server_->Stub<pb::EngineService>();
  }

  // A context with a deadline that only a hang would reach.
  std::unique_ptr<grpc::ClientContext> Context(CallerKind kind = CallerKind::kService,
                                               const std::string& id = "komadai-game") {
    auto context = server_->ContextAs(kind, id);
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(100));
    return context;
  }

  static pb::BestMoveRequest MoveRequest(common_pb::Variant variant = common_pb::VARIANT_SHOGI) {
    pb::BestMoveRequest request;
    request.mutable_position()->set_variant(variant);
    request.mutable_limits()->set_depth(3);
    return request;
  }
  static pb::AnalyseRequest AnalysisRequest() {
    pb::AnalyseRequest request;
    request.mutable_position()->set_variant(common_pb::VARIANT_SHOGI);
    request.mutable_limits()->set_depth(6);
    return request;
  }

  // The reason of a failed call, "" when it succeeded.
  static std::string Reason(const grpc::Status& status) {
    return status.ok() ? "" : rpc::FromGrpcStatus(status).reason();
  }
  std::string ReasonOf(const pb::BestMoveRequest& request) {
    return Reason(stub_->BestMove(Context().get(), request, &move_));
  }

  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<pb::EngineService::Stub> stub_;
  pb::BestMoveResponse move_;
};

TEST_F(EngineServiceTest, AnswersWithALegalMoveInEveryVariant) {
  Open(Fairy());
  for (const auto variant :
       {common_pb::VARIANT_SHOGI, common_pb::VARIANT_MINISHOGI, common_pb::VARIANT_XIANGQI}) {
    ASSERT_EQ(ReasonOf(MoveRequest(variant)), "");
    EXPECT_EQ(move_.move().size(), 4u);
    EXPECT_EQ(move_.line().moves(0), move_.move());
    EXPECT_GT(move_.line().depth(), 0);
  }
}

TEST_F(EngineServiceTest, BadPositionsAreRefusedAndTheEngineLives) {
  Open(Fairy());
  for (const char* position :
       {"x", "9/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1", "startpos moves",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 99P 1", "\n\nquit"}) {
    pb::BestMoveRequest request = MoveRequest();
    request.mutable_position()->set_position(position);
    const grpc::Status status = stub_->BestMove(Context().get(), request, &move_);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << position;
  }
  EXPECT_EQ(ReasonOf(MoveRequest()), "");
  EXPECT_EQ(server_->server().metrics().Scrape().find("komadai_engine_restarts_total{"),
            std::string::npos);
}

TEST_F(EngineServiceTest, RefusesWithTypedReasons) {
  Open(Fairy());
  pb::BestMoveRequest request = MoveRequest();
  request.mutable_position()->set_position("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1");
  EXPECT_EQ(ReasonOf(request), "NO_LEGAL_MOVE");
  request = MoveRequest();
  request.set_engine_id("nobody");
  EXPECT_EQ(ReasonOf(request), "UNKNOWN_ENGINE");
  request = MoveRequest();
  request.clear_strength();
  EXPECT_EQ(ReasonOf(request), "MISSING_STRENGTH");
  EXPECT_EQ(Reason(stub_->BestMove(server_->AnonymousContext().get(), MoveRequest(), &move_)),
            "UNAUTHENTICATED");
}

TEST_F(EngineServiceTest, AnEngineThatDoesNotPlayTheVariantIsUnknownForIt) {
  Open(Fake("obedient"));
  EXPECT_EQ(ReasonOf(MoveRequest(common_pb::VARIANT_XIANGQI)), "UNKNOWN_ENGINE");
}

TEST_F(EngineServiceTest, AnIllegalAnswerIsAskedAgainAmongTheLegalMoves) {
  Open(Fake("obeys-searchmoves"));
  ASSERT_EQ(ReasonOf(MoveRequest()), "");
  EXPECT_EQ(move_.move().size(), 4u);
  EXPECT_NE(server_->server().metrics().Scrape().find("komadai_engine_illegal_moves_total"),
            std::string::npos);
}

TEST_F(EngineServiceTest, AnEngineThatInsistsOnAnIllegalMoveIsOverruledByItsOwnLegalLine) {
  Open(Fake("illegal"));
  ASSERT_EQ(ReasonOf(MoveRequest()), "");
  EXPECT_EQ(move_.move(), "2g2f");
  EXPECT_EQ(move_.line().moves_size(), 1) << "the rest of that line was illegal";
}

TEST_F(EngineServiceTest, AResignationIsPassedOn) {
  Open(Fake("resigns"));
  ASSERT_EQ(ReasonOf(MoveRequest()), "");
  EXPECT_TRUE(move_.resign());
  EXPECT_EQ(move_.move(), "");
}

TEST_F(EngineServiceTest, AnEngineThatDiesTwiceIsUnavailable) {
  Open(Fake("dies"));
  const grpc::Status status = stub_->BestMove(Context().get(), MoveRequest(), &move_);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Reason(status), "ENGINE_UNAVAILABLE");
}

TEST_F(EngineServiceTest, AnalysisEndsWithItsLastMessage) {
  Open(Fairy());
  pb::AnalyseRequest request = AnalysisRequest();
  request.set_line_count(3);
  const auto context = Context(CallerKind::kPlayer, "p1");
  auto reader = stub_->Analyse(context.get(), request);
  pb::AnalyseResponse last;
  int messages = 0;
  while (reader->Read(&last)) ++messages;
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_GT(messages, 1);
  EXPECT_TRUE(last.done());
  EXPECT_EQ(last.lines_size(), 3);
  EXPECT_EQ(last.best_move(), last.lines(0).moves(0));
}

TEST_F(EngineServiceTest, AnAnalysisThatFoundNoLegalMoveFails) {
  Open(Fake("obeys-searchmoves"));  // an illegal move and no line
  const auto context = Context(CallerKind::kPlayer, "p1");
  auto reader = stub_->Analyse(context.get(), AnalysisRequest());
  pb::AnalyseResponse message;
  EXPECT_FALSE(reader->Read(&message));
  EXPECT_EQ(Reason(reader->Finish()), "ENGINE_UNAVAILABLE");
}

// However many players ask for long searches of their own.
TEST_F(EngineServiceTest, TheComputersMoveInAGameDoesNotWaitForSearchesOfPlayers) {
  PoolSettings settings = Settings();
  settings.processes_per_engine = 2;
  settings.queue_capacity = 20;
  Open(Fake("until-stopped"), settings);
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::thread> players;
  for (int i = 0; i < 6; ++i) {
    contexts.push_back(Context(CallerKind::kGuest, "guest" + std::to_string(i)));
    players.emplace_back([this, context = contexts.back().get()] {
      pb::BestMoveRequest request = MoveRequest();
      request.mutable_limits()->set_time_ms(60'000);
      pb::BestMoveResponse response;
      (void)stub_->BestMove(context, request, &response);
    });
  }
  const auto scrape = [this] { return server_->server().metrics().Scrape(); };
  while (scrape().find("komadai_engine_queue_depth 5") == std::string::npos) {
    std::this_thread::yield();
  }
  pb::BestMoveRequest request = MoveRequest();
  request.mutable_limits()->set_time_ms(20);
  pb::BestMoveResponse response;
  const auto context = Context();
  EXPECT_TRUE(stub_->BestMove(context.get(), request, &response).ok());
  for (const auto& player : contexts) player->TryCancel();
  for (std::thread& player : players) player.join();
}

TEST_F(EngineServiceTest, AnAnalysisOfABadPositionFailsAsAStream) {
  Open(Fairy());
  pb::AnalyseRequest request = AnalysisRequest();
  request.mutable_position()->set_position("rubbish");
  const auto context = Context();
  auto reader = stub_->Analyse(context.get(), request);
  pb::AnalyseResponse message;
  EXPECT_FALSE(reader->Read(&message));
  EXPECT_EQ(Reason(reader->Finish()), "INVALID_POSITION");
}

TEST_F(EngineServiceTest, ACancelledAnalysisFreesTheEngineAndThePlayer) {
  Open(Fairy());
  for (int i = 0; i < 3; ++i) {
    const auto context = Context(CallerKind::kPlayer, "p1");
    pb::AnalyseRequest endless = AnalysisRequest();
    endless.mutable_limits()->set_depth(64);
    auto reader = stub_->Analyse(context.get(), endless);
    pb::AnalyseResponse message;
    ASSERT_TRUE(reader->Read(&message)) << Reason(reader->Finish());
    context->TryCancel();
    reader->Finish();
    // The server may hear of the cancellation a moment after this client is told.
    std::string reason;
    do {
      const auto next = Context(CallerKind::kPlayer, "p1");
      reason = Reason(stub_->BestMove(next.get(), MoveRequest(), &move_));
    } while (reason == "ONE_SEARCH_AT_A_TIME");
    EXPECT_EQ(reason, "");
  }
}

TEST_F(EngineServiceTest, APlayerHasOneSearchAtATimeAndAFullQueueIsBusy) {
  Open(Fake("until-stopped"));
  const auto open = [this](CallerKind kind, const std::string& id) {
    auto context = Context(kind, id);
    pb::AnalyseRequest request = AnalysisRequest();
    auto reader = stub_->Analyse(context.get(), request);
    return std::pair(std::move(context), std::move(reader));
  };
  auto [first_context, first] = open(CallerKind::kPlayer, "p1");
  pb::AnalyseResponse message;
  ASSERT_TRUE(first->Read(&message)) << "it runs";

  const auto same_player = Context(CallerKind::kPlayer, "p1");
  EXPECT_EQ(Reason(stub_->BestMove(same_player.get(), MoveRequest(), &move_)),
            "ONE_SEARCH_AT_A_TIME");

  // One search waits (the capacity of the queue), whichever of the two is first; the other is
  // refused.
  auto [second_context, second] = open(CallerKind::kPlayer, "p2");
  auto [third_context, third] = open(CallerKind::kPlayer, "p3");
  std::string ends[2];
  std::atomic<bool> any_ended{false};
  std::promise<void> refused;
  const auto read_all = [&](grpc::ClientReader<pb::AnalyseResponse>& reader, std::string& end) {
    pb::AnalyseResponse ignored;
    while (reader.Read(&ignored)) {
    }
    end = Reason(reader.Finish());
    if (!any_ended.exchange(true)) refused.set_value();
  };
  std::thread second_ends([&, &reader = *second] { read_all(reader, ends[0]); });
  std::thread third_ends([&, &reader = *third] { read_all(reader, ends[1]); });
  // The refused one ends by itself; then everybody else is let go.
  refused.get_future().wait();
  first_context->TryCancel();
  second_context->TryCancel();
  third_context->TryCancel();
  second_ends.join();
  third_ends.join();
  first->Finish();
  EXPECT_EQ(std::count(std::begin(ends), std::end(ends), "ENGINE_BUSY"), 1)
      << ends[0] << " " << ends[1];
}

TEST_F(EngineServiceTest, ListsItsEngines) {
  Open(Fairy());
  ASSERT_EQ(ReasonOf(MoveRequest()), "");  // now its name is known
  pb::ListEnginesResponse response;
  const grpc::Status status = stub_->ListEngines(Context().get(), {}, &response);
  ASSERT_TRUE(status.ok());
  ASSERT_EQ(response.engines_size(), 1);
  EXPECT_EQ(response.engines(0).engine_id(), "fairy-stockfish");
  EXPECT_EQ(response.engines(0).name().rfind("Fairy-Stockfish", 0), 0u);
  EXPECT_EQ(response.engines(0).variants_size(), 3);
  EXPECT_TRUE(response.engines(0).available());
}

TEST_F(EngineServiceTest, TheConfiguredComponentServes) {
  rpc::TestServer server({EngineComponent()});
  auto stub = server.Stub<pb::EngineService>();
  pb::BestMoveRequest request = MoveRequest();
  request.clear_limits();
  request.set_level(common_pb::COMPUTER_LEVEL_EASY);
  const auto context = server.ContextAs(CallerKind::kService, "komadai-game");
  const grpc::Status status = stub->BestMove(context.get(), request, &move_);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_NE(move_.move(), "");
}

}  // namespace
}  // namespace komadai::engine
