// komadai: the command line: a table of commands, each with what it reads and what runs it.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "cli/conformance.h"
#include "cli/connection.h"
#include "cli/convert.h"
#include "cli/demo.h"
#include "cli/health.h"
#include "cli/judge.h"
#include "cli/law.h"
#include "cli/legal.h"
#include "cli/perft.h"
#include "cli/play.h"
#include "cli/rating.h"
#include "cli/serve.h"

namespace {

using komadai::cli::DemoOptions;
using komadai::cli::HealthOptions;
using komadai::cli::PlayOptions;
using komadai::cli::WatchOptions;

constexpr char kTargetHelp[] = "server: HOST:PORT, or service=HOST:PORT,... for separate processes";

void AddTarget(CLI::App* command, std::string* target) {
  *target = komadai::cli::kDefaultTarget;
  command->add_option("--target", *target, kTargetHelp)
      ->envname("KOMADAI_TARGET")
      ->capture_default_str();
}

CLI::App* AddPlay(CLI::App& app, PlayOptions& options) {
  CLI::App* play = app.add_subcommand("play", "play a game at this terminal");
  AddTarget(play, &options.target);
  play->add_option("--variant", options.variant, "game to play")
      ->check(CLI::IsMember({"shogi", "minishogi", "xiangqi"}))
      ->capture_default_str();
  play->add_option("--name", options.name, "nickname");
  play->add_option("--token", options.token,
                   "ID token of the account to play as, where the server takes them")
      ->envname("KOMADAI_TOKEN");
  play->add_flag("--test-player", options.test_player,
                 "sign in as a verified test player of that name, where the server allows it");
  play->add_option("--against", options.against, "computer, anyone (matchmaking) or friend (link)")
      ->check(CLI::IsMember({"computer", "anyone", "friend"}))
      ->capture_default_str();
  play->add_option("--join", options.join, "code of a friend's link");
  play->add_option("--level", options.level, "strength of the computer")
      ->check(CLI::IsMember({"easy", "medium", "hard"}))
      ->capture_default_str();
  play->add_option("--side", options.side, "side to play")
      ->check(CLI::IsMember({"first", "second", "any"}))
      ->capture_default_str();
  play->add_option("--handicap", options.handicap, "handicap id, e.g. 2_piece");
  play->add_flag("--no-clock", options.no_clock, "without a clock (moves can be taken back)");
  play->add_option("--main", options.main_seconds, "main time in seconds")
      ->check(CLI::Range(0, 604800))
      ->capture_default_str();
  play->add_option("--byoyomi", options.byoyomi_seconds, "byo-yomi period in seconds")
      ->check(CLI::Range(0, 86400))
      ->capture_default_str();
  play->add_option("--periods", options.byoyomi_periods, "byo-yomi periods")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  play->add_flag("--rated", options.rated, "rated game (needs a verified account)");
  play->add_flag("!--no-colour", options.colour, "without terminal colours");
  return play;
}

CLI::App* AddDemo(CLI::App& app, DemoOptions& options) {
  CLI::App* demo =
      app.add_subcommand("demo", "play a whole recorded game against a server and check it");
  AddTarget(demo, &options.target);
  demo->add_option("--record", options.record, "file with the game (USI, CSA or KIF)");
  demo->add_option_function<int>(
          "--pause-ms", [&options](int pause) { options.pause = komadai::Millis(pause); },
          "pause between moves, in milliseconds")
      ->check(CLI::Range(0, 60000));
  return demo;
}

CLI::App* AddWatch(CLI::App& app, WatchOptions& options) {
  CLI::App* watch = app.add_subcommand("watch", "follow a game live");
  AddTarget(watch, &options.target);
  watch->add_option("game", options.game_id, "id of the game")->required();
  watch->add_flag("!--no-colour", options.colour, "without terminal colours");
  return watch;
}

CLI::App* AddHealth(CLI::App& app, HealthOptions& options) {
  CLI::App* health = app.add_subcommand("health", "ask a server whether it is ready");
  AddTarget(health, &options.target);
  health->add_option("--service", options.service,
                     "health name: empty for readiness, live for liveness");
  return health;
}

}  // namespace

int main(int argc, char** argv) {
  namespace cli = komadai::cli;
  // Everything behind `serve` belongs to the server's own settings, --help included.
  if (argc > 1 && std::string(argv[1]) == "serve") {
    return cli::RunServe(std::vector<std::string>(argv + 2, argv + argc));
  }
  if (argc > 1 && std::string(argv[1]) == "rating") {
    return cli::RunRating(std::vector<std::string>(argv + 2, argv + argc));
  }
  CLI::App app{
      "Komadai: play, watch and serve shogi, minishogi and xiangqi, and check moves and games "
      "against the rules."};
  app.require_subcommand(1);
  app.add_subcommand("serve", "serve everything in one process (komadai serve --help)");
  app.add_subcommand("rating", "check ratings against their history (komadai rating recompute)");

  int status = cli::kExitUsage;
  const cli::Streams streams{std::cin, std::cout, std::cerr};
  const auto on = [&status](CLI::App* command, auto run) {
    command->callback([&status, run] { status = run(); });
  };
  PlayOptions play;
  on(AddPlay(app, play), [&play] { return cli::RunPlay(play); });
  WatchOptions watch;
  on(AddWatch(app, watch), [&watch] { return cli::RunWatch(watch); });
  DemoOptions demo;
  on(AddDemo(app, demo), [&demo] { return cli::RunDemo(demo); });
  HealthOptions health;
  on(AddHealth(app, health), [&health] { return cli::RunHealth(health); });
  cli::LegalOptions legal;
  on(cli::AddLegal(app, legal), [&] { return cli::RunLegal(legal, streams); });
  cli::JudgeOptions judge;
  on(cli::AddJudge(app, judge), [&] { return cli::RunJudge(judge, streams); });
  cli::ConvertOptions convert;
  on(cli::AddConvert(app, convert), [&] { return cli::RunConvert(convert, streams); });
  cli::PerftOptions perft;
  on(cli::AddPerft(app, perft), [&] { return cli::RunPerft(perft, streams); });
  cli::ConformanceOptions conformance;
  on(cli::AddConformance(app, conformance),
     [&] { return cli::RunConformance(conformance, streams); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kExitOk : cli::kExitUsage;  // --help is no error
  }
  return status;
}
