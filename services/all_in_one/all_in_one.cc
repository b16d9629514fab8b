#include "services/all_in_one/all_in_one.h"

#include "libs/rpc/server/serve.h"
#include "services/clock/bind.h"
#include "services/engine/bind.h"
#include "services/game/bind.h"
#include "services/kifu/bind.h"
#include "services/matchmaking/bind.h"
#include "services/rating/bind.h"
#include "services/rules/bind.h"

namespace komadai::all_in_one {

int Serve(const std::vector<std::string>& arguments) {
  std::string data;
  rpc::Program program;
  program.name = "komadai";
  program.description = "All services in one process, everything kept in one SQLite file.";
  program.add_settings = [&data](config::Settings& settings) {
    settings.Add("data", &data,
                 "directory of the SQLite file and the token secret (default: komadai-data)");
  };
  std::vector<const char*> argv{"komadai serve"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  // Those that others call first: they stop last.
  return rpc::ServeMain(
      std::move(program),
      {rules_service::RulesComponent(), clock::ClockComponent(), kifu::KifuComponent(),
       rating::RatingComponent(), engine::EngineComponent(), game::GameComponent(),
       matchmaking::MatchmakingComponent()},
      static_cast<int>(argv.size()), argv.data());
}

int RecomputeRatings(const std::vector<std::string>& arguments) {
  return rating::RunRecompute(arguments);
}

}  // namespace komadai::all_in_one
