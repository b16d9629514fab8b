#include "tests/bench/tables.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "cli/connection.h"
#include "komadai/game/v1/game.pb.h"
#include "libs/base/mutex.h"
#include "libs/base/random.h"
#include "tests/bench/bearer.h"

namespace komadai::bench {
namespace {

namespace game_pb = ::komadai::game::v1;
namespace common_pb = ::komadai::common::v1;

constexpr std::chrono::seconds kPatience{20};

template <typename T>
T OrDie(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return *std::move(result);
}

std::string NameOfRun() {
  SystemRandom random;
  return RandomId(random, 6);
}

}  // namespace

Tables::Tables(const std::string& target, int count, std::vector<std::string> moves)
    : channel_(OrDie(cli::Targets::Parse(target)).To("game")),
      stub_(game_pb::GameService::NewStub(channel_)),
      service_(Bearer(rpc::CallerKind::kService, "komadai-bench")),
      run_(NameOfRun()),
      moves_(std::move(moves)) {
  for (int i = 0; i < count; ++i) {
    tables_.push_back(NewTable("bench-" + run_ + "-" + std::to_string(i)));
  }
  PlayTo(0);
}

std::unique_ptr<Tables::Table> Tables::NewTable(const std::string& name) {
  auto table = std::make_unique<Table>();
  for (int side = 0; side < 2; ++side) {
    table->ids[side] = name + (side == 0 ? "a" : "b");
    table->tokens[side] = Bearer(rpc::CallerKind::kGuest, table->ids[side]);
  }
  return table;
}

void Tables::Move(int index, Done done) {
  Table& table = *tables_[static_cast<std::size_t>(index)];
  if (table.game_id.empty() || table.ply == static_cast<int>(moves_.size())) {
    return Open(table, std::move(done));
  }
  struct Call {
    grpc::ClientContext context;
    game_pb::PlayMoveRequest request;
    game_pb::PlayMoveResponse response;
  };
  auto call = std::make_shared<Call>();
  call->context.AddMetadata("authorization", table.tokens[table.ply % 2]);
  call->context.set_deadline(std::chrono::system_clock::now() + kPatience);
  call->request.set_game_id(table.game_id);
  call->request.set_expected_ply(table.ply);
  call->request.set_move(moves_[static_cast<std::size_t>(table.ply)]);
  stub_->async()->PlayMove(&call->context, &call->request, &call->response,
                           [this, &table, call, done](const grpc::Status& status) {
                             if (status.ok()) ++table.ply;
                             if (!status.ok()) Complain("PlayMove", status);
                             done(status.ok() ? Ended::kCounted : Ended::kFailed);
                           });
}

void Tables::Open(Table& table, Done done) {
  struct Call {
    grpc::ClientContext context;
    game_pb::CreateGameRequest request;
    game_pb::CreateGameResponse response;
  };
  auto call = std::make_shared<Call>();
  call->request.set_request_id(table.ids[0] + "-" + std::to_string(table.games++));
  call->request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  for (int side = 0; side < 2; ++side) {
    common_pb::Player& player =
        side == 0 ? *call->request.mutable_first() : *call->request.mutable_second();
    player.set_player_id(table.ids[side]);
    player.set_name(table.ids[side]);
    player.set_kind(common_pb::PLAYER_KIND_GUEST);
  }
  common_pb::SideTime& time = *call->request.mutable_time_control()->mutable_first();
  time.set_main_ms(3600000);
  time.set_byoyomi_ms(30000);
  time.set_byoyomi_periods(3);
  call->request.mutable_options()->set_first_move_ms(0);
  call->context.AddMetadata("authorization", service_);
  call->context.set_deadline(std::chrono::system_clock::now() + kPatience);
  call->context.set_wait_for_ready(true);
  stub_->async()->CreateGame(&call->context, &call->request, &call->response,
                             [this, &table, call, done](const grpc::Status& status) {
                               if (status.ok()) {
                                 table.game_id = call->response.game().game_id();
                                 table.ply = 0;
                               } else {
                                 Complain("CreateGame", status);
                               }
                               done(status.ok() ? Ended::kUncounted : Ended::kFailed);
                             });
}

void Tables::PlayTo(int ply) {
  Mutex mutex;
  CondVar changed;
  int busy = size();
  std::function<void(int)> step = [&](int index) {
    const Table& table = *tables_[static_cast<std::size_t>(index)];
    if (!table.game_id.empty() && table.ply >= ply) {
      const MutexLock lock(mutex);
      if (--busy == 0) changed.NotifyAll();
      return;
    }
    Move(index, [&, index](Ended ended) {
      if (ended == Ended::kFailed) Die("a table does not get to ply " + std::to_string(ply));
      step(index);
    });
  };
  for (int index = 0; index < size(); ++index) step(index);
  MutexLock lock(mutex);
  while (busy != 0) changed.Wait(lock);
}

void Tables::OpenIdle(int count) {
  constexpr int kAtOnce = 64;
  RunCount(kAtOnce, count, [this](int, Done done) {
    const std::string name = "idle-" + run_ + "-" + std::to_string(idle_.fetch_add(1));
    auto table = std::make_shared<std::unique_ptr<Table>>(NewTable(name));
    Open(**table, [table, done](Ended ended) {
      if (ended == Ended::kFailed) Die("an idle game was not opened");
      done(ended);
    });
  });
}

void Tables::Complain(const char* what, const grpc::Status& status) {
  if (complaints_.fetch_add(1) >= 5) return;
  std::fprintf(stderr, "%s: %s\n", what, cli::Connection::ErrorOf(status).ToString().c_str());
}

}  // namespace komadai::bench
