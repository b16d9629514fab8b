// Collector: asks the servers and the stores what a run has left behind.
#pragma once

#include <memory>
#include <vector>

#include "komadai/kifu/v1/kifu.grpc.pb.h"
#include "libs/postgres/database.h"
#include "libs/testing/local_stack.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/world.h"

namespace komadai::chaos {

class Collector {
 public:
  static Result<std::unique_ptr<Collector>> Open(testing::LocalStack& stack, World& world);

  // The games as they stand, into the evidence.
  void ReadGames(std::vector<GameEvidence>& games);
  // Whether the archive has all finished `games` and the ratings all rated ones.
  bool CaughtUp(const std::vector<GameEvidence>& games);
  // Everything else about one game.
  void Complete(GameEvidence& evidence);
  Result<RunEvidence> ReadRun();

 private:
  Collector(testing::LocalStack& stack, World& world);

  void ReadJournal(GameEvidence& evidence);
  void ReadArchive(GameEvidence& evidence);
  Status ReadRatings(RunEvidence& run);
  Status ReadLiveGames(RunEvidence& run);
  template <typename Response, typename Service, typename Method, typename Request>
  Result<Response> Ask(play::Replicas<Service>& service, Method method, const Request& request);
  Result<sql::Rows> Query(std::string statement, sql::Params params = {});

  World& world_;
  play::Replicas<kifu::v1::KifuService> kifu_;
  SystemTimeSource time_;
  SeededRandom random_{1};
  std::unique_ptr<postgres::Database> database_;
};

}  // namespace komadai::chaos
